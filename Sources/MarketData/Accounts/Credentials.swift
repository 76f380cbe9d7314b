import Config
import Files
package import HTTP
import Synchronization

/// The user's secrets, which replace `{secret:name}` in a config.
///
/// A secret comes from `credentials.json`, either directly or from a program named there. If that has none of the
/// owner, it comes from a single environment variable whose name is derived from the owner and the secret: no config
/// can request any other, and no key is put together from two places.
package struct Credentials: Sendable {
  private var stored: [String: StoredKeys]
  private let environment: @Sendable (String) -> String?
  private let refusal: @Sendable (_ owner: String) -> SecretProblem?
  private let answers = Answers()

  /// The results of this run, each obtained only once, as a program may prompt its user.
  private final class Answers: Sendable {
    let ofPrograms = Mutex<[(words: [String], result: Result<Secret, SecretProblem>)]>([])
    let ofOwners = Mutex<[String: SecretProblem?]>([:])
  }

  /// - Parameters:
  ///   - file: nil if the user has no place for it.
  ///   - refusal: Returns why the requests that contain an owner's secrets may not be sent; nil if they may. Called once
  ///     per owner, and only if there is a secret.
  package init(
    _ file: CredentialsFile?, refusal: @escaping @Sendable (_ owner: String) -> SecretProblem? = { _ in nil },
    environment: @escaping @Sendable (String) -> String?
  ) {
    stored = Dictionary(uniqueKeysWithValues: (file?.owners ?? []).map { ($0.owner, $0) })
    self.refusal = refusal
    self.environment = environment
  }

  /// Returns the secret for a request; nil if the user has stored none of this name.
  ///
  /// - Throws: `notAllowed` or `invalidBlock` if the owner's requests may not be sent, and what `usable` throws.
  package func secret(_ name: String, of owner: String) throws(SecretProblem) -> String? {
    if origin(of: name, owner) != nil, let refusal = knownRefusal(of: owner) { throw refusal }
    return try usable(name, of: owner)?.revealed
  }

  private func knownRefusal(of owner: String) -> SecretProblem? {
    answers.ofOwners.withLock { known in
      if let known = known[owner] { return known }
      let answer = refusal(owner)
      known.updateValue(answer, forKey: owner)
      return answer
    }
  }

  /// Returns the secret; nil if the user has stored none of this name.
  ///
  /// - Throws: `badSecret` if its text cannot be sent, `unreadable` if the program does not provide it.
  package func usable(_ name: String, of owner: String) throws(SecretProblem) -> Secret? {
    let secret: Secret
    switch stored[owner]?[name] {
    case .text(let text)?: secret = text
    case .program(let words)?: secret = try answer(of: words)
    case .malformed?: throw .badSecret(name: name, why: #"it is neither a string nor {"command": ["program", "word"]}"#)
    case nil:
      guard let text = variable(name, of: owner) else { return nil }
      secret = Secret(text)
    }
    SystemLimits.forbidCoreDumps()
    if secret.revealed.isEmpty { return nil }
    if let why = Self.flaw(of: secret) { throw .badSecret(name: name, why: why) }
    return secret
  }

  /// Where a secret would come from; nil if the user has stored none of this name. Runs no program.
  package enum Origin: Sendable, Hashable {
    case file, program, environment
  }

  package func origin(of name: String, _ owner: String) -> Origin? {
    switch stored[owner]?[name] {
    case .text(let text)? where !text.revealed.isEmpty: .file
    case .program?: .program
    case .malformed?: .file
    case .text?: nil
    case nil: variable(name, of: owner).flatMap { $0.isEmpty ? nil : .environment }
    }
  }

  /// Whether the environment's secrets of an owner count: not if the file has any, as one half of a key would then be
  /// used with the other half of another one.
  package func readsVariables(of owner: String) -> Bool { stored[owner]?.hasSecrets != true }

  private func variable(_ name: String, of owner: String) -> String? {
    readsVariables(of: owner) ? environment(SecretName.variable(name, of: owner)) : nil
  }

  /// Returns a copy with changes that have not been written yet.
  package func applying(_ edits: [CredentialsEdit], to owner: String) -> Credentials {
    var result = self
    for edit in edits {
      switch edit {
      case .set(let secrets):
        for (name, secret) in secrets {
          result.stored[owner, default: StoredKeys(owner: owner)].set(name, .text(secret))
        }
      case .allow(let fingerprint): result.stored[owner, default: StoredKeys(owner: owner)].allowed = fingerprint
      case .remove: result.stored[owner] = nil
      }
    }
    return result
  }

  /// The entries of the file that are meant to have secrets, usable or not, by the names of their owners.
  var meantOwners: [String] { stored.values.filter { $0.isMalformed || $0.hasSecrets }.map(\.owner).sorted() }

  /// Returns an owner's entry in the file; nil if there is none.
  package func entry(of owner: String) -> StoredKeys? { stored[owner] }

  /// Returns the names of an owner's secrets in the file.
  package func storedNames(of owner: String) -> [String] { stored[owner]?.secrets.map(\.name) ?? [] }

  /// Returns the fingerprint of the requests that the user has allowed for an owner.
  package func allowed(_ owner: String) -> String? { stored[owner]?.allowed }

  /// Returns why a text cannot be a secret: a line break would end one header and begin another, and what slips into a
  /// paste makes every signature wrong.
  package static func flaw(of secret: Secret) -> String? {
    let text = secret.revealed
    func contains(_ category: Unicode.GeneralCategory) -> Bool {
      text.unicodeScalars.contains { $0.properties.generalCategory == category }
    }
    if contains(.control) { return "it contains a control character" }
    if contains(.format) { return "it contains an invisible character" }
    // Invalid UTF-8 was decoded to this character.
    if text.unicodeScalars.contains("\u{FFFD}") { return "it is not valid UTF-8" }
    if text.hasPrefix("-----BEGIN") { return "it is the first line of a file; expected the key in one line" }
    return [text.first, text.last].contains { $0?.isWhitespace == true } ? "it begins or ends with a space" : nil
  }

  private func answer(of words: [String]) throws(SecretProblem) -> Secret {
    // The lock is held meanwhile, so that anyone else who wants the same secret waits for the same result.
    let result = answers.ofPrograms.withLock { known in
      if let answer = known.first(where: { $0.words == words }) { return answer.result }
      let result = Result { () throws(SecretProgram.Problem) in
        try SecretProgram(words, environment: environment).firstLine()
      }.mapError { SecretProblem.unreadable("\($0)") }
      known.append((words, result))
      return result
    }
    return try result.get()
  }
}
