import Asking
import Config
import JSON
package import MarketData
package import Shell
import Terminal

/// The user's keys as seen by `market keys`: where they are stored, and who may use them.
package struct KeyRing {
  /// An exchange or a rate provider that keys are stored for.
  package struct Owner: Sendable {
    package let name: String
    let isExchange: Bool
    /// The names of the secrets in its requests, in the order in which the user is asked.
    let secretNames: [String]
  }

  package let context: Context
  /// The folder of `credentials.json`, whether it exists or not.
  package let folder: String
  package let file: CredentialsFile
  package let config: LoadedConfig
  package let store: KeyStore

  package init(_ options: ConfigOptions, in context: Context) throws {
    guard let folder = context.paths.config else {
      throw CommandError.noAnswer("no folder for keys: \(UserPaths.absence(of: "XDG_CONFIG_HOME"))")
    }
    self.context = context
    self.folder = folder
    config = try LoadedConfig(options, in: context)
    file = CredentialsFile(in: folder)
    store = KeyStore(file, for: config.configuration, in: context)
  }

  /// Reports problems with the file on stderr.
  package func noteProblems() {
    for problem in file.problems {
      let (sentence, remedy) = file.explanation(of: problem)
      context.note("\(sentence); \(remedy)")
    }
  }

  /// What to know about a word that may be a secret, which is never repeated.
  package static let neverArguments =
    "secrets are never arguments: if that was one, the shell may have saved it, so replace it at the exchange"

  /// - Throws: if neither the config nor the file has such an owner.
  package func owner(named name: String) throws -> Owner {
    let configuration = config.configuration
    let isExchange = configuration.exchange(named: name) != nil
    let folded = Spelling.folded(name)
    if !isExchange, let provider = configuration.providerName(spelled: name) {
      return Owner(name: provider, isExchange: false, secretNames: configuration.secretNames(ofProvider: provider))
    }
    if !isExchange, let stored = file.owners.first(where: { Spelling.folded($0.owner) == folded }) {
      return Owner(name: stored.owner, isExchange: false, secretNames: [])
    }
    let source: ExchangeSource
    do throws(ExchangeChoiceProblem) {
      source = try config.source(named: name)
    } catch {
      // The name may be a secret: `market keys add Upbit=…`.
      guard case .unknown(_, let suggestion, _, let file) = error else { throw error }
      throw UsageProblem.other(
        "unknown exchange or rate provider in \(file.path); "
          + (suggestion.map { "did you mean '\($0)'?" } ?? Self.neverArguments))
    }
    return Owner(name: source.name, isExchange: true, secretNames: Self.sorted(source.secretNames))
  }

  /// All owners of keys in the file and the environment, in the order of the file, then of the config.
  package var owners: [String] {
    var owners = file.owners.map(\.owner)
    func add(_ name: String, _ secrets: [String]) {
      if !owners.contains(name), secrets.contains(where: { store.credentials.origin(of: $0, name) != nil }) {
        owners.append(name)
      }
    }
    for source in config.configuration.exchanges { add(source.name, source.secretNames) }
    for name in config.configuration.providerNames { add(name, config.configuration.secretNames(ofProvider: name)) }
    return owners
  }

  package func isExchange(_ name: String) -> Bool { config.configuration.exchanges.contains { $0.name == name } }

  /// Returns an owner's secrets, each with its source.
  package func secrets(of owner: String) -> [(name: String, origin: Credentials.Origin?)] {
    let configuration = config.configuration
    let asked = isExchange(owner) ? store.names(of: owner) : configuration.secretNames(ofProvider: owner)
    let stored = store.credentials.storedNames(of: owner)
    return Self.sorted(asked + stored.filter { !asked.contains($0) }).compactMap { name in
      let origin = store.credentials.origin(of: name, owner)
      return origin != nil || stored.contains(name) ? (name, origin) : nil
    }
  }

  /// Sorts names, with the usual ones first, in the order in which exchanges list them.
  private static func sorted(_ names: [String]) -> [String] {
    let usual = ["apiKey", "secret", "passphrase", "futuresApiKey", "futuresSecret", "address"]
    return usual.filter(names.contains) + names.filter { !usual.contains($0) }
  }

  /// `market keys remove`: deletes what is stored.
  package func remove(_ name: String) throws {
    let found = try owner(named: name)
    let owner = found.name
    guard try edit(owner, [.remove]) else {
      throw CommandError.noAnswer("no keys of \(owner) are stored in \(file.path)")
    }
    context.note("removed the keys of \(owner)")
    // What the file had hidden.
    let others = store.applying([.remove], to: owner).credentials
    let left = found.secretNames.filter { others.origin(of: $0, owner) == .environment }
    if !left.isEmpty { context.note("the environment still has: \(left.joined(separator: ", "))") }
  }

  /// Writes a change to the file.
  @discardableResult func edit(_ owner: String, _ edits: [CredentialsEdit]) throws -> Bool {
    do {
      return try CredentialsFile.edit(owner, by: edits, in: folder)
    } catch {
      throw CommandError.noAnswer(sentence(of: error))
    }
  }

  private func sentence(of problem: CredentialsEditProblem) -> String {
    switch problem {
    case .unusable(let problems):
      let sentences = problems.map { file.explanation(of: $0) }.map { "\($0.sentence); \($0.remedy)" }
      return "nothing was written: " + sentences.joined(separator: "; ")
    case .repeated(let place):
      return "nothing was written: \(file.path):\(place.line):\(place.column): duplicate name; remove one of them"
    case .notAnObject(let owner):
      return "nothing was written: '\(owner)' in \(file.path) is not an object; "
        + #"write it like {"apiKey": "…"}"#
    case .file(let error): return "\(error)"
    }
  }

  // MARK: Prompting

  /// Asks the user to confirm; without a terminal, the answer is no.
  ///
  /// - Parameter isSure: whether the command line already confirms.
  func confirms(_ question: String, isSure: Bool) -> Bool {
    if isSure { return true }
    guard context.terminal.inputIsTerminal else { return false }
    context.output.flush()
    context.errorOutput.write("\(question) [y/N] ")
    let answer = context.readLine()?.lowercased()
    return answer == "y" || answer == "yes"
  }
}
