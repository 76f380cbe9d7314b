package import HTTP
import JSON
import Quotes

package struct TableSpec: Sendable {
  /// The name of the exchange or rate provider.
  package let owner: String
  /// The constants of a `forEach` part, in source order; messages use them to name the part.
  package var set: [(name: String, value: String)] = []

  package var baseURLs: [String] = []
  package var headers: [(name: String, value: Template)] = []
  package var limit: RateLimit?
  package var request: RequestSpec
  /// Whether the request is signed with the `auth` of its block; only for accounts.
  package var isSigned = false
  package var batch: BatchSpec?
  /// The maximum number of levels, trades or candles in one response: one number, or the ascending ones that the
  /// exchange allows; empty if unknown.
  package var counts: [Int] = []
  package var success = SuccessSpec()
  package var rows: RowsSpec
  package var conditions: [ConditionSpec] = []
  package var symbol: SymbolSpec
  package var fields: [String: ValueSpec] = [:]
  package var lookups: [LookupSpec] = []
  package var aliases: [(from: String, to: String)] = []
  package var multipliers: [Multiplier] = []
  package var paymentCurrencies: [PaymentGroup] = []
  /// The maximum age of a quote; nil uses the setting.
  package var staleAfterMilliseconds: Int?
  package var hook: String?
  /// Whether the part may have no pairs now, so that an answer without rows is no failure.
  package var isOptional = false
  package var verified: String?
  package var note: String?
  /// The page on the exchange's site where its pairs are traded; nil if not configured or not read.
  package var page: PageSpec?
  /// Whether every level that this table is made of ships with the program.
  package var isShipped = false
  /// The node of the nearest block.
  package let node: ConfigNode
  /// The merged text, for checks that need to know where something was written.
  package var block: Block?

  /// Returns whether this part can hold a pair with that payment currency, spelled the exchange's way or the usual one.
  /// A part without a list can hold any.
  package func canHold(payment: String, globalAliases: [String: String]) -> Bool {
    paymentCurrencies.isEmpty || paymentGroup(of: payment, globalAliases: globalAliases) != nil
  }

  /// Returns the group of a payment currency, spelled the exchange's way or the usual one; nil if none has it.
  package func paymentGroup(of payment: String, globalAliases: [String: String]) -> PaymentGroup? {
    paymentCurrencies.first { group in
      group.currencies.contains { isSpelling($0, of: payment, globalAliases: globalAliases) }
    }
  }

  /// Returns whether the exchange's name of a currency stands for a payment currency.
  private func isSpelling(_ currency: String, of payment: String, globalAliases: [String: String]) -> Bool {
    let own = aliases.first { $0.from == currency }?.to ?? currency.uppercased()
    return currency.uppercased() == payment || (globalAliases[own] ?? own) == payment
  }

  /// The constant that names the group of futures that the part is about: `product`, or else the first of its `set`.
  package var productConstant: (name: String, value: String)? {
    self.set.first { $0.name == "product" } ?? self.set.first
  }

  /// The group of futures that the part is about; nil if the market has only one.
  package var product: String? { productConstant?.value }

  /// Returns the groups of futures that rows with a payment currency may be of, in the order of the rules that split
  /// their symbols; nil stands for rows of no group. A rule that takes the currency from the row may find any.
  package func products(of payment: String, globalAliases: [String: String]) -> [String?] {
    let own = product ?? paymentGroup(of: payment, globalAliases: globalAliases)?.name
    guard case .rules(_, let rules) = symbol else { return [own] }
    let fitting = rules.filter { rule in
      guard case .constant(let name)? = rule.payment?.origin else { return !rule.skip }
      return !rule.skip && isSpelling(name, of: payment, globalAliases: globalAliases)
    }
    return fitting.map { $0.product ?? own }.unique
  }

  /// Every value that is read, including those that others are made of.
  package var values: [ValueSpec] {
    var values = Array(fields.values) + conditions.map(\.value)
    values += (success.conditions + success.signConditions).map(\.value)
    values += [success.code].compactMap(\.self)
    values += symbol.values
    for lookup in lookups { values += [lookup.key, lookup.match] + lookup.conditions.map(\.value) }
    return values.flatMap(\.withParts)
  }

  /// Whether a request or a lookup's match uses the pair's name from the table of all pairs.
  package var namesSymbol: Bool { request.placeholders.contains(.pair(.symbol)) || looksForSymbol }

  /// Whether a lookup uses the pair's name from the table of all pairs, at least if a row does not name the pair.
  package var looksForSymbol: Bool {
    lookups.flatMap(\.match.withParts).flatMap(\.templates).contains(where: \.namesSymbol)
  }

  /// What is missing of the pair's name, its asset or its payment currency, if it is named neither in a row nor in the request nor in
  /// a path; nil if nothing is.
  package var missingName: Template.PairPart? { missingName(besides: []) }

  /// - Parameter others: values that are read besides the table's own.
  func missingName(besides others: [ValueSpec]) -> Template.PairPart? {
    guard case .request = symbol, hook == nil else { return nil }
    let templates =
      request.templates + headers.map(\.value) + (values + others.flatMap(\.withParts)).flatMap(\.templates)
    let placeholders = Set(templates.flatMap(\.placeholders))
    if !placeholders.isDisjoint(with: [.pair(.symbol), .keys]) { return nil }
    let namesAsset = placeholders.contains(.pair(.asset))
    let payments = Set(paymentCurrencies.flatMap(\.currencies))
    if namesAsset, placeholders.contains(.pair(.payment)) || payments.count == 1 { return nil }
    // Doubled braces have their own finding.
    if request.node.json.text.contains("{{") { return nil }
    return namesAsset ? .payment : .asset
  }
}

/// The allowed `fields` of a table, and what else differs between tables of one kind and another.
package struct FieldVocabulary: Sendable {
  var names: [String] = []
  /// The fields that a row must have, as far as the language requires any.
  package fileprivate(set) var required: [String] = []
  /// Whether rows do not name pairs: each belongs to the requested pair, or to none.
  fileprivate var isSinglePair = true
  /// Whether the block as a whole has no rows: a book has two sides, and a key is a single thing.
  fileprivate var hasNoRows = false
  /// Whether it is that of the prices of pairs.
  fileprivate var isOfTickers = false
  /// Whether its lookups may be signed.
  fileprivate var isOfAccount = false
  /// The names that requests may use besides the pair and constants.
  private(set) var requestNames = ["keys"]
  /// Whether each key of a batch may be a parameter of its own; what is signed has all keys in one text.
  fileprivate var isBatched: Bool { !isOfAccount && requestNames.contains("keys") }
  /// The bases that a field may use.
  fileprivate var bases: [String: [String]] = [:]

  package static let ticker = FieldVocabulary(
    names: ObjectShape.fields.names, isSinglePair: false, isOfTickers: true,
    bases: [
      "changePricePercent24": ChangeBasis.allCases.map(\.rawValue), "high": ChangeBasis.allCases.map(\.rawValue),
      "low": ChangeBasis.allCases.map(\.rawValue), "price": PriceBasis.allCases.map(\.rawValue),
      "time": TimeBasis.allCases.map(\.rawValue),
    ])
  package static let rate = FieldVocabulary(names: ObjectShape.rateFields.names, isSinglePair: false)
  /// A book level has no fields: its price and size are keys of the block.
  static let orderbook = FieldVocabulary(hasNoRows: true, requestNames: ["count", "symbol"])
  static let trade = FieldVocabulary(
    names: ObjectShape.tradeFields.names, required: ["price", "time"],
    requestNames: ["count", "symbol"])
  static let candle = FieldVocabulary(
    names: ObjectShape.candleFields.names, required: ["time", "open", "high", "low", "close"],
    requestNames: [
      "count", "symbol", "interval", "from.s", "from.ms", "from:FORMAT", "to.s", "to.ms", "to:FORMAT",
    ],
    bases: ["time": CandleTimeBasis.allCases.map(\.rawValue)])
  /// The name of an asset.
  static let name = FieldVocabulary(names: ObjectShape.assetNameFields.names, isSinglePair: false, requestNames: [])
  static let balance = FieldVocabulary(names: ObjectShape.balanceFields.names, isOfAccount: true)
  static let wallet = FieldVocabulary(isOfAccount: true)
  static let permission = FieldVocabulary(hasNoRows: true, isOfAccount: true)

  fileprivate func use(of name: String) -> SpecReader.ValueUse {
    switch name {
    case "time": .time
    case "date", "provider", "id", "korean", "english": .text
    case "side": .side
    default: .number
    }
  }
}

extension SpecReader {
  /// Reads the merged levels of a table into a typed description.
  ///
  /// - Parameter batch: the `batch` of the tickers block, if there is one.
  /// - Returns: nil after reporting what is missing or wrong.
  mutating func readTable(
    _ block: Block, owner: String, fields vocabulary: FieldVocabulary, batch: ConfigNode? = nil
  ) -> TableSpec? {
    let before = diagnostics.count
    for value in block.valuesWithoutMembers { report(.wrongType("an object", at: value)) }
    let set = readSet(block.members(of: .set))
    let names = vocabulary.requestNames + set.map(\.name)
    let lookups = bounded(block.members(of: .lookups))
    let lookupNames = lookups.map(\.name)
    func lacking<Value>(_ key: BlockKey) -> Value? { rejected(.tableLacks([key.rawValue], at: block.node.place)) }
    let isBatched = vocabulary.isBatched
    let request = block[.request].map { readRequest($0, names: names, isBatched: isBatched) } ?? lacking(.request)
    let rows = block[.rows].map { readRows($0) } ?? (vocabulary.hasNoRows ? .zip([]) : lacking(.rows))
    let paymentCurrencies = block[.paymentCurrencies].map { readPaymentCurrencies($0) } ?? []
    let hasPayments = paymentCurrencies.contains { !$0.currencies.isEmpty }
    let symbol: SymbolSpec? =
      vocabulary.isSinglePair
      ? .request
      : block[.symbol].map { readSymbol($0, lookups: lookupNames, hasPaymentCurrencies: hasPayments) }
        ?? lacking(.symbol)
    // If any of these is broken, the rest is still read, so that one run reports everything that is wrong.
    let isWhole = request != nil && rows != nil && symbol != nil
    var table = TableSpec(
      owner: owner, request: request ?? .placeholder(at: block.node), rows: rows ?? .zip([]),
      symbol: symbol ?? .request, node: block.node)
    table.block = block
    table.set = set
    table.isShipped = block.isShipped
    table.paymentCurrencies = paymentCurrencies
    table.baseURLs = block[.baseUrls].map { readBaseURLs($0) } ?? lacking(.baseUrls) ?? []
    table.headers = readHeaders(block.members(of: .headers))
    table.limit = block[.limit].flatMap { readLimit($0) }
    table.success = block[.success].map { readSharedSuccess($0) } ?? SuccessSpec()
    table.conditions = block[.where].map { readConditions($0, lookups: lookupNames, as: .row) } ?? []
    table.counts = block[.count].flatMap { readCount($0) } ?? []
    table.fields = readFields(block.members(of: .fields), vocabulary, lookups: lookupNames)
    let absent = vocabulary.required.filter { name in !block.members(of: .fields).contains { $0.name == name } }
    if !absent.isEmpty, block[.fields].map({ $0.json.kind == .object }) ?? true {
      report(.fieldsLack(absent, at: block[.fields]?.place ?? block.node.place))
    }
    table.lookups = readLookups(lookups, of: table, vocabulary, batch)
    for condition in table.conditions { refuseTemplates(in: condition.value, of: "'where'") }
    for value in table.symbol.values { refuseTemplates(in: value, of: "'symbol'") }
    table.aliases = readAliases(block.members(of: .aliases))
    table.multipliers = readMultipliers(block.members(of: .multiplier))
    table.staleAfterMilliseconds = block[.staleAfter].flatMap { readMilliseconds($0, in: .age) }
    table.hook = block[.hook].flatMap { readHook($0) }
    table.verified = block.verified.flatMap { readText($0) }
    table.note = block[.note].flatMap { readText($0) }
    table.batch = batch.flatMap { readBatch($0, lookups: lookupNames) }
    if let request { checkNames(of: request, table, batch, at: block.node) }
    guard isWhole, !hasErrors(since: before) else { return nil }
    // Every pair would have the price of the same one.
    if vocabulary.isOfTickers, let missing = table.missingName {
      report(.unnamedPair(lacking: missing, at: table.request.node))
    }
    return hasErrors(since: before) ? nil : table
  }

  private mutating func readLookups(
    _ members: [ConfigMember], of table: TableSpec, _ vocabulary: FieldVocabulary, _ batch: ConfigNode?
  ) -> [LookupSpec] {
    let names = members.map(\.name)
    let decisive = Set(table.conditions.flatMap(\.value.lookupNames) + [batch?["of"]?.json.string].compactMap(\.self))
    let lookups = members.compactMap {
      readLookup($0, of: table, lookups: names, isDecisive: decisive.contains($0.name))
    }
    checkOrder(of: lookups)
    for lookup in lookups where lookup.isSigned && !vocabulary.isOfAccount {
      report(.signedWithoutAuth(at: lookup.node["signed"] ?? lookup.node))
    }
    return lookups
  }

  /// Reads the constants of a `set`.
  mutating func readSet(_ members: [ConfigMember]) -> [(name: String, value: String)] {
    members.compactMap { member in
      guard let text = member.value.json.scalarText else {
        return rejected(.wrongType("a string or a number", at: member.value))
      }
      return (member.name, text)
    }
  }

  mutating func readFields(
    _ members: [ConfigMember], _ vocabulary: FieldVocabulary, lookups: [String]
  ) -> [String: ValueSpec] {
    var fields: [String: ValueSpec] = [:]
    for member in members {
      guard vocabulary.names.contains(member.name) else {
        report(.unknownKey(member.name, among: vocabulary.names, at: member.key))
        continue
      }
      let isChange = member.name == TickerField.changePricePercent24.rawValue
      let use = vocabulary.use(of: member.name)
      let value = readSharedValue(member.value, lookups: lookups) { reader in
        reader.readValue(member.value, as: use, extraKeys: isChange ? ["fromOpen"] : [], lookups: lookups)
      }
      guard let value else { continue }
      checkBases(of: value, allowed: vocabulary.bases[member.name] ?? [])
      if isChange, value.basis == nil { report(.changeWithoutBasis(at: member.value)) }
      checkUse(of: value, as: use, at: member.value)
      fields[member.name] = value
    }
    return fields
  }

  /// Reads a time from the whole response.
  mutating func readTimeValue(_ node: ConfigNode, lookups: [String]) -> ValueSpec? {
    let value = readValue(node, as: .time, lookups: lookups)
    if let value { checkUse(of: value, as: .time, at: node) }
    return value
  }

  /// Reports details of a time or a side that a path alone does not give.
  private mutating func checkUse(of value: ValueSpec, as use: ValueUse, at node: ConfigNode) {
    guard node.json.kind != .object else { return }
    if use == .time, value.time == nil { report(.timeWithoutUnit(at: node)) }
    if use == .side, value.side == nil { report(.sideWithoutWords(at: node)) }
  }

  private mutating func checkBases(of value: ValueSpec, allowed: [String]) {
    if let basis = value.basis, !allowed.contains(basis),
      let member = value.node.members.last(where: { $0.name == "basis" })
    {
      report(
        allowed.isEmpty
          ? .unknownKey("basis", among: [], at: member.key) : .unknownValue(allowed, found: basis, at: member.value))
    }
    for part in value.parts { checkBases(of: part, allowed: allowed) }
  }

  mutating func readAliases(_ members: [ConfigMember]) -> [(from: String, to: String)] {
    members.compactMap { member in readText(member.value).map { (member.name, $0) } }
  }

  mutating func readPaymentCurrencies(_ node: ConfigNode) -> [PaymentGroup] {
    (readMembers(node) ?? []).compactMap { member in
      if member.value.json.kind == .array {
        return readTexts(member.value).map { PaymentGroup(name: member.name, currencies: $0) }
      }
      guard checkKeys(member.value, .paymentGroup) else { return nil }
      guard let currencies = required("currencies", of: member.value, in: "this group") else { return nil }
      let group = PaymentGroup(name: member.name, currencies: readTexts(currencies) ?? [])
      // The category and the note are for readers of the config.
      _ = member.value["category"].flatMap { readCase($0, as: PaymentGroup.Category.self) }
      _ = member.value["note"].flatMap { readText($0) }
      return group
    }
  }

  /// Checks that what fills in `{count}` and `{keys}` is there, and `{keys}` where something fills it in.
  private mutating func checkNames(
    of request: RequestSpec, _ table: TableSpec, _ batch: ConfigNode?, at node: ConfigNode
  ) {
    let placeholders = request.placeholders
    if table.counts.isEmpty, placeholders.contains(.count) {
      report(.missingKey("count", in: "this block, whose request names {count}", at: node))
    }
    if batch == nil, placeholders.contains(.keys), !table.set.contains(where: { $0.name == "keys" }) {
      report(.missingKey("batch", in: "this block, whose request names {keys}", at: node))
    }
    if let batch, table.batch != nil, !placeholders.contains(.keys) { report(.batchWithoutKeys(at: batch)) }
  }

  mutating func readBatch(_ node: ConfigNode, lookups: [String]) -> BatchSpec? {
    guard checkKeys(node, .batch) else { return nil }
    guard let of = required("of", of: node, in: "'batch'"), let lookup = readText(of) else { return nil }
    guard lookups.contains(lookup) else { return rejected(.unknownSource(lookup, lookups: lookups, at: of)) }
    let maximum = node["max"].map { readInteger($0, in: IntegerRange.batch) } ?? 200
    let separator = node["join"].map { readText($0) } ?? ","
    guard let maximum, let separator else { return nil }
    return BatchSpec(lookup: lookup, maximum: maximum, separator: separator)
  }

  /// Reads the block keys of one level on their own, without other levels; only its reports matter.
  package mutating func readAlone(
    _ level: ConfigNode, lookups names: [String], constants: [String], _ vocabulary: FieldVocabulary
  ) {
    for member in level.members where !member.value.json.isNull {
      let (node, lookups) = (member.value, names)
      let members = node.json.kind == .object ? node.members.filter { !$0.value.json.isNull } : []
      switch BlockKey(rawValue: member.name) {
      case .baseUrls: _ = readBaseURLs(node)
      case .headers: _ = readHeaders(members)
      case .limit: _ = readLimit(node)
      case .success: _ = readSuccess(node)
      case .request:
        _ = readRequest(node, names: vocabulary.requestNames + constants, isBatched: vocabulary.isBatched)
      case .rows: _ = readRows(node)
      case .where: _ = readConditions(node, lookups: lookups, as: .row)
      case .symbol: _ = readSymbol(node, lookups: lookups, hasPaymentCurrencies: true)
      case .fields: _ = readFields(members, vocabulary, lookups: lookups)
      case .lookups:
        var table = TableSpec(owner: "", request: .placeholder(at: node), rows: .zip([]), symbol: .request, node: node)
        table.set = constants.map { ($0, "") }
        for lookup in bounded(members) { _ = readLookup(lookup, of: table, lookups: lookups) }
      case .aliases: _ = readAliases(members)
      case .multiplier: _ = readMultipliers(members)
      case .paymentCurrencies: _ = readPaymentCurrencies(node)
      case .staleAfter: _ = readMilliseconds(node, in: .age)
      case .hook: _ = readHook(node)
      case .verified, .note: _ = readText(node)
      case .count: _ = readCount(node)
      case .set, .intervals, .zone, .bids, .asks, .price, .size, .time, .sequence, .asset, .networks, .network,
        .deposit, .withdraw, .message, .ttl, .trade, .expires, .addresses, .rights, .neither, .signed, .auth, nil:
        break
      }
    }
  }
}

extension TableSpec {
  /// The secrets in its requests and those of its lookups, some perhaps several times.
  package var secretNames: [String] {
    let requests = [request] + lookups.compactMap(\.request)
    let templates = requests.flatMap(\.templates) + (headers + lookups.flatMap(\.headers)).map(\.value)
    return templates.flatMap(\.secretNames)
  }
}
