package import Config
import HTTP
import JSON
package import MarketData
import Quotes

/// Checks which secrets the config needs, whether they exist, and whether they may be used. Values are neither shown
/// nor sent, and no program is run to get them.
package struct SecretsCheck {
  /// nil if there is none that can be read.
  private let configuration: Configuration?
  /// The folder of the user's config; nil without a home folder.
  private let folder: String?
  private let allowance: KeyAllowance?
  private let environment: @Sendable (String) -> String?
  /// What the commands of remedies need to find the same config.
  private let option: String

  /// - Parameter option: What the commands of remedies need to find the same config.
  package init(
    _ configuration: Configuration?, folder: String?, allowance: KeyAllowance?, option: String,
    environment: @escaping @Sendable (String) -> String?
  ) {
    (self.configuration, self.folder, self.allowance) = (configuration, folder, allowance)
    (self.environment, self.option) = (environment, option)
  }

  package var findings: [Finding] {
    let (findings, file) = file
    let credentials = Credentials(file, environment: environment)
    let needs = configuration.map(Self.needs) ?? []
    let keys = configuration.map { Self.keys(of: $0, credentials) } ?? []
    return findings + needs.map { finding(of: $0.owner, $0.name, credentials) }
      + keys.filter { key in !needs.contains { $0 == key } }.map { finding(of: $0.owner, $0.name, credentials) }
      + notAllowed(needs + keys, credentials) + unused(needs, file)
  }

  // MARK: Credentials file

  private var file: (findings: [Finding], file: CredentialsFile?) {
    func finding(_ severity: Finding.Severity, _ text: String, help: String? = nil) -> Finding {
      Finding(.secrets, .credentialsFile, severity, text, help: help)
    }
    guard let folder else {
      return ([finding(.warning, "no home folder, so no credentials.json", help: "set HOME or XDG_CONFIG_HOME")], nil)
    }
    let file = CredentialsFile(in: folder)
    guard let mode = file.mode else { return ([finding(.ok, "no credentials.json yet (\(file.path))")], nil) }
    let problems = file.problems.map { problem in
      let (sentence, remedy) = file.explanation(of: problem)
      // Insecure permissions of the folder do not prevent the file from being used.
      return finding(file.document == nil ? .error : .warning, sentence, help: remedy)
    }
    let use = finding(.ok, "\(file.path), mode \(String(mode, radix: 8))")
    return (problems.isEmpty ? [use] : problems, file)
  }

  // MARK: Secrets

  private func finding(of owner: String, _ name: String, _ credentials: Credentials) -> Finding {
    func finding(_ severity: Finding.Severity, _ state: String, help: String? = nil) -> Finding {
      Finding(.secrets, .secret, severity, "\(owner) \(name): \(state)", help: help)
    }
    let variable = SecretName.variable(name, of: owner)
    let origin = credentials.origin(of: name, owner)
    if origin != .program {
      do throws(SecretProblem) {
        _ = try credentials.usable(name, of: owner)
      } catch {
        return finding(.error, error.sentence, help: "store it again: market keys add \(owner.shellWord)\(option)")
      }
    }
    switch origin {
    case .program: return finding(.ok, "given by a command in credentials.json")
    case .file: return finding(.ok, "set in credentials.json")
    case .environment: return finding(.ok, "set by \(variable)")
    case nil:
      return finding(
        .warning, "missing, so \(owner) cannot be queried",
        help: "store it with: market keys add \(owner.shellWord)\(option)"
          + (credentials.readsVariables(of: owner) ? "; or set \(variable)" : ""))
    }
  }

  /// Reports exchanges whose keys exist but may not be used.
  private func notAllowed(_ needs: [Need], _ credentials: Credentials) -> [Finding] {
    let owners = needs.filter { credentials.origin(of: $0.name, $0.owner) != nil }.map(\.owner)
    return owners.unique.compactMap { owner in
      guard let refusal = allowance?.refusal(of: owner, allowed: credentials.allowed(owner)) else { return nil }
      return Finding(
        .secrets, .secret, .warning, "\(owner): \(refusal.sentence)",
        help: refusal == .invalidBlock
          ? "market validate-config\(option)" : "review and allow them: market keys allow \(owner.shellWord)\(option)")
    }
  }

  /// Reports entries of the file that nothing asks for: the name may be misspelled.
  private func unused(_ needs: [Need], _ file: CredentialsFile?) -> [Finding] {
    guard let file, let configuration else { return [] }
    var known = needs
    for source in configuration.exchanges { known += source.secretNames.map { (source.name, $0) } }
    return file.owners.flatMap { owner in
      let malformed = Finding(
        .secrets, .unusedSecret, .warning, "\(owner.owner) in credentials.json is not an object, so it is not used",
        help: #"write it like {"OpenExchangeRates": {"app_id": "…"}}"#)
      return (owner.isMalformed ? [malformed] : [])
        + owner.secrets.compactMap { secret in
          guard !known.contains(where: { $0 == (owner.owner, secret.name) }) else { return nil }
          let near = Spelling.suggestion(
            for: "\(owner.owner) \(secret.name)", among: known.map { "\($0.owner) \($0.name)" })
          return Finding(
            .secrets, .unusedSecret, .warning,
            "\(owner.owner) \(secret.name) is in credentials.json, but nothing uses it",
            help: near.map { "did you mean \($0)?" })
        }
    }
  }

  private typealias Need = (owner: String, name: String)

  /// Returns the existing account secrets, which are all optional.
  private static func keys(of configuration: Configuration, _ credentials: Credentials) -> [Need] {
    configuration.exchanges.flatMap { source in
      source.secretNames.filter { name in
        credentials.origin(of: name, source.name) != nil || credentials.storedNames(of: source.name).contains(name)
      }.map { (source.name, $0) }
    }
  }

  /// Returns the secrets used by enabled tables.
  private static func needs(of configuration: Configuration) -> [Need] {
    var tables: [TableSpec] = []
    for source in configuration.exchanges {
      guard let exchange = configuration.read(source).exchange, exchange.isEnabled else { continue }
      tables += exchange.markets.flatMap { $0.tickers + $0.ticker }
    }
    for name in configuration.providerNames {
      guard let provider = configuration.readProvider(name).provider, provider.isEnabled,
        case .table(let spec, _) = provider.source
      else { continue }
      tables.append(spec)
    }
    var needs: [Need] = []
    for table in tables {
      for name in table.secretNames where !needs.contains(where: { $0.owner == table.owner && $0.name == name }) {
        needs.append((table.owner, name))
      }
    }
    return needs
  }
}
