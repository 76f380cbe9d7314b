package import Config
import JSON
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
    switch kind {
    case .candles: ["time", "open", "high", "low", "close"]
    case .trades: ["price", "time"]
    case .orderbook: ["bids", "asks", "price", "size"]
    }
  }

  package subscript(_ name: String) -> BlockField? { fields.first { $0.name == name } }

  /// The accepted fields.
  package var sure: [BlockField] { fields.filter(\.isSure) }

  /// The required fields that nothing proves.
  package var unproved: [String] {
    Self.needed(of: kind).filter { name in !sure.contains { $0.name == name } }
  }

  /// The argument for `--set` that makes sizes of amounts of money.
  package var sizeByPrice: String? {
    guard let size = self["size"], size.countsMoney, size.members.count == 1, let worth = size.members.first,
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
    if let count { block.set(["count"], to: .raw("\(count)")) }
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

/// A moment as written in a request.
package struct RequestMoment: Sendable, Hashable {
  package let at: Instant
  /// What follows `{from` or `{to` in the template that formats moments this way: `.ms`, `:yyyy-MM-dd'T'HH:mm:ss'Z'`;
  /// nil if there is none, or if its zone is unknown.
  package let template: String?

  /// Returns nil if the text is not a moment.
  package init?(_ text: String) {
    let text = Self.withoutDecodedPlus(text)
    guard let form = TimeRole.form(of: [text]) ?? (text.utf8.count >= 10 ? TimeRole.dateForm(of: [text]) : nil),
      let at = TimeRole.moment(text, form)
    else { return nil }
    switch form {
    case .unit(.seconds): template = ".s"
    case .unit(.milliseconds): template = ".ms"
    case .iso8601(saysZone: true): template = Self.template(text, at)
    case .unit, .iso8601, .date: template = nil
    }
    self.at = at
  }

  /// Returns a moment whose zone its text does not say, taken for UTC, and its format: `yyyyMMdd`,
  /// `yyyy-MM-dd'T'HH:mm:ss`; nil if it is in no known form.
  package static func ofAnyZone(_ text: String) -> (at: Instant, format: String)? {
    if let form = TimeRole.dateForm(of: [text]), case .date(let format) = form, let at = TimeRole.moment(text, form) {
      return (at, format)
    }
    guard let form = TimeRole.form(of: [text]), form == .iso8601(saysZone: false),
      let at = TimeRole.moment(text, form), let template = template(text + "Z", at)
    else { return nil }
    return (at, String(template.dropFirst()).replacing("'Z'", with: ""))
  }

  /// Returns whether a text begins with a date, such as `2026-11-24T00` or `20261124T000000Z`.
  package static func begins(_ text: String) -> Bool {
    text.first.map { $0.isASCII && $0.isNumber } == true && isNamed(in: text, onlyAtStart: true)
  }

  /// Returns whether a text has a date in it. It may be something else, such as a version.
  package static func isNamed(in text: String, onlyAtStart: Bool = false) -> Bool {
    guard !text.contains("{") else { return false }
    let pieces = text.split { !$0.isASCII || !$0.isNumber }.map(String.init)
    func isDate(_ year: String, _ month: String, _ day: String) -> Bool {
      guard let year = Int(year), let month = Int(month), let day = Int(day) else { return false }
      return (2009...2100).contains(year) && (1...12).contains(month) && (1...31).contains(day)
    }
    for index in onlyAtStart ? pieces.indices.prefix(1) : pieces.indices {
      let piece = pieces[index]
      if TimeRole.form(of: [piece]) != nil { return true }
      let (year, month) = (String(piece.prefix(4)), String(piece.dropFirst(4).prefix(2)))
      if piece.count == 8, isDate(year, month, String(piece.suffix(2))) { return true }
      guard index + 2 < pieces.count else { continue }
      let (next, last) = (pieces[index + 1], String(pieces[index + 2].prefix(2)))
      if piece.count == 4, isDate(piece, next, last) { return true }
      if pieces[index + 2].count == 4, isDate(pieces[index + 2], next, piece) { return true }
    }
    return false
  }

  /// Returns a text with the `+` of its zone, which in a query stands for a space: `2026-11-24T00:00:00 00:00`.
  private static func withoutDecodedPlus(_ text: String) -> String {
    guard text.contains("T"), let space = text.lastIndex(of: " ") else { return text }
    let zone = text[text.index(after: space)...]
    guard zone.count == 5, UTCOffset.seconds("+" + zone) != nil else { return text }
    return text[..<space] + "+" + zone
  }

  /// Returns the format of a moment written like `2026-11-24T00:00:00.000Z` in UTC, or in the zone at its end:
  /// `:yyyy-MM-dd'T'HH:mm:ss'+09:00'@+09:00`.
  private static func template(_ text: String, _ at: Instant) -> String? {
    let zone = text.hasSuffix("Z") ? "Z" : String(text.suffix(6))
    guard let offset = zone == "Z" ? 0 : UTCOffset.seconds(zone) else { return nil }
    let days = "yyyy-MM-dd"
    for separator in ["'T'", " "] {
      for time in ["HH:mm", "HH:mm:ss"] + (1...9).map({ "HH:mm:ss." + String(repeating: "S", count: $0) }) {
        let pattern = "\(days)\(separator)\(time)'\(zone)'"
        guard (try? TimeFormat(pattern))?.parse(text, offsetSeconds: offset) == at else { continue }
        return ":" + pattern + (zone == "Z" ? "" : "@" + zone)
      }
    }
    return nil
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
  /// Whether it is a size whose numbers are amounts of money.
  package var countsMoney = false
  /// Whether it is a size that only its magnitude makes money, so that it may as well be in a unit smaller than coins.
  package var mayCountSmallUnits = false
  /// Whether it is a size whose whole numbers may be of contracts, or of money.
  package var countsContracts = false
  /// The raw values of the rows; empty for the sides of a book.
  package let texts: [String?]

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
    let zone = ClockZone(offsetSeconds: zoneSeconds).offset
    var members: [(name: String, value: ConfigValue)] = [("path", .text(path))]
    switch form {
    case .unit(let unit): members.append(("unit", .text(unit.rawValue)))
    case .iso8601(let saysZone):
      members.append(("unit", .text("iso8601")))
      if !saysZone { members.append(("zone", .text(zone))) }
    case .date(let format): members += [("format", .text(format)), ("zone", .text(zone))]
    }
    if let basis { members.append(("basis", .text(basis.rawValue))) }
    return .object(members)
  }
}

extension SampleColumn {
  /// The last name of its path, folded: exchanges write `tradeId`, `trade_id` and `trade-id`.
  var plainName: String { Spelling.folded(title) }

  /// Whether its name says that its times are in UTC.
  var saysUTC: Bool { ["utc", "gmt"].contains(where: plainName.contains) }

  /// All values as numbers; nil if any is not a number.
  var allNumbers: [Double]? {
    let present = numbers.compactMap(\.self)
    return present.count == numbers.count && !present.isEmpty ? present : nil
  }

  /// Returns whether every number is the sum of another column's up to it, in enough rows to rule out chance.
  func isRunningSum(of part: SampleColumn?) -> Bool {
    guard let totals = allNumbers, let parts = part?.allNumbers, totals.count == parts.count, totals.count >= 3 else {
      return false
    }
    var sum = 0.0
    return zip(totals, parts).allSatisfy { total, part in
      sum += part
      return total > 0 && (sum / total - 1).magnitude <= 1e-6
    } && totals != parts
  }

  /// Whether no value has a nonzero fraction.
  var isWhole: Bool { numbers.allSatisfy { $0.map { $0 == $0.rounded() } ?? true } }

  /// The times of all rows if they are monotonic; nil if any is missing. An amount may look like a time.
  var moments: (form: TimeRole.Form, all: [Instant])? {
    guard let first = texts.first?.flatMap(\.self), let form = TimeRole.form(of: [first]),
      texts.allSatisfy({ $0.flatMap { TimeRole.form(of: [$0]) } == form })
    else { return nil }
    return moments(form)
  }

  /// The days of all rows if they are monotonic; nil if any is missing.
  var dates: (form: TimeRole.Form, all: [Instant])? {
    TimeRole.dateForm(of: texts.compactMap(\.self)).flatMap(moments)
  }

  private func moments(_ form: TimeRole.Form) -> (form: TimeRole.Form, all: [Instant])? {
    let all = texts.compactMap { $0.flatMap { TimeRole.moment($0, form) } }
    return all.count == texts.count && all.isMonotonic ? (form, all) : nil
  }
}
