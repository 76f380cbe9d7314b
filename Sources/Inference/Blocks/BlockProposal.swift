package import Config
package import JSON
import JSONPath
package import Quotes

/// The config block for order books, trades or candles suggested by an answer.
package struct BlockProposal: Sendable {
  package let kind: BlockKind
  /// The location of the rows; nil for an order book, whose sides are fields.
  let rows: ConfigValue?
  /// The same in human-readable form.
  package let rowsText: String
  package let rowCount: Int
  package var fields: [BlockField]
  /// For candles, the distance between their times.
  package var interval: CandleInterval?
  /// For candles, the time zone whose midnight starts a day.
  var zoneSeconds = 0
  /// The first and last time among the rows.
  package var times: ClosedRange<Instant>?
  /// The unused columns, each with its first meaningful value.
  package var unused: [(path: String, example: String)] = []
  /// For candles, whether nothing shows if their times are starts or ends.
  package var isBasisOpen = false

  /// Returns the optional fields of rows: if one is missing, an unused column may be it.
  package static func others(of kind: BlockKind) -> [String] {
    switch kind {
    case .candles: ["volume", "turnover"]
    case .trades: ["size", "side", "id"]
    case .orderbook: []
    }
  }

  /// Returns the fields the block cannot do without.
  package static func needed(of kind: BlockKind) -> [String] {
    kind == .orderbook ? ["bids", "asks", "price", "size"] : kind.fields.required
  }

  package subscript(_ name: String) -> BlockField? { fields.first { $0.name == name } }

  /// The accepted fields.
  package var sure: [BlockField] { fields.filter(\.isSure) }

  /// The required fields that nothing proves.
  package var unproved: [String] {
    Self.needed(of: kind).filter { name in !sure.contains { $0.name == name } }
  }

  /// Whether the rows are so many that what they do not prove needs more than further ones.
  package var hasManyRows: Bool { rowCount >= 20 }

  /// The argument for `--set` that makes sizes of amounts of money.
  package var sizeByPrice: String? {
    guard let size = self["size"], [.money, .moneyOrSmallUnit].contains(size.unit), size.members.count == 1,
      let worth = size.members.first,
      let price = self["price"]?.members.first?.value
    else { return nil }
    let value = ConfigValue.object([("quotient", .list([worth.value, price]))])
    return "\(worth.place.joined(separator: "."))=\(value.text(lead: 0))"
  }

  /// Returns the config block with the certain fields.
  ///
  /// - Parameters:
  ///   - request: how the answer is requested.
  ///   - count: the maximum number of rows in one answer.
  ///   - word: the exchange's own word for the interval.
  package func block(request: ConfigValue, count: Int?, word: ConfigValue?) -> ConfigValue {
    var block = ConfigValue.object([("request", request)])
    if let count { block.set(["count"], to: .number("\(count)")) }
    if let interval {
      block.set(["intervals"], to: .object([(interval.rawValue, word ?? .text(interval.rawValue))]))
      if zoneSeconds != 0 { block.set(["zone"], to: .text(ClockZone(offsetSeconds: zoneSeconds).offset)) }
    }
    if let rows { block.set(["rows"], to: rows) }
    for field in sure {
      for (place, value) in field.members { block.set(place[...], to: value) }
    }
    return block
  }
}

extension BlockProposal {
  /// Returns how much an answer has at a path.
  package static func count(at path: String, in root: JSONNode) -> Int {
    (try? JSONPathQuery(path))?.nodes(in: root).count ?? 0
  }

  /// Creates the proposal for a block that is given as a whole, so that nothing is to be found.
  package init(given kind: BlockKind, interval: CandleInterval?) {
    self.init(kind: kind, rows: nil, rowsText: "as given", rowCount: 0, fields: [], interval: interval)
  }
}

/// A key of the block and the evidence for it.
package struct BlockField: Sendable {
  /// `open`, `bids`
  package let name: String
  /// The human-readable location.
  package let path: String
  /// The resulting values of the block, each with its place.
  let members: [(place: [String], value: ConfigValue)]
  package let example: String
  /// 0…1.
  package var confidence: Double
  package var evidence: [String]
  /// Whether something speaks against it, or as much for another column, so that it is no suggestion.
  package var isContested = false
  /// Of a size, what its numbers count.
  package var unit = Unit.unknown
  /// Whether it is a size beyond doubt, but that nothing shows what it counts.
  var isSureButForUnit = false
  /// The raw values of the rows; empty for the sides of a book.
  package let texts: [String?]

  /// What sizes count, as far as their numbers show it.
  package enum Unit: Sendable {
    case unknown
    case asset
    case money
    /// Money by their magnitude alone, so that it may as well be a unit smaller than coins.
    case moneyOrSmallUnit
    /// Contracts or money, as they are whole numbers of such a magnitude.
    case contractsOrMoney
  }

  package var isSure: Bool { confidence >= RoleProposal.threshold }

  /// Creates a field of a row.
  ///
  /// - Parameter place: where the block has it, if not among its `fields`.
  init(
    _ name: String, _ column: SampleColumn, at place: [String]? = nil, value: ConfigValue? = nil,
    _ confidence: Double, _ evidence: [String]
  ) {
    self.init(
      name, path: column.path.text, members: [(place ?? ["fields", name], value ?? Self.value(of: column))],
      example: column.example ?? "", confidence, evidence, texts: column.texts)
  }

  /// Creates a field of the whole block: the key of this name.
  init(
    _ name: String, path: String, value: ConfigValue, example: String = "", _ confidence: Double, _ evidence: [String],
    texts: [String?] = []
  ) {
    self.init(
      name, path: path, members: [([name], value)], example: example, confidence, evidence, texts: texts)
  }

  init(
    _ name: String, path: String, members: [(place: [String], value: ConfigValue)], example: String = "",
    _ confidence: Double, _ evidence: [String], texts: [String?] = []
  ) {
    (self.name, self.path, self.members, self.example) = (name, path, members, example)
    (self.confidence, self.evidence, self.texts) = (confidence, evidence, texts)
  }

  /// The argument for `--set`: `fields.time={ "path": "$[0]", "unit": "ms" }`; of a side with conditions, all of it.
  package var setting: String? {
    guard let first = members.first else { return nil }
    guard members.count > 1 else { return "\(first.place.joined(separator: "."))=\(first.value.text(lead: 0))" }
    var whole = ConfigValue.object([])
    for (place, value) in members { whole.set(place[1...], to: value) }
    return "\(first.place[0])=\(whole.text(lead: 0))"
  }

  /// The argument for `--set` that makes a time the end of its candle.
  package var ending: String {
    guard var value = members.first?.value else { return "" }
    value.set(["basis"], to: .text(CandleTimeBasis.end.rawValue))
    return "candles.fields.\(name)=\(value.text(lead: 0))"
  }

  /// Returns a number in config form.
  static func value(of column: SampleColumn) -> ConfigValue { value(of: [column]) }

  /// Returns the number at one path of several lists, such as the sides of an order book, in config form.
  ///
  /// - Parameter columns: at least one.
  static func value(of columns: [SampleColumn]) -> ConfigValue {
    let path = ConfigValue.text(columns[0].path.text)
    let strip = columns.reduce(into: "") { all, column in all += column.strip.filter { !all.contains($0) } }
    return strip.isEmpty ? path : .object([("path", path), ("strip", .text(strip))])
  }

  /// Returns a time in config form.
  ///
  /// - Parameter basis: which moment of a candle it is; nil for the default.
  static func time(
    at path: String, _ form: TimeRole.Form, basis: CandleTimeBasis? = nil, zoneSeconds: Int = 0
  ) -> ConfigValue {
    var members = [("path", .text(path))] + form.members
    if !form.saysZone { members.append(("zone", .text(ClockZone(offsetSeconds: zoneSeconds).offset))) }
    if let basis { members.append(("basis", .text(basis.rawValue))) }
    return .object(members)
  }
}
