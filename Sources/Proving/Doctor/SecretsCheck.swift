package import Config
import JSON
import MarketData

/// Which secrets the config asks for, and whether they are there. Values are never looked at.
package struct SecretsCheck {
  /// nil where there is none that can be read.
  private let configuration: Configuration?
  /// Where the user's config lies; nil without a home.
  private let folder: String?
  private let environment: (String) -> String?

  package init(
    _ configuration: Configuration?, folder: String?, environment: @escaping (String) -> String?
  ) {
    (self.configuration, self.folder) = (configuration, folder)
    self.environment = environment
  }

  package var findings: [Finding] {
    let file = self.file
    let needs = configuration.map(Self.needs) ?? []
    return file.findings + needs.map { finding(of: $0.owner, $0.name, file.document) }
      + unused(needs, file.document)
  }

  // MARK: The file

  private var file: (findings: [Finding], document: JSONDocument?) {
    guard let folder else {
      return (
        [
          Finding(
            .secrets, .credentialsFile, .warning, "no home folder, so no credentials.json",
            help: "set HOME or XDG_CONFIG_HOME")
        ], nil
      )
    }
    let file = CredentialsFile(in: folder)
    guard let mode = file.mode else {
      return ([Finding(.secrets, .credentialsFile, .ok, "there is no \(file.path)")], nil)
    }
    let problems = file.problems.map { problem in
      let (sentence, remedy) = file.explanation(of: problem)
      // An open folder does not keep the file from being used.
      return Finding(.secrets, .credentialsFile, file.document == nil ? .error : .warning, sentence, help: remedy)
    }
    let use = Finding(.secrets, .credentialsFile, .ok, "\(file.path), mode \(String(mode, radix: 8))")
    return (problems.isEmpty ? [use] : problems, file.document)
  }

  // MARK: The secrets

  private func finding(of owner: String, _ name: String, _ document: JSONDocument?) -> Finding {
    let variable = SecretName.variable(name, of: owner)
    let isInFile = document?.root[owner]?[name]?.string?.isEmpty == false
    guard isInFile || environment(variable)?.isEmpty == false else {
      let file = folder.map { "\($0)/credentials.json" } ?? "credentials.json"
      return Finding(
        .secrets, .secret, .warning, "\(owner) \(name): missing, so \(owner) cannot be asked",
        help: "put {\"\(owner)\": {\"\(name)\": \"…\"}} into \(file) (mode 600), or set \(variable)")
    }
    let origin = isInFile ? "set in credentials.json" : "set by \(variable)"
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
