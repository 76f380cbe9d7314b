import JSON
package import Quotes

/// The contents of a config. Exchanges are kept as text until requested, so a command only pays for what it uses.
package struct Configuration: Sendable {
  package private(set) var settings = Settings()
  package private(set) var watchlist: [WatchlistEntry] = []
  /// Aliases of assets, for every exchange: `XBT` is `BTC`.
  package private(set) var aliases: [String: String] = [:]
  /// Aliases of networks, for every exchange.
  package var networks: NetworkNames { NetworkNames(networkNames) }
  private var networkNames: [String: String] = [:]
  package private(set) var retired: [RetiredExchange] = []
  /// The exchanges in config order, the user's own last.
  package private(set) var exchanges: [ExchangeSource] = []
  package private(set) var routes: [RateRoute] = []
  private var providers: [NamedLevels] = []
  /// Findings about the text as a whole. Those inside an exchange are reported when it is read.
  package private(set) var diagnostics: [Finding] = []
  /// The files that were read, lowest precedence first.
  package private(set) var files: [ConfigFile] = []
  /// The shipped config if it is not in `files` but a block uses secrets: its owners keep their secrets all the same.
  private var unread: ConfigFile?

  /// - Parameters:
  ///   - file: the config in use.
  ///   - builtin: loads the shipped config. Called if `file` says `"extends": "builtin"`, to lay it underneath;
  ///     otherwise only if `file` has secrets, to know who owns them.
  package init(_ file: ConfigFile, builtin: () throws(ConfigSyntaxError) -> ConfigFile) throws(ConfigSyntaxError) {
    var reader = SpecReader()
    var files = [file]
    if let extends = file.root["extends"] {
      if file.extendsShipped {
        files.insert(try builtin(), at: 0)
      } else {
        reader.report(.unknownValue(["builtin"], found: extends.json.string ?? extends.json.text, at: extends))
      }
    }
    if files.count == 1, file.source.origin != .shipped, file.root.mayMentionSecret { unread = try? builtin() }
    self.files = files
    var exchanges: [NamedLevels] = []
    for file in files {
      // The contents of a block are checked when the block is read.
      let blocks = [file.root["exchanges"], file.root["fx"]?["providers"]].compactMap(\.self).flatMap(\.members)
      reader.checkDuplicates(in: file.root, apartFrom: blocks.map(\.value))
      read(file.root, exchanges: &exchanges, with: &reader)
    }
    self.exchanges = exchanges.map { ExchangeSource(name: $0.name, own: $0.levels) }
    resolveLike(with: &reader)
    diagnostics = reader.diagnostics
  }

  private mutating func read(_ root: ConfigNode, exchanges: inout [NamedLevels], with reader: inout SpecReader) {
    guard reader.checkKeys(root, .config) else { return }
    if let version = root["version"], !reader.checkVersion(version) { return }
    if let node = root["settings"] {
      if node.json.isNull { settings = Settings() } else { reader.readSettings(node, into: &settings) }
    }
    if let node = root["watchlist"] { watchlist = node.json.isNull ? [] : reader.readWatchlist(node) }
    aliases = names(root["aliases"], over: aliases, with: &reader)
    networkNames = names(root["networks"], over: networkNames, with: &reader) { Spelling.folded($0) }
    for member in members(of: root["retired"], with: &reader) {
      retired.removeAll { $0.name == member.name }
      if !member.value.json.isNull, let exchange = reader.readRetired(member) { retired.append(exchange) }
    }
    for member in members(of: root["exchanges"], atMost: Self.maximumExchanges, with: &reader)
    where member.value.json.isNull || reader.checkObject(member.value) { exchanges.put(member) }
    guard let fx = root["fx"], reader.checkKeys(fx, .fx) else { return }
    for member in members(of: fx["providers"], with: &reader)
    where member.value.json.isNull || reader.checkObject(member.value) { providers.put(member) }
    for member in members(of: fx["routes"], with: &reader) {
      let place = routes.firstIndex { $0.pattern == PairPattern(member.name) }
      let route = member.value.json.isNull ? nil : reader.readRoute(member)
      // In its place: of two that hold a pair the first is used.
      routes.put(route, at: place)
    }
  }

  /// Each exchange is compared with all others, so more of them would slow down every run.
  private static let maximumExchanges = 2000

  private func members(
    of node: ConfigNode?, atMost maximum: Int = SpecReader.maximumMembers, with reader: inout SpecReader
  ) -> [ConfigMember] {
    guard let node, !node.json.isNull else { return [] }
    return reader.readMembers(node, atMost: maximum) ?? []
  }

  /// Lays names over those of the level below; `null` removes one name, or all.
  ///
  /// - Parameter folded: returns the same text for names that are compared as one, of which the last counts.
  private func names(
    _ node: ConfigNode?, over others: [String: String], with reader: inout SpecReader,
    folded: (String) -> String = { $0 }
  ) -> [String: String] {
    var names = node?.json.isNull == true ? [:] : others
    var spellings = Dictionary(names.keys.map { (folded($0), $0) }, uniquingKeysWith: { first, _ in first })
    for member in members(of: node, with: &reader) {
      if let spelling = spellings.updateValue(member.name, forKey: folded(member.name)) { names[spelling] = nil }
      names[member.name] = member.value.json.isNull ? nil : reader.readText(member.value)
    }
    return names
  }

  private mutating func resolveLike(with reader: inout SpecReader) {
    let names = exchanges.map(\.name)
    for index in exchanges.indices {
      guard let like = exchanges[index].personal("like"), let name = reader.readText(like) else { continue }
      guard let base = exchanges.first(where: { $0.name == name }) else {
        reader.report(.unknownExchange(name, known: names, at: like))
        continue
      }
      if base.personal("like") != nil {
        reader.report(.chainedLike(name, at: like))
        continue
      }
      exchanges[index].base = base.own
    }
  }

  // MARK: Lookup

  /// Returns the exchange with that name or alternative name; only letters and digits count, ignoring case.
  package func exchange(named name: String) -> ExchangeSource? {
    let wanted = Spelling.folded(name)
    return exchanges.first { Spelling.folded($0.name) == wanted }
      ?? exchanges.first { $0.byNames.contains { Spelling.folded($0) == wanted } }
  }

  /// The exchanges' other names, folded, with the names they have here: `업비트` is `Upbit`.
  package var otherExchangeNames: [String: String] {
    let names = exchanges.flatMap { exchange in exchange.byNames.map { (Spelling.folded($0), exchange.name) } }
    return Dictionary(names) { first, _ in first }
  }

  /// Returns the name of the rate provider that `name` refers to, matched like an exchange name.
  package func providerName(spelled name: String) -> String? {
    let wanted = Spelling.folded(name)
    return providerNames.first { Spelling.folded($0) == wanted }
  }

  /// Returns the closed exchange with that name or alternative name, matched like an exchange name.
  package func retiredExchange(named name: String) -> RetiredExchange? {
    let wanted = Spelling.folded(name)
    return retired.first { ([$0.name] + $0.names).contains { Spelling.folded($0) == wanted } }
  }

  /// The primary names of the exchanges.
  package var exchangeNames: [String] { exchanges.map(\.name) }

  /// Every name that an exchange, open or closed, can be requested by.
  package var allNames: [String] {
    exchangeNames + exchanges.flatMap(\.byNames) + retired.flatMap { [$0.name] + $0.names }
  }

  /// Reads one exchange's block. Returns nil and the reasons if it is broken.
  ///
  /// - Parameters:
  ///   - extent: how much to read; errors in the rest go unnoticed.
  ///   - hooks: the compiled-in hooks; nil defers finding unknown names until a hook is needed.
  package func read(
    _ source: ExchangeSource, _ extent: ExchangeExtent = .whole, hooks: [String]? = nil
  ) -> (exchange: Exchange?, diagnostics: [Finding]) {
    var reader = SpecReader(hooks: hooks, localHosts: settings.localHosts)
    let owner = SecretOwner(name: source.name, isProvider: false, nodes: source.base + source.own)
    let conflicts = owner.conflicts(among: secretOwners)
    for conflict in conflicts { reader.report(conflict) }
    let exchange = reader.readExchange(source, extent)
    return (conflicts.isEmpty ? exchange : nil, reader.diagnostics)
  }

  /// The badges of all exchanges by name, all different, those of invalid ones too: letters mean the same on every
  /// screen, whichever exchanges are on it.
  package var badges: [String: String] {
    Badges.distinct(exchanges.map { ($0.name, read($0, ExchangeExtent(markets: [])).exchange?.badge) })
  }

  /// Reads one rate provider's block. Returns nil and the reasons if it is broken or missing.
  package func readProvider(
    _ name: String, hooks: [String]? = nil
  ) -> (provider: RateProvider?, diagnostics: [Finding]) {
    var reader = SpecReader(hooks: hooks, localHosts: settings.localHosts)
    guard let levels = providers.first(where: { $0.name == name })?.levels else { return (nil, []) }
    let owner = SecretOwner(name: name, isProvider: true, nodes: levels)
    let conflicts = owner.conflicts(among: secretOwners)
    for conflict in conflicts { reader.report(conflict) }
    let provider = reader.readProvider(name, levels)
    return (conflicts.isEmpty ? provider : nil, reader.diagnostics)
  }

  /// Returns the blocks of a rate provider, lowest precedence first; empty if there is no such provider.
  func levels(ofProvider name: String) -> [ConfigNode] { providers.first { $0.name == name }?.levels ?? [] }

  private var secretOwners: [SecretOwner] {
    var owners = exchanges.map { SecretOwner(name: $0.name, isProvider: false, nodes: $0.base + $0.own) }
    owners += providers.map { SecretOwner(name: $0.name, isProvider: true, nodes: $0.levels) }
    for member in unread?.root["fx"]?["providers"]?.members ?? [] where !providerNames.contains(member.name) {
      owners.append(SecretOwner(name: member.name, isProvider: true, nodes: [member.value]))
    }
    return owners
  }

  /// Returns the text that a route's rates come from, and whether all of it ships with the program.
  package func source(of route: RateRoute) -> (text: String, isShipped: Bool) {
    var nodes = [route.node]
    var isShipped = true
    for (name, levels) in providers where route.providers.contains(name) {
      nodes += levels
      // A rate may be a price on an exchange.
      for exchange in levels.compactMap({ $0["ticker"]?["exchange"]?.json.string }) {
        guard let source = exchanges.first(where: { $0.name == exchange }) else { continue }
        nodes += source.base + source.own
        isShipped = isShipped && source.isShipped
      }
    }
    isShipped = isShipped && nodes.allSatisfy { $0.isShipped }
    return (nodes.map(\.json.text).joined(separator: "\n"), isShipped)
  }

  /// Every exchange and rate provider, as read.
  package struct WholeReading: Sendable {
    /// nil for an exchange whose block has errors.
    package let exchanges: [(source: ExchangeSource, exchange: Exchange?)]
    /// Those whose blocks have none.
    package let providers: [RateProvider]
    /// Every finding once. One in text that several exchanges inherit names them all.
    package let findings: [Finding]
  }

  /// Reads the whole config.
  ///
  /// - Parameter hooks: the compiled-in hooks; nil defers finding unknown names until a hook is needed.
  package func readWhole(hooks: [String]? = nil) -> WholeReading {
    var result = diagnostics
    var indexes = Dictionary(diagnostics.indices.map { (diagnostics[$0], $0) }, uniquingKeysWith: { first, _ in first })
    func take(_ found: [Finding], owner: String, inherits: (Finding) -> Bool) {
      for finding in found {
        let index = indexes[finding] ?? result.count
        if index == result.count {
          indexes[finding] = index
          result.append(finding)
        }
        if inherits(finding) { result[index].inheritors.append(owner) }
      }
    }
    let all = exchanges.map { source in
      let (exchange, found) = read(source, hooks: hooks)
      take(found, owner: source.name) { !source.owns($0.place) }
      return (source, exchange)
    }
    let providers = providerNames.compactMap { name in
      let (provider, found) = readProvider(name, hooks: hooks)
      take(found, owner: name) { _ in false }
      return provider
    }
    return WholeReading(exchanges: all, providers: providers, findings: result)
  }

  package var providerNames: [String] { providers.map(\.name) }
}

extension ExchangeSource {
  fileprivate var byNames: [String] { (personal("names")?.elements ?? []).compactMap { $0.json.string } }
}
