package import Config
import Files
import JSON
import MarketData

/// Which secrets the config asks for, and whether they are there. Values are never looked at.
package struct SecretsCheck {
  /// nil where there is none that can be read.
  private let configuration: Configuration?
  /// Whether the config is one of the working directory, which never receives secrets.
  private let isUntrusted: Bool
  /// Where the user's config lies; nil without a home.
  private let folder: String?
  private let environment: (String) -> String?

  package init(
    _ configuration: Configuration?, isUntrusted: Bool, folder: String?, environment: @escaping (String) -> String?
  ) {
    (self.configuration, self.isUntrusted, self.folder) = (configuration, isUntrusted, folder)
    self.environment = environment
  }

  package var findings: [Finding] {
    let file = self.file
    let needs = configuration.map(Self.needs) ?? []
    return [file.finding] + needs.map { finding(of: $0.owner, $0.name, file.document) }
      + unused(needs, file.document)
  }

  // MARK: The file

  private var path: String? { folder.map { "\($0)/credentials.json" } }

  private var file: (finding: Finding, document: JSONDocument?) {
    guard let path else {
      return (
        Finding(
          .secrets, .credentialsFile, .warning, "no home folder, so no credentials.json",
          help: "set HOME or XDG_CONFIG_HOME"), nil
      )
    }
    guard let status = FileStatus(path) else {
      return (Finding(.secrets, .credentialsFile, .ok, "there is no \(path)"), nil)
    }
    guard !status.isFolder else {
      return (Finding(.secrets, .credentialsFile, .error, "\(path) is a folder", help: "put a file in its place"), nil)
    }
    let mode = String(status.mode, radix: 8)
    guard FileSystem.isPrivate(path) else {
      return (
        Finding(
          .secrets, .credentialsFile, .error, "\(path) has the mode \(mode): others can read it",
          help: "run: chmod 600 '\(path)'"), nil
      )
    }
    // What is wrong with the text is not said: it may hold a secret.
    guard let bytes = try? FileSystem.read(path) else {
      return (
        Finding(.secrets, .credentialsFile, .error, "\(path) cannot be read", help: "make yourself its owner"), nil
      )
    }
    guard let document = try? JSONDocument(parsing: bytes), document.root.kind == .object else {
      let form = #"{"OpenExchangeRates": {"app_id": "…"}}"#
      return (
        Finding(.secrets, .credentialsFile, .error, "\(path) is not a JSON object", help: "write it like \(form)"), nil
      )
    }
    return (Finding(.secrets, .credentialsFile, .ok, "\(path), mode \(mode)"), document)
  }

  // MARK: The secrets

  private func finding(of owner: String, _ name: String, _ document: JSONDocument?) -> Finding {
    let variable = Credentials.variable(name, of: owner)
    let isInFile = document?.root[owner]?[name]?.string?.isEmpty == false
    guard isInFile || environment(variable)?.isEmpty == false else {
      let file = path ?? "credentials.json"
      return Finding(
        .secrets, .secret, .warning, "\(owner) \(name): missing, so \(owner) cannot be asked",
        help: "put {\"\(owner)\": {\"\(name)\": \"…\"}} into \(file) (mode 600), or set \(variable)")
    }
    let origin = isInFile ? "set in credentials.json" : "set by \(variable)"
    if isUntrusted {
      return Finding(
        .secrets, .secret, .warning, "\(owner) \(name): \(origin), and not sent for a config in the working directory",
        help: "name the config with --config if you trust it")
    }
    return Finding(.secrets, .secret, .ok, "\(owner) \(name): \(origin)")
  }

  /// What the file has and nothing asks for: a name may be misspelt.
  private func unused(_ needs: [Need], _ document: JSONDocument?) -> [Finding] {
    guard let document, configuration != nil else { return [] }
    return document.root.members.flatMap { owner in
      owner.value.members.compactMap { secret in
        guard !needs.contains(where: { $0.owner == owner.name && $0.name == secret.name }) else { return nil }
        let known = needs.map { "\($0.owner) \($0.name)" }
        let near = Spelling.suggestion(for: "\(owner.name) \(secret.name)", among: known)
        return Finding(
          .secrets, .unusedSecret, .warning,
          "\(owner.name) \(secret.name) is in credentials.json, and nothing asks for it",
          help: near.map { "did you mean \($0)?" })
      }
    }
  }

  private typealias Need = (owner: String, name: String)

  /// The secrets that enabled tables name.
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

extension TableSpec {
  /// The secrets that the table's requests are filled with.
  fileprivate var secretNames: [String] {
    let requests = [request] + lookups.compactMap(\.request)
    let templates =
      requests.flatMap(\.templates)
      + headers.map(\.value) + lookups.flatMap { $0.headers.map(\.value) }
    return templates.flatMap(\.pieces).compactMap { piece in
      if case .placeholder(.secret(let name), _) = piece { name } else { nil }
    }
  }
}
