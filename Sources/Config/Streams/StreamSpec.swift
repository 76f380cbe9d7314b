import JSON
package import Quotes

/// One channel of one part of a market: its subscription and how its messages are read.
///
/// A class, like ``BookSpec``: whatever holds one would otherwise be compiled with the code to copy a hundred parts.
package final class StreamSpec: Sendable {
  /// The way a message names its pair.
  package enum Symbol: Sendable {
    /// The pair as `{symbol}` spells it, ignoring case.
    case spelled(ValueSpec)
    /// A rule that splits it, as in a table: see ``TableSpec/symbol``.
    case rules
  }

  /// The way an order book is read, both snapshots and changes.
  package struct Book: Sendable {
    package let whole: BookSpec
    /// nil if changes are written like the whole.
    package let changes: BookSpec?
    /// The time of the book, of a whole one and of a change; nil if the exchange does not send one.
    package let time: ValueSpec?
    package let sequence: ValueSpec?
    /// The `sequence` of the preceding message.
    package let previous: ValueSpec?
    /// The number of levels kept per side; nil means all.
    package let keptLevels: Int?
    /// Whether bids may reach asks for a moment, as where no one place matches orders.
    package let mayCross: Bool
  }

  /// A lookup built from messages of the connection.
  package struct MessageLookup: Sendable {
    package let lookup: LookupSpec
    /// The conditions that its messages meet.
    package let conditions: [ConditionSpec]
  }

  /// An interval with candles, the exchange's word for it, and the offset of the zone whose midnight starts a day, in
  /// seconds east of UTC.
  package typealias Interval = (interval: CandleInterval, word: IntervalWord, zoneSeconds: Int)

  package let channel: StreamChannel
  package let connection: ConnectionSpec
  /// The messages that subscribe; empty if the address says all.
  package let subscribe: [MessageSpec]
  /// The texts in messages that hold JSON, in the order in which it takes their place.
  package let unwrap: [UnwrapSpec]
  package let conditions: [ConditionSpec]
  /// The conditions for messages that are complete by themselves; nil if all are.
  package let whole: [ConditionSpec]?
  /// How the rows of a message are read; it has no request.
  package let table: TableSpec
  package let symbol: Symbol
  package let messageLookups: [MessageLookup]
  package let book: Book?
  /// A number that rises, by which rows of one time are ordered; nil if there is none. A book has its own.
  package let sequence: ValueSpec?
  /// Whether the ids of a pair's trades rise by one.
  package let hasConsecutiveIDs: Bool
  package let intervals: [Interval]
  package let verified: String?
  package let note: String?
  package let node: ConfigNode

  init(
    channel: StreamChannel, connection: ConnectionSpec, subscribe: [MessageSpec], unwrap: [UnwrapSpec],
    conditions: [ConditionSpec], whole: [ConditionSpec]?, table: TableSpec, symbol: Symbol,
    messageLookups: [MessageLookup], book: Book?, sequence: ValueSpec?, hasConsecutiveIDs: Bool, intervals: [Interval],
    verified: String?, note: String?, node: ConfigNode
  ) {
    self.channel = channel
    self.connection = connection
    self.subscribe = subscribe
    self.unwrap = unwrap
    self.conditions = conditions
    self.whole = whole
    self.table = table
    self.symbol = symbol
    self.messageLookups = messageLookups
    self.book = book
    self.sequence = sequence
    self.hasConsecutiveIDs = hasConsecutiveIDs
    self.intervals = intervals
    self.verified = verified
    self.note = note
    self.node = node
  }

  package func zoneSeconds(of interval: CandleInterval) -> Int {
    intervals.first { $0.interval == interval }?.zoneSeconds ?? 0
  }

  /// Whether its connections are about named pairs, by what is sent or by the address.
  package var namesPair: Bool { connection.namesPair || subscribe.contains(where: \.namesPair) }

  /// Returns the number of pairs per message.
  package func pairs(in message: MessageSpec) -> Int { message.isRepeated ? connection.maximumBatch ?? .max : 1 }
}

/// The streams of one part of a market, by channel.
package typealias StreamPart = [StreamChannel: StreamSpec]

extension SpecReader {
  /// Checks the keys of `streams` on every level, including those that nearer levels replace.
  mutating func checkStreams(_ levels: [ConfigNode]) {
    for streams in levels.compactMap({ $0["streams"] }) where !streams.json.isNull {
      guard checkKeys(streams, .streams) else { continue }
      for channel in StreamChannel.allCases {
        guard let own = streams[channel.rawValue], !own.json.isNull, checkKeys(own, channel.shape) else { continue }
        if let changes = own["changes"], !changes.json.isNull { _ = checkKeys(changes, .bookChanges) }
      }
    }
  }

  /// Reads the streams of one part of a market.
  ///
  /// - Parameters:
  ///   - around: the table's levels, from the exchange down to the part.
  ///   - candles: the part's candles block for REST.
  mutating func readStreams(
    of source: ExchangeSource, at path: [String], part: ConfigNode?, around: Block, candles: Block?
  ) -> StreamPart {
    let streams = source.streams(market: path, part: part)
    guard !streams.isEmpty else { return [:] }
    let market = source.level(path)
    let hasOthers = source.level(["markets"]).contains { $0.json.count > 1 }
    return StreamChannel.allCases.reduce(into: [:]) { result, channel in
      guard var levels = StreamLevels(channel, streams) else { return }
      if hasOthers, !market.contains(where: { $0.contains(levels.node) }) {
        levels.market = path.joined(separator: ".")
      }
      result[channel] = readStream(channel, levels, source.name, around, candles)
    }
  }

  private mutating func readStream(
    _ channel: StreamChannel, _ levels: StreamLevels, _ owner: String, _ around: Block, _ candles: Block?
  ) -> StreamSpec? {
    // An inheriting exchange only has the streams for which it names its own hosts.
    guard levels["urls"] != nil || !levels.isInherited else { return nil }
    let before = diagnostics.count
    var table = readTableOfStream(channel, levels, owner, around)
    let pairNames =
      [Template.PairPart.symbol, .asset, .payment].map(\.rawValue) + (channel == .candles ? ["interval"] : [])
    let connection = readConnection(levels, table.asked, constants: table.asked.set, pairNames: pairNames)
    checkAddresses(of: connection, channel)
    let intervals = channel == .candles ? readIntervals(levels, candles) : []
    let subscribe = readSubscriptions(levels, channel, connection, known: connection.names + pairNames)
    let unwrap = levels["unwrap"].map { readUnwrapping($0) } ?? []
    let conditions = readMessageConditions(levels["when"])
    let whole = levels["whole"].map { readMessageConditions($0) }
    let symbol = readSymbolOfStream(levels, around, &table.rows)
    let book = channel == .orderbook ? readBookOfStream(levels, table.rows) : nil
    checkChanges(levels, hasWhole: whole != nil)
    let hasConsecutiveIDs = levels["consecutive"].flatMap { readBoolean($0) } ?? false
    if hasConsecutiveIDs, table.rows.fields["id"] == nil {
      report(levels.lacks("id", in: "the fields, though the ids are 'consecutive'"))
    }
    let sequence = channel.feedsRows ? levels["sequence"] : nil
    // One beside the channels may be the book's.
    if let sequence, levels.node.contains(sequence), table.rows.fields["time"] == nil {
      report(.missingKey("time", in: "the fields, though 'sequence' orders rows of one time", at: sequence))
    }
    let names = table.rows.lookups.map(\.name)
    guard let subscribe, let symbol, channel != .orderbook || book != nil, !hasErrors(since: before) else { return nil }
    return StreamSpec(
      channel: channel, connection: connection, subscribe: subscribe, unwrap: unwrap, conditions: conditions,
      whole: whole, table: table.rows, symbol: symbol, messageLookups: table.messageLookups, book: book,
      sequence: sequence.flatMap { readValue($0, as: .text, lookups: names) }, hasConsecutiveIDs: hasConsecutiveIDs,
      intervals: intervals,
      verified: levels["verified"].flatMap { readText($0) },
      note: levels["note"].flatMap { readText($0) }, node: levels.node)
  }

  // MARK: Rows

  private struct StreamTable {
    /// The market's REST request settings.
    var asked: TableSpec
    var rows: TableSpec
    var messageLookups: [StreamSpec.MessageLookup]
  }

  private mutating func readTableOfStream(
    _ channel: StreamChannel, _ levels: StreamLevels, _ owner: String, _ around: Block
  ) -> StreamTable {
    var asked = TableSpec(
      owner: owner, request: .placeholder(at: levels.node), rows: .zip([]), symbol: .request, node: levels.node)
    asked.set = around.members(of: .set).compactMap { member in member.value.json.scalarText.map { (member.name, $0) } }
    asked.baseURLs = around[.baseUrls].map { readBaseURLs($0) } ?? []
    asked.headers = readHeaders(around.members(of: .headers))
    asked.limit = around[.limit].flatMap { readLimit($0) }
    asked.success = around[.success].map { readSharedSuccess($0) } ?? SuccessSpec()
    asked.isShipped = around.isShipped
    var table = asked
    table.success = SuccessSpec()
    table.block = levels.overlaid(on: around, [.aliases, .multiplier])
    table.aliases = readAliases(levels.members(of: "aliases", over: around.members(of: .aliases)))
    table.multipliers = readMultipliers(levels.members(of: "multiplier", over: around.members(of: .multiplier)))
    table.paymentCurrencies = around[.paymentCurrencies].map { readPaymentCurrencies($0) } ?? []
    let rows = levels["rows"] ?? (channel.feedsRows ? around[.rows] : nil)
    table.rows = rows.flatMap { readRows($0) } ?? wholeMessage(at: levels.node) ?? .zip([])
    let (lookups, messageLookups, removed) = readLookupsOfStream(levels, around, asked)
    table.lookups = lookups + messageLookups.map(\.lookup)
    let names = table.lookups.map(\.name)
    if channel != .orderbook {
      let base = channel == .ticker || channel == .tickers ? around.members(of: .fields) : []
      var fields = levels.members(of: "fields", over: base)
      // A field that reads a response the stream does not have cannot come from the stream.
      fields.removeAll { field in
        Self.lookupNames(in: field.value).contains { removed.contains($0) }
      }
      let known = channel == .offers ? ["bid", "ask", "time"] : channel.fields.names
      for field in fields where !known.contains(field.name) {
        report(.unknownKey(field.name, among: known, at: field.key))
      }
      table.fields = readFields(fields.filter { known.contains($0.name) }, channel.fields, lookups: names)
      if channel.feedsRows {
        table.conditions = levels["where"].map { readConditions($0, lookups: names, as: .row) } ?? []
      }
      if channel.isPolledWithTable { checkPrice(fields, besides: around, at: levels) }
      let lacking = channel.requiredFields.filter { name in !fields.contains { $0.name == name } }
      if let node = levels["fields"], node.json.kind != .object {
        report(.wrongType("an object", at: node))
      } else if !lacking.isEmpty {
        report(levels.named(.fieldsLack(lacking, at: levels["fields"]?.place ?? levels.node.place)))
      }
    }
    return StreamTable(asked: asked, rows: table, messageLookups: messageLookups)
  }

  /// Rejects a channel of rows without the table's price, which would be taken for one of now beside each new bid.
  private mutating func checkPrice(_ fields: [ConfigMember], besides table: Block, at levels: StreamLevels) {
    let price = TickerField.price.rawValue
    func hasPrice(_ fields: [ConfigMember]) -> Bool { fields.contains { $0.name == price } }
    guard hasPrice(table.members(of: .fields)), !hasPrice(fields) else { return }
    report(.streamWithoutPrice(at: levels.layers(of: "fields").last { $0.name == price }?.value ?? levels.node))
  }

  /// Returns `$`: without `rows`, a message is its own row.
  private mutating func wholeMessage(at node: ConfigNode) -> RowsSpec? {
    PathSpec.root(at: node).map { .path($0) }
  }

  /// Returns the names after every `from` in a value, of lookups and others.
  private static func lookupNames(in node: ConfigNode) -> Set<String> {
    var names = Set(node["from"]?.json.string.map { [$0] } ?? [])
    for part in node.elements + node.members.map(\.value) { names.formUnion(lookupNames(in: part)) }
    return names
  }

  private mutating func readLookupsOfStream(
    _ levels: StreamLevels, _ around: Block, _ asked: TableSpec
  ) -> (lookups: [LookupSpec], ofMessages: [StreamSpec.MessageLookup], removed: Set<String>) {
    let base = around.members(of: .lookups)
    let layers = levels.layers(of: "lookups")
    var removed: Set<String> = []
    for layer in layers {
      if layer.value.json.isNull { removed.insert(layer.name) } else { removed.remove(layer.name) }
    }
    let ofMessages = layers.filter { $0.value["when"] != nil && !removed.contains($0.name) }
    let names = base.map(\.name) + ofMessages.map(\.name)
    var lookups: [LookupSpec] = []
    for member in base where !removed.contains(member.name) {
      guard var lookup = readLookup(member, of: asked, lookups: names) else { continue }
      for layer in layers where layer.name == member.name && !layer.value.json.isNull {
        merge(layer.value, into: &lookup, names: names, constants: asked.set.map(\.name))
      }
      // A lookup requested with every table would be older than any message, and a message is not the table's own
      // response.
      if lookup.timeToLiveSeconds == 0 || lookup.request == nil {
        removed.insert(member.name)
      } else {
        lookups.append(lookup)
      }
    }
    for layer in layers where !names.contains(layer.name) && !layer.value.json.isNull {
      report(.unknownLookupOfStream(layer.name, at: layer.value))
    }
    return (lookups, ofMessages.compactMap { readMessageLookup($0) }, removed)
  }

  /// Merges the members of a lookup into that of the table.
  private mutating func merge(_ node: ConfigNode, into lookup: inout LookupSpec, names: [String], constants: [String]) {
    guard checkKeys(node, .lookup) else { return }
    let own = Template.PairPart.names + constants
    if let match = node["match"].flatMap({ readMatch($0, names: own, lookups: names.filter { $0 != lookup.name }) }) {
      lookup.match = match
    }
    if let rows = node["rows"].flatMap({ readRows($0) }) { lookup.rows = rows }
    if let key = node["key"].flatMap({ readValue($0, as: .text, lookups: []) }) { lookup.key = key }
    if let conditions = node["where"].map({ readConditions($0) }) { lookup.conditions = conditions }
  }

  private mutating func readMessageLookup(_ member: ConfigMember) -> StreamSpec.MessageLookup? {
    let node = member.value
    guard checkKeys(node, .messageLookup) else { return nil }
    if let request = node["request"] { return rejected(.conflictingKeys(["when", "request"], at: request)) }
    guard let keyNode = required("key", of: node, in: "the lookup '\(member.name)'") else { return nil }
    let rows = node["rows"].map { readRows($0) } ?? wholeMessage(at: node)
    guard let rows, let key = readValue(keyNode, as: .text, lookups: []) else { return nil }
    let match = node["match"].map { readMatch($0, names: Template.PairPart.names, lookups: []) } ?? key
    guard let match else { return nil }
    let lookup = LookupSpec(
      name: member.name, request: nil, baseURLs: [], headers: [], success: SuccessSpec(), rows: rows, conditions: [],
      key: key, match: match, timeToLiveSeconds: 0, hook: nil, isOfMessages: true, node: node)
    return StreamSpec.MessageLookup(lookup: lookup, conditions: readMessageConditions(node["when"]))
  }

  // MARK: Symbols

  /// Reads the symbol: a plain value is the pair as the table spells it, an object with any key of a rule is such a
  /// rule.
  private mutating func readSymbolOfStream(
    _ levels: StreamLevels, _ around: Block, _ table: inout TableSpec
  ) -> StreamSpec.Symbol? {
    guard let node = levels["symbol"] else {
      guard let inherited = around[.symbol] else {
        return rejected(levels.lacks("symbol", in: "this stream"))
      }
      return readRules(inherited, &table)
    }
    let isRule = node.members.contains { ObjectShape.symbolRule.names.contains($0.name) || $0.name == "rules" }
    if node.json.string == "request" || isRule { return readRules(node, &table) }
    guard let value = readValue(node, as: .text, lookups: table.lookups.map(\.name)) else { return nil }
    refuseTemplates(in: value, of: "'symbol'")
    table.symbol = .rules(text: value, rules: [])
    return .spelled(value)
  }

  private mutating func readRules(_ node: ConfigNode, _ table: inout TableSpec) -> StreamSpec.Symbol? {
    let hasPayments = table.paymentCurrencies.contains { !$0.currencies.isEmpty }
    guard let symbol = readSymbol(node, lookups: table.lookups.map(\.name), hasPaymentCurrencies: hasPayments) else {
      return nil
    }
    table.symbol = symbol
    return .rules
  }

  // MARK: Channels

  /// Checks that a connection has one pair if its address names it.
  private mutating func checkAddresses(of connection: ConnectionSpec, _ channel: StreamChannel) {
    guard let place = connection.urls.firstIndex(where: \.namesPair) else { return }
    let node = connection.urlNodes[place]
    if channel == .tickers {
      report(.pairInSubscription(at: node))
    } else if connection.maximumPairs != 1 {
      report(.pairInAddress(most: connection.maximumPairs, at: node))
    }
  }

  private mutating func readSubscriptions(
    _ levels: StreamLevels, _ channel: StreamChannel, _ connection: ConnectionSpec, known names: [String]
  ) -> [MessageSpec]? {
    guard let node = levels["subscribe"] else {
      if connection.namesPair, connection.urls.allSatisfy(\.namesPair) { return [] }
      return rejected(levels.lacks("subscribe", in: "'\(channel.rawValue)'"))
    }
    var messages: [MessageSpec] = []
    for node in messageNodes(in: node) {
      guard let message = readMessage(node, known: names) else { return nil }
      if channel == .tickers, message.namesPair { report(.pairInSubscription(at: node)) }
      if channel != .tickers, !message.namesPair, !connection.namesPair {
        report(.noPairInSubscription(channel.rawValue, at: node))
      }
      messages.append(message)
    }
    if let batch = levels["batch"], let maximum = connection.maximumBatch, maximum > 1,
      !messages.contains(where: \.isRepeated)
    {
      report(.nothingToRepeat(at: batch))
    }
    return messages
  }

  /// Returns the nodes of several messages, `{ "each": [ … ] }`, or of one.
  private mutating func messageNodes(in node: ConfigNode) -> [ConfigNode] {
    guard node.members.map(\.name) == ["each"], let each = node["each"] else { return [node] }
    let messages = readElements(each) ?? []
    if messages.isEmpty, each.json.kind == .array { report(.wrongType("at least one message", at: each)) }
    return messages
  }

  private mutating func readIntervals(_ levels: StreamLevels, _ candles: Block?) -> [StreamSpec.Interval] {
    // The stream's own intervals replace those of the block.
    let own = levels.members(of: "intervals")
    let members = own.isEmpty ? candles?.members(of: .intervals) ?? [] : own
    let ownZone = levels["zone"]
    if members.isEmpty { report(levels.lacks("intervals", in: "'candles'")) }
    return members.compactMap { member in
      guard let interval = CandleInterval(rawValue: member.name) else {
        return rejected(.unknownInterval(member.name, at: member.key))
      }
      let node = member.value["word"] ?? member.value
      guard let text = node.json.string ?? node.json.numberText else {
        return rejected(.wrongType("a string or a number", at: node))
      }
      // The nearest counts: an interval of the block is further away than the stream's own zone.
      let inside = member.value["zone"]
      let inBlock = candles?.members(of: .intervals).first { $0.name == member.name }?.value["zone"]
      let zone = own.isEmpty ? ownZone ?? inside : inside ?? ownZone ?? inBlock
      return (
        interval, IntervalWord(text: text, isNumber: node.json.kind == .number),
        (zone ?? candles?[.zone]).flatMap { readZone($0) } ?? 0
      )
    }
  }

  private mutating func checkChanges(_ levels: StreamLevels, hasWhole: Bool) {
    for key in ["changes", "previous", "key"] where !hasWhole {
      if let node = levels[key] { report(.changesWithoutWhole(key, at: node)) }
    }
    if levels["sequence"] == nil, let previous = levels["previous"] {
      report(.missingKey("sequence", in: "a book with 'previous'", at: previous))
    }
    if levels["key"] == nil, let key = levels["changes"]?["key"] {
      report(.missingKey("key", in: "a book whose 'changes' have one", at: key))
    }
    if let key = levels["key"], levels["count"] != nil { report(.conflictingKeys(["key", "count"], at: key)) }
  }

  private mutating func readBookOfStream(_ levels: StreamLevels, _ table: TableSpec) -> StreamSpec.Book? {
    for key in ["bids", "asks"] where levels[key] == nil {
      report(levels.lacks(key, in: "'orderbook'"))
    }
    let names = table.lookups.map(\.name)
    func sides(_ own: ConfigNode?) -> BookSpec? {
      func node(_ key: String) -> ConfigNode? { own?[key] ?? levels[key] }
      let at = own ?? levels.node
      let (price, size) = (node("price"), node("size"))
      let bids = node("bids").flatMap { readSide($0, price: price, size: size, at: at, lookups: names) }
      let asks = node("asks").flatMap { readSide($0, price: price, size: size, at: at, lookups: names) }
      guard let bids, let asks else { return nil }
      let key = node("key").flatMap { readValue($0, as: .text, lookups: names) }
      return BookSpec(table: table, bids: bids, asks: asks, time: nil, sequence: nil, key: key)
    }
    guard let whole = sides(nil) else { return nil }
    let changes = levels["changes"].flatMap { sides($0) }
    return StreamSpec.Book(
      whole: whole, changes: changes,
      time: levels["time"].flatMap { readTimeValue($0, lookups: names) },
      sequence: levels["sequence"].flatMap { readValue($0, as: .text, lookups: names) },
      previous: levels["previous"].flatMap { readValue($0, as: .number, lookups: names) },
      keptLevels: levels["count"].flatMap { readInteger($0, in: IntegerRange.counts) },
      mayCross: levels["mayCross"].flatMap { readBoolean($0) } ?? false)
  }
}
