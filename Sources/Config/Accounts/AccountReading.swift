import JSON

extension SpecReader {
  /// State shared by the blocks of one exchange while they are read.
  private struct AccountScope {
    let source: ExchangeSource
    /// Names from `set` in any block, which `auth` may refer to.
    let constants: [String]
    /// Keyed by place, so that each is read only once.
    var auths: [Place: AuthSpec?] = [:]
    var spec = AccountSpec()
  }

  /// Reads `auth`, `balances`, `walletStatus` and `permissions` of an exchange.
  mutating func readAccount(of source: ExchangeSource) -> AccountSpec {
    let blocks = AccountBlock.allCases.flatMap { kind in source.accountBlocks(kind).flatMap(\.levels) }
    let constants = blocks.flatMap { level in
      ([level] + (level["forEach"]?.elements ?? [])).flatMap { $0["set"]?.members.map(\.name) ?? [] }
    }
    var scope = AccountScope(source: source, constants: constants)
    if let node = source.value("auth", of: []) { _ = auth(at: node, of: source.block(to: []), &scope) }
    for kind in AccountBlock.allCases {
      for block in source.accountBlocks(kind) {
        for level in block.levels { checkAccountKeys(level, kind) }
        read(kind, block.name, block.levels, &scope)
      }
    }
    scope.spec.addClaims()
    return scope.spec
  }

  private mutating func checkAccountKeys(_ level: ConfigNode, _ kind: AccountBlock) {
    guard checkKeys(level, kind.language.block) else { return }
    for part in level["forEach"].flatMap({ $0.json.isNull ? nil : readElements($0) }) ?? [] {
      _ = checkKeys(part, kind.language.part)
    }
  }

  private mutating func read(
    _ kind: AccountBlock, _ account: String, _ levels: [ConfigNode], _ scope: inout AccountScope
  ) {
    let objects = levels.filter { $0.json.kind == .object }
    guard let nearest = objects.last else { return }
    var parts: [ConfigNode?] = [nil]
    if let forEach = objects.nearest("forEach"), let elements = readElements(forEach) {
      parts = elements.filter { $0.json.kind == .object }
      if elements.isEmpty { report(.wrongType("at least one part", at: forEach)) }
    }
    var tables: [AccountSpec.Part] = []
    for part in parts {
      guard let block = block(kind, objects + [part].compactMap(\.self), &scope) else { continue }
      guard let read = readPart(kind, block, batch: objects.nearest("batch"), &scope) else { continue }
      tables.append(read)
      switch kind {
      case .balances: break
      case .walletStatus: if let wallets = readWallets(read, block) { scope.spec.wallets.append(wallets) }
      case .permissions:
        if let permissions = readPermissions(read, block) { scope.spec.permissions.append(permissions) }
      }
    }
    if kind == .balances, !tables.isEmpty {
      let node = objects.nearest("absent").flatMap { $0.json.isNull ? nil : $0 }
      let absent = node.flatMap { readTexts($0) } ?? []
      if let node, tables.contains(where: { $0.table.success.code == nil }) {
        report(.missingKey("code", in: "'success', which 'absent' needs", at: node))
      }
      scope.spec.balances.append(AccountSpec.Balances(account: account, parts: tables, absentCodes: absent))
    }
    // One whose `auth` cannot be read is signed, too.
    let isOpen = tables.allSatisfy { part in
      !part.isPrivate && !part.table.isSigned && !part.table.lookups.contains(where: \.isSigned)
    }
    if kind != .walletStatus, !tables.isEmpty, isOpen {
      report(.openWithAccount(kind.rawValue, at: nearest))
    }
  }

  /// Returns a block with everything it inherits: from its `auth` if it is signed, then from the exchange; and the names
  /// of coins from the spot market, whose coins an account holds: those of futures are of contracts.
  private mutating func block(_ kind: AccountBlock, _ levels: [ConfigNode], _ scope: inout AccountScope) -> Block? {
    let source = scope.source
    guard let first = levels.first else { return nil }
    var own = Block(first)
    for level in levels.dropFirst() { source.overlay(level, on: &own) }
    var around = source.block(to: []).keeping([.baseUrls, .headers, .limit, .success, .aliases, .multiplier])
    let unnamed = BlockKey.allCases.filter { ![.aliases, .multiplier].contains($0) }
    for level in source.level(["markets", "spot"]) { source.overlay(level, on: &around, ignoring: unnamed) }
    let authNode = own[.auth] ?? source.value("auth", of: [])
    let isSigned = own[.signed].flatMap { readBoolean($0) } ?? kind.isSigned
    let signsLookups = own.members(of: .lookups).contains { $0.value["signed"]?.json.boolean == true }
    var block = around
    if let authNode, isSigned || signsLookups, authNode.json.kind == .object {
      // The other keys of `auth` are not block keys, or not for this block.
      let others = BlockKey.allCases.filter { ![.baseUrls, .limit, .success].contains($0) }
      source.overlay(authNode, on: &block, ignoring: others)
    }
    for level in levels { source.overlay(level, on: &block) }
    if isSigned, authNode == nil, let node = own[.signed] { report(.signedWithoutAuth(at: node)) }
    return block
  }

  private mutating func readPart(
    _ kind: AccountBlock, _ block: Block, batch: ConfigNode?, _ scope: inout AccountScope
  ) -> AccountSpec.Part? {
    let authNode = block[.auth] ?? scope.source.value("auth", of: [])
    let isSigned = block[.signed].flatMap { $0.json.boolean } ?? kind.isSigned
    allowsMultiValuePresence = kind == .permissions
    defer { allowsMultiValuePresence = false }
    let table = readTable(block, owner: scope.source.name, fields: kind.language.fields, batch: batch)
    let auth = authNode.flatMap { self.auth(at: $0, of: block, &scope) }
    guard var table else { return nil }
    if let asset = block[.asset] {
      let lookups = block.members(of: .lookups).map(\.name)
      guard let value = readValue(asset, as: .text, lookups: lookups) else { return nil }
      table.fields["asset"] = value
    } else if kind != .permissions {
      return rejected(.missingKey("asset", in: "'\(kind.rawValue)'", at: block.node))
    }
    if kind == .balances, !["free", "locked", "total"].contains(where: { table.fields[$0] != nil }) {
      report(.missingKeys("'free', 'locked' or 'total'", in: "these fields", at: block[.fields] ?? block.node))
    }
    let signed = isSigned || table.lookups.contains(where: \.isSigned)
    for lookup in table.lookups where lookup.isSigned && authNode == nil {
      report(.signedWithoutAuth(at: lookup.node))
    }
    table.isSigned = isSigned && authNode != nil
    if isSigned, let auth { checkBody(of: table.request, signedBy: auth) }
    return AccountSpec.Part(table: table, auth: signed ? auth : nil)
  }

  /// Reports additions to a body that could not be sent beside it, or would replace it.
  private mutating func checkBody(of request: RequestSpec, signedBy auth: AuthSpec) {
    if !auth.form.isEmpty, request.body != nil { report(.conflictingKeys(["auth.form", "body"], at: request.node)) }
    guard !auth.body.isEmpty else { return }
    if !request.form.isEmpty { report(.conflictingKeys(["auth.body", "form"], at: request.node)) }
    switch request.body {
    case nil, .object?: break
    case .some: report(.bodyWithoutMembers(at: request.node))
    }
  }

  private mutating func auth(at node: ConfigNode, of block: Block, _ scope: inout AccountScope) -> AuthSpec? {
    if let known = scope.auths[node.place] { return known }
    var auth = readAuth(node, constants: scope.constants)
    // Known answers only apply to the exchange they were written for.
    if !scope.source.owns(node.place) { auth?.vectors = [] }
    scope.auths[node.place] = auth
    if let auth {
      // Known answers contain the hosts of the file they are in, even if another one changes these.
      let around = block[.baseUrls]
      let hosts = around?.file === node.file ? around : scope.source.hosts(namedIn: node.file) ?? around
      let urls = auth.baseURLs.isEmpty ? hosts.map { readBaseURLs($0) } ?? [] : auth.baseURLs
      scope.spec.signers.append(AccountSpec.Signer(auth: auth, baseURLs: urls))
    }
    return auth
  }

  // MARK: Kind-specific keys

  private mutating func readWallets(_ part: AccountSpec.Part, _ block: Block) -> AccountSpec.Wallets? {
    let before = diagnostics.count
    let lookups = block.members(of: .lookups).map(\.name)
    rowIsNamed = true
    defer { rowIsNamed = false }
    for key in [BlockKey.deposit, .withdraw] where block[key] == nil {
      report(.missingKey(key.rawValue, in: "'walletStatus'", at: block.node))
    }
    let networks = block[.networks].flatMap { readPath($0, isSingleValue: false, placeholders: []) }
    let network = block[.network].flatMap { readValue($0, as: .text, lookups: lookups) }
    let deposit = block[.deposit].map { readStateConditions($0, lookups: lookups) } ?? []
    let withdraw = block[.withdraw].map { readStateConditions($0, lookups: lookups) } ?? []
    let message = block[.message].flatMap { readMessage($0, lookups: lookups) }
    let ttl = block[.ttl].flatMap { readMilliseconds($0, in: .keeping) } ?? 60_000
    guard !hasErrors(since: before) else { return nil }
    return AccountSpec.Wallets(
      part: part, networks: networks, network: network, deposit: deposit, withdraw: withdraw, message: message,
      timeToLiveSeconds: ttl / 1000)
  }

  /// Reads what must hold for a wallet to be open. Without a condition, nothing would ever say that it is closed.
  private mutating func readStateConditions(_ node: ConfigNode, lookups: [String]) -> [ConditionSpec] {
    if node.json.kind == .array, node.json.count == 0 { report(.wrongType("at least one condition", at: node)) }
    return readConditions(readElements(node) ?? [], lookups: lookups, as: .wallet)
  }

  /// Reads a value, or a list of values of which the first one present counts.
  private mutating func readMessage(_ node: ConfigNode, lookups: [String]) -> ValueSpec? {
    guard node.json.kind == .array else { return readValue(node, as: .text, lookups: lookups) }
    let values = (readElements(node) ?? []).compactMap { readValue($0, as: .text, lookups: lookups) }
    return values.isEmpty ? nil : ValueSpec(.first(values), node: node)
  }

  private mutating func readPermissions(_ part: AccountSpec.Part, _ block: Block) -> AccountSpec.Permissions? {
    let before = diagnostics.count
    let lookups = block.members(of: .lookups).map(\.name)
    allowsMultiValuePresence = true
    defer { allowsMultiValuePresence = false }
    func sign(_ node: ConfigNode) -> AccountSpec.Permissions.Sign? {
      guard node.json.kind == .string else {
        return readConditions([node], lookups: lookups).first.map { .condition($0) }
      }
      if block[.rights] == nil { report(.missingKey("rights", in: "'permissions', which a word needs", at: node)) }
      return readRegularExpression(node).map { .word($0) }
    }
    func lists(_ key: BlockKey) -> [[AccountSpec.Permissions.Sign]] {
      guard let node = block[key], let elements = readElements(node) else { return [] }
      return elements.map { element in
        let nodes = element.json.kind == .array ? readElements(element) ?? [] : [element]
        if nodes.isEmpty { report(.wrongType("at least one condition", at: element)) }
        return nodes.compactMap(sign)
      }
    }
    let trade = lists(.trade)
    let withdraw = lists(.withdraw)
    let rights = block[.rights].flatMap { readPath($0, isSingleValue: false, placeholders: []) }
    let neither = block[.neither].flatMap { readElements($0) }?.compactMap { readRegularExpression($0) } ?? []
    if let node = block[.rights] ?? block[.neither], (trade + withdraw).joined().allSatisfy({ $0.word == nil }) {
      report(.missingKeys("a word in 'trade' or 'withdraw'", in: "'permissions'", at: node))
    }
    let expires = block[.expires].flatMap { readTimeValue($0, lookups: lookups) }
    let addresses = block[.addresses].flatMap { readPath($0, isSingleValue: false, placeholders: []) }
    if trade.isEmpty, withdraw.isEmpty {
      report(.missingKeys("'trade' or 'withdraw'", in: "'permissions'", at: block.node))
    }
    guard !hasErrors(since: before) else { return nil }
    return AccountSpec.Permissions(
      part: part, trade: trade, withdraw: withdraw, rights: rights, neither: neither, expires: expires,
      addresses: addresses)
  }
}

extension ExchangeSource {
  /// Returns the `baseUrls` that the exchange itself has in one file.
  fileprivate func hosts(namedIn file: ConfigFile) -> ConfigNode? {
    own.filter { $0.file === file }.nearest(BlockKey.baseUrls.rawValue)
  }

  /// Returns the blocks of a kind, each with its levels, lowest precedence first; for balances, one per account.
  fileprivate func accountBlocks(_ kind: AccountBlock) -> [NamedLevels] {
    let nodes = (base + own).compactMap { $0[kind.rawValue] }
    guard kind == .balances else {
      let levels = nodes.reduce(into: [ConfigNode]()) { if $1.json.isNull { $0 = [] } else { $0.append($1) } }
      return levels.isEmpty ? [] : [("", levels)]
    }
    var result: [NamedLevels] = []
    for node in nodes {
      if node.json.isNull { result = [] }
      for member in node.members where member.name != "$comment" { result.put(member) }
    }
    return result
  }
}
