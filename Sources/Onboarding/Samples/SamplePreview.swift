import Config
import HTTP
import Inference
import Mapping
import MarketData
import Proving
import Quotes
import Shell
import Terminal
import Views

/// A new block's rows from its own sample, and the results of the meaning checks.
struct SamplePreview {
  private let exchange: String
  private let market: Market
  private let table: TickerTable
  private let plan: TablePlan?
  private let now: Instant
  /// When the sample was answered; nil for a saved one.
  private let arrival: Instant?

  static let rowCount = 5

  /// The request of a market that a sample answers.
  enum Place: Hashable {
    /// A part of the table of all pairs.
    case table(Int)
    /// A part of the single-pair request.
    case single(Int)
  }

  /// - Parameters:
  ///   - place: What it answers; nil for the only request.
  ///   - pair: The sample's pair, if the exchange is queried for one.
  ///   - lookups: Answers to the lookups of the table, by name.
  init(
    _ exchange: Exchange, market: Market, place: Place?, sample: Sample, pair: Pair?,
    configuration: Configuration, now: Instant, lookups: [String: [UInt8]] = [:]
  ) {
    (self.exchange, self.market, self.now, arrival) = (exchange.name, market, now, sample.arrival)
    plan = Self.spec(of: exchange, market, place).map { TablePlan($0, market: market) }
    let isSingle = Self.isSingle(exchange, market, place)
    let options = Interpretation(configuration, hooks: .shipped)
    let request = RequestContext(pair: isSingle ? pair : nil, now: now)
    let part = plan?.table(
      saved: [HTTPResponse(body: sample.bytes, arrival: sample.arrival)], lookups: lookups, request: request, options,
      option: "--from-sample")
    table = TickerTable(joining: [part].compactMap(\.self))
  }

  private static func isSingle(_ exchange: Exchange, _ market: Market, _ place: Place?) -> Bool {
    guard let place else { return exchange.market(market)?.tickers.isEmpty == true }
    return if case .single = place { true } else { false }
  }

  /// Returns the config of the request that a sample answers; nil if there is no such request.
  static func spec(of exchange: Exchange, _ market: Market, _ place: Place?) -> TableSpec? {
    let tables = exchange.market(market)
    let parts = (isSingle(exchange, market, place) ? tables?.ticker : tables?.tickers) ?? []
    switch place {
    case .table(let index)?, .single(let index)?: return parts.indices.contains(index) ? parts[index] : nil
    case nil: return parts.first
    }
  }

  /// Returns the ticker of a pair; nil if no row has it.
  func ticker(of pair: Pair) -> Ticker? { table.rows.lazy.map(\.ticker).first { $0.pair == pair } }

  /// Returns whether the mapping has the field at all.
  func has(_ field: TickerField) -> Bool { plan?.spec.fields[field.rawValue] != nil }

  /// The marks of assets that are named after a number of coins (1000SHIB, 1MBABYDOGE, kXEC), with the symbols that have
  /// them. Letters count only where their case sets them apart.
  var multiples: [(mark: String, factor: Int, symbols: [String])] {
    let rows = table.rows.map(\.ticker).filter { $0.multiplier == nil }
    let marks = [("1000000", 1_000_000), ("100000", 100_000), ("10000", 10_000), ("1000", 1000), ("1M", 1_000_000)]
    var found = marks.map { mark, factor in
      let own = rows.filter { row in
        let rest = row.pair.asset.dropFirst(mark.count)
        return row.pair.asset.hasPrefix(mark) && rest.count >= 2 && rest.allSatisfy(\.isLetter)
      }
      return (mark: mark, factor: factor, symbols: own.map(\.symbol).unique)
    }
    let thousands = rows.filter { row in
      let letters = row.symbol.filter(\.isLetter)
      return row.symbol.hasPrefix("k") && row.pair.asset.hasPrefix("K") && letters.count > 3
        && letters.dropFirst().allSatisfy(\.isUppercase)
    }
    found.append((mark: "k", factor: 1000, symbols: thousands.map(\.symbol).unique))
    return found.filter { !$0.symbols.isEmpty }
  }

  /// The pairs that no exchange can have.
  var misread: [Pair] { Pair.misread(among: table.rows.map(\.ticker.pair)) }

  /// Returns how many rows have the field.
  func filled(_ field: TickerField) -> Int {
    has(field) ? table.rows.count { $0.ticker.missing(field) == nil } : 0
  }

  /// Returns in how many rows a check compares the field with others.
  func compared(_ field: TickerField) -> Int {
    guard let plan else { return 0 }
    return table.rows.count { plan.comparedFields(of: $0.ticker).contains(TickerFields(field)) }
  }

  /// The fields that hardly any row compares with others, so that passing the checks does not prove them. The age of a
  /// time is a check by itself.
  var unchecked: [TickerField] {
    TickerField.allCases.filter { $0 != .time && filled($0) > 0 && compared($0) * 4 < filled($0) }
  }

  /// How many rows have each of the fields, summed.
  var allFilled: Int { TickerField.allCases.reduce(0) { $0 + filled($1) } }

  /// Returns why most rows lack the field.
  func reasonForNo(_ field: TickerField) -> String? {
    var counts: [String: Int] = [:]
    for row in table.rows { if let reason = row.ticker.missing(field) { counts[reason.code, default: 0] += 1 } }
    return counts.byFrequency.first?.key
  }

  /// The latest quote: the sample cannot be older than that.
  var latestTime: Instant? { table.rows.compactMap(\.ticker.time).max() }

  /// The pair of the first row.
  var firstPair: Pair? { table.rows.first?.ticker.pair }

  var rows: Int { table.rows.count }
  /// The number of rows that pass all checks, which a row without any value does not.
  var clean: Int {
    table.rows.count { $0.ticker.flags.isEmpty && !hasImpossibleTime($0.ticker) && Self.hasValue($0.ticker) }
  }

  private static func hasValue(_ row: Ticker) -> Bool { TickerField.allCases.contains { row.missing($0) == nil } }

  /// What most rows indicate is wrong with the mapping; nil if they do not. Old quotes, or offers far from the price,
  /// are due to the market and not errors of the mapping, unless the quotes are older than any market's.
  var objection: SettledProposal.Objection? {
    if let turned = table.rows.map(\.ticker.pair).turned { return .pairsReversed(turned) }
    let flags = table.rows.map(\.ticker).map { row in
      // A time that is there but cannot be read is of another unit or format.
      row.flags.first { $0.isOfMapping || $0.excludes && $0.kind == .time && row.time == nil }
    }
    let wrong = zip(table.rows, flags).compactMap { row, flag in flag.map { "\(row.ticker.pair): \($0.message)" } }
    guard wrong.count * 2 > rows, let first = wrong.first else {
      return otherFields.first.map { .otherField(name: $0.field.rawValue, text: $0.text) } ?? otherSign
        ?? impossibleTimes.flatMap {
          $0.rows * 2 > rows ? .disproved(rows: $0.rows, of: rows, example: $0.example) : nil
        }
    }
    let found = flags.compactMap(\.self)
    let areOfDay = found.allSatisfy { $0.kind == .turnover }
    return .disproved(rows: wrong.count, of: rows, example: first + (areOfDay ? unitCure(found) ?? dayCure : ""))
  }

  /// Returns what to do if turnover or volume counts another unit, by the same factor in all flagged rows; nil if not.
  private func unitCure(_ flags: [Flag]) -> String? {
    let advice = Set(flags.map(\.advice))
    guard advice.count == 1, case .otherUnit(let factor)?? = advice.first,
      let value = plan?.spec.fields[TickerField.turnover24.rawValue], case .path(let path?, .row) = value.origin,
      let scale = value.scaleCorrecting(factor)
    else { return nil }
    let given = ConfigValue.object([("path", .text(path.text)), ("scale", .number(scale.shortest))])
    return "; if it is that of the turnover, say so with --set "
      + "fields.turnover24=\(given.text(lead: 0))".shellQuoted
  }

  /// What to do if the average of 24 hours lies outside of high and low because these are of the day so far; empty if
  /// the mapping says of what day they are.
  private var dayCure: String {
    let settings = [TickerField.high, .low].compactMap { field -> String? in
      guard let value = plan?.spec.fields[field.rawValue], value.basis == nil,
        case .path(let path?, .row) = value.origin
      else { return nil }
      let given = ConfigValue.object([
        ("path", .text(path.text)), ("basis", .text(ChangeBasis.utcDay.rawValue)),
      ])
      return "--set " + "fields.\(field.rawValue)=\(given.text(lead: 0))".shellQuoted
    }
    guard settings.count == 2 else { return "" }
    return "; if high and low are of the day so far, say so with \(settings.joined(separator: " "))"
  }

  /// A change whose sign is the other one in all rows that can tell, which may be few: most changes are small enough to
  /// fit between low and high either way.
  private var otherSign: SettledProposal.Objection? {
    let votes = table.rows.map(\.ticker).compactMap { row -> Bool? in
      guard let change = row.changePricePercent24.value else { return nil }
      var other = row
      other.changePricePercent24 = .value(change.negated)
      let (isOwn, isOther) = (MeaningCheck.confirmsChange(row), MeaningCheck.confirmsChange(other))
      return isOwn == isOther ? nil : isOther
    }
    guard votes.count >= 3, votes.allSatisfy({ $0 }) else { return nil }
    return .otherField(
      name: TickerField.changePricePercent24.rawValue,
      text: "its sign is the other one in all \(votes.count) rows whose low and high tell it "
        + "(a negative \"scale\" turns it)")
  }

  /// The fields that all rows together show to be of another scale, or to be another price than the last.
  private var otherFields: [PriceScale<TickerField>.Verdict] { PriceScale.findings(of: table.rows.map(\.ticker)) }

  /// Returns why this answer about one pair is not of the pair that it was asked for, or is read wrongly, according to
  /// the table of all pairs; nil if nothing speaks against it.
  func objection(beside whole: SamplePreview) -> SettledProposal.Objection? {
    guard let own = table.rows.first?.ticker else { return nil }
    if let flag = own.flags.first(where: \.isOfMapping) {
      return .tickerDisagrees(reason: "\(own.pair): \(flag.message)")
    }
    guard let row = whole.ticker(of: own.pair) else { return nil }
    let reasons = own.disagreements(withTable: row)
    if !reasons.isEmpty { return .tickerDisagrees(reason: reasons.shortList) }
    guard let distance = OfferDistance(own), distance.isTelling, distance.part.magnitude > OfferDistance.limit,
      OfferDistance(row).map({ $0.part == 0 }) ?? true, let price = own.price.value, let bid = own.bid.value,
      let ask = own.ask.value
    else { return nil }
    return .tickerDisagrees(
      reason: "the price \(price) is outside of bid \(bid) and ask \(ask) here, and between them in the table")
  }

  /// How old the prices of most pairs of a market never are.
  private static let longAgo: Int64 = 30 * Instant.day

  private func hasImpossibleTime(_ row: Ticker) -> Bool {
    // Many exchanges use time zero for a pair that was never traded.
    guard let time = row.time, time.nanoseconds != 0 else { return false }
    return !time.isPossible(at: now) || arrival.map { $0.nanoseconds(since: time) > Self.longAgo } ?? false
  }

  /// The number of rows with a time that no answer has, and the first of them; nil if there are none. A saved answer has
  /// no time of its own: its times may be old, but not in the future.
  private var impossibleTimes: (rows: Int, example: String)? {
    let wrong = table.rows.map(\.ticker).filter(hasImpossibleTime)
    guard let first = wrong.first, let time = first.time else { return nil }
    let advice =
      if time.isBeforeCoins {
        "predates all coins: check 'unit'"
      } else if time.isPossible(at: now) {
        "is more than 30 days ago: is it the time of a price?"
      } else {
        "is in the future: check 'unit' and 'zone'"
      }
    return (wrong.count, "\(first.pair): its time \(time.iso8601) \(advice)")
  }

  /// The code, number of rows and first message of each check with findings.
  var findings: [(code: String, rows: Int, message: String)] {
    var findings: [(code: String, rows: Int, message: String)] = []
    for row in table.rows {
      for flag in row.ticker.flags {
        if let index = findings.firstIndex(where: { $0.code == flag.code }) {
          findings[index].rows += 1
        } else {
          findings.append((flag.code, 1, "\(row.ticker.pair): \(flag.message)"))
        }
      }
    }
    return findings
  }

  var failure: String? { table.failures.first?.failure.words }

  /// Why nothing is read; nil if any row has a value.
  var unread: String? {
    if let failure { return failure }
    guard rows > 0 else { return "it has no row" }
    return table.rows.contains { Self.hasValue($0.ticker) } ? nil : "no row has any of the fields"
  }

  var isRead: Bool { unread == nil }

  /// Numbers for comparing two readings, the most significant first.
  var score: [Int] { [failure == nil ? 0 : -1, rows - misread.count - unsplit.count, clean, allFilled] }

  func isBetter(than old: SamplePreview) -> Bool { old.score.lexicographicallyPrecedes(score) }

  var unsplit: [String] { table.unsplit.map(\.symbol) }

  func text(in context: OnboardingContext) -> String {
    var first = TickerTable()
    first.rows = Array(table.rows.prefix(Self.rowCount))
    let report = ExchangeReport(exchange: exchange, market: market, GatheredTable(first, of: nil))
    return TickerTableReport(exchange: exchange, reports: [report])
      .text(on: Page(palette: context.palette, width: context.columns))
      + verdict.map { TerminalText.sanitized($0) + "\n" }.joined()
  }

  /// The results of the checks, in sentences.
  var verdict: [String] {
    guard failure == nil else { return [] }
    var lines = ["\(clean) of \(rows.counted("row")) \(clean == 1 ? "passes" : "pass") the meaning checks"]
    for finding in findings {
      lines.append("\(finding.code): \(finding.rows.counted("row")), such as \(finding.message)")
    }
    if let times = impossibleTimes { lines.append("time: \(times.rows.counted("row")), such as \(times.example)") }
    lines += otherFields.map { "\($0.text): \($0.help)" }
    if !unsplit.isEmpty {
      lines.append(
        "\(unsplit.count.counted("symbol")) could not be split, such as \(unsplit.prefix(5).joined(separator: ", "))")
    }
    return lines
  }
}

extension Flag {
  /// Whether it says that a field is another one, or of another unit.
  fileprivate var isOfMapping: Bool {
    excludes && [.range, .change, .turnover, .bidAsk, .malformed].contains(kind)
  }
}
