package import Config
package import Inference
import Mapping
package import Quotes

/// Judges the readings of a connection by a simultaneous table.
struct StreamReview {
  let exchange: String
  let market: Market
  let spec: StreamSpec
  /// The pairs of the connection.
  let pairs: [StreamPair]
  /// Their rows in the table, in order.
  let rows: [Ticker]
  /// The pair that is judged; at first the one that the connection is named after.
  var pair: Pair
  let interval: CandleInterval?
  var readings: StreamReadings
  /// Returns a pair's order book, trades and candles by REST, as far as they are recorded.
  let askedRecords: (Pair) -> AskedRecords
  /// Those of the pair that is judged.
  var asked = AskedRecords()
  /// The number of pairs of the connection that are not in `pairs`.
  let unknownCount: Int
  let identityPercent: Decimal
  /// nil for a recorded one.
  var heard: TestedStream.Heard?

  var tested: TestedStream {
    TestedStream(
      market: market, channel: spec.channel, pair: pair, others: others, updateCount: readings.updates.count,
      refusal: readings.updates.isEmpty ? refusal : nil, heard: heard, found: found, spec: spec,
      messages: readings.updates.isEmpty ? readings.messages : ownMessages)
  }

  /// The pairs that were subscribed to beside the tested one.
  private var others: [Pair] {
    heard != nil && spec.namesPair ? pairs.map(\.row.pair).filter { $0 != pair } : []
  }

  /// The messages of the channel that are about the tested pair; all of them if there are none, or if nothing names one.
  private var ownMessages: [[UInt8]] {
    let place = spec.namesPair ? pairs.firstIndex { $0.row.pair == pair } : nil
    let own = place.map { readings.only($0).taken } ?? []
    return own.isEmpty ? readings.taken : own
  }

  /// The exchange's own error.
  private var refusal: String? {
    readings.refusals.first(where: \.isOfExchange).map { $0.message ?? $0.reason.code }
  }

  private var found: [Found] {
    guard !readings.updates.isEmpty else { return nothing.map { Found($0) } }
    let broken =
      readings.gaps.map { finding(.streamFailed, "the book starts over: \($0)") }
      + readings.refusals.prefix(1).map {
        finding(.streamFailed, "a message cannot be read: \($0.wordsInParentheses)")
      }
    let lost = LostFields(readings.taken, rows: spec.table.rows).rows(sequence: spec.sequence)
    let unordered = lost.map { [finding($0.code, $0.text, $0.severity)] } ?? []
    return (broken + besides + unordered).map { Found($0) }
      + (spec.channel.feedsRows ? fields : records.map { Found($0) })
  }

  /// How many messages about another pair, and none about this one, tell that only the other is subscribed.
  private static let conclusiveCount = 10
  /// How many messages after the first about the other pair may have been on their way.
  private static let lateCount = 3

  /// What a second pair on the connection has shown: that its subscription replaces that of the first, or that nothing
  /// is sent about it.
  private var besides: [Finding] {
    guard let other = others.last, let last = pairs.lastIndex(where: { $0.row.pair == other }) else { return [] }
    let all = readings.updates.map(\.update.pair)
    guard let begin = all.firstIndex(of: last) else {
      guard spec.channel.feedsRows else { return [] }
      return [finding(.streamFailed, "no message is about \(other), which is subscribed to beside it", .note)]
    }
    let later = all[begin...].dropFirst(Self.lateCount)
    guard later.count >= Self.conclusiveCount, later.allSatisfy({ $0 == last }) else { return [] }
    let text = "its messages end where those about \(other) begin: of the last \(later.count) none is about it"
    let help =
      spec.subscribe.contains { spec.pairs(in: $0) > 1 }
      ? "if only the last pair of a message counts, write \"batch\": { \"max\": 1 }"
      : "if a subscription replaces the one before it, write \"max\": 1"
    // Nothing may have been traded meanwhile.
    let isQuiet = [.trades, .candles].contains(spec.channel) || isTradedLess(than: other)
    return [finding(.streamFailed, text, isQuiet ? .note : .error, help: help)]
  }

  /// Returns whether so much less is traded of the pair than of another one that messages may have been about that alone.
  private func isTradedLess(than other: Pair) -> Bool {
    func turnover(_ pair: Pair) -> Decimal? { rows.first { $0.pair == pair }?.turnover24.value }
    guard let own = turnover(pair), let others = turnover(other) else { return false }
    return own * 10 < others
  }

  /// Why there are no data.
  private var nothing: [Finding] {
    if let heard, heard.openedAfter == nil {
      let why = heard.end?.wordsInParentheses ?? "the handshake did not finish"
      return [finding(.streamFailed, "no connection: \(why)")]
    }
    // What the mapping rejects is never the exchange's fault.
    if let rejected = readings.refusals.first(where: { !$0.isOfExchange }) {
      return [finding(.streamFailed, "none of its data can be used: \(rejected.wordsInParentheses)")]
    }
    if let gap = readings.gaps.first { return [finding(.streamFailed, "no book can be kept: \(gap)")] }
    // A recorded error is not a problem of the mapping.
    if let refusal { return heard == nil ? [] : [finding(.streamFailed, "it was refused: \(refusal)")] }
    if readings.baselessCount > 0 {
      let text = "only changes arrive; no message meets 'whole'"
      return [finding(.streamFailed, text, help: "check \"whole\" of the channel")]
    }
    // There may have been no trades meanwhile.
    let isQuiet = heard != nil && [.trades, .candles].contains(spec.channel)
    let severity: Finding.Severity = isQuiet ? .note : .error
    guard !readings.messages.isEmpty || heard == nil else {
      return [finding(.streamFailed, "it is open, but no message arrived", severity)]
    }
    let text = "none of its \(readings.messages.count) messages is accepted"
    guard let frame = proposal?.frame ?? blockProposal?.frame else {
      let help = "check \"when\", \"rows\" and \"symbol\" of the channel"
      return [finding(.streamFailed, text + dialogue, readings.lacksRows ? .error : severity, help: help)]
    }
    let conditions = frame.conditions.map { ", \"when\" \($0.text())" }.joined()
    let help = "the rows seem to be at \"\(frame.rows)\", their symbol at \"\(frame.symbolText)\"" + conditions
    return [finding(.streamFailed, text, help: help, fix: edits(frame))]
  }

  /// The subscription and what came next: `; '{"sub":["BTC-USDT"]}' was answered by '{"ok":true}'`.
  private var dialogue: String {
    let number = spec.connection.hello?.send == nil ? 0 : 1
    return readings.answer(toSent: number).map { sent, answer in
      "; '\(sent.shortened(to: 160))' was answered by '\(answer.shortened(to: 160))'"
    } ?? ""
  }

  /// Returns edits for what the channel itself defines but the messages contradict.
  private func edits(_ frame: StreamFrame) -> [Finding.Edit] {
    var edits: [Finding.Edit] = []
    func add(_ node: ConfigNode, _ text: String) {
      let bytes = node.place.file.bytes[node.place.range]
      guard isOfChannel(node), String(decoding: bytes, as: UTF8.self) != text else { return }
      edits.append(Finding.Edit(node.place, text))
    }
    if case .path(let path) = spec.table.rows { add(path.node, ConfigValue.quoted(frame.rows)) }
    if case .spelled(let value) = spec.symbol { add(value.node, frame.symbol.text()) }
    if let condition = spec.conditions.first, spec.conditions.count == 1, frame.conditions.count == 1 {
      add(condition.value.node, frame.conditions[0].text())
    }
    return edits
  }

  // MARK: Rows

  /// The findings from comparing each field of the rows with the table's.
  private var fields: [Found] {
    let tickers = pairs.indices.map { readings.tickers(of: $0) }
    let mapped = TickerField.allCases.filter { $0 != .time && spec.table.fields[$0.rawValue] != nil }
    var proposed: [StreamProposal.Field]?
    var found = mapped.flatMap { field -> [Found] in
      let ratios = zip(tickers, rows).compactMap { said, row in
        let own = said.map(\.row).filter { $0.hasSpan(of: row, for: field) }
        return row.cell(field).value.flatMap { StreamRatio(field, own.compactMap { $0.cell(field).value }, $0) }
      }
      if let bad = ratios.first(where: { !$0.isSound }), ratios.count(where: { !$0.isSound }) * 2 >= ratios.count {
        return ratio(bad, zip(ratios, rows).first { !$0.0.isSound }?.1).map { Found($0) }
      }
      let isSaid = tickers.contains { $0.contains { $0.row.cell(field).value != nil } }
      return isSaid ? [] : unsaid(field, tickers.flatMap(\.self).last?.row.cell(field).missing, &proposed)
    }
    // If numbers differ from the table's, further checks add nothing.
    guard !found.contains(where: { $0.finding.code == .streamDisagrees }) else { return found }
    let said = tickers.flatMap(\.self)
    let flags = said.flatMap(\.row.flags)
    for kind in flags.map(\.kind).unique {
      let own = flags.filter { $0.kind == kind }
      guard own.count * 2 > said.count, let first = own.first else { continue }
      let text = "\(kind.rawValue): \(own.count) of \(said.count) rows, such as: \(first.message)"
      found.append(Found(finding(.failedCheck, text)))
    }
    return found
  }

  /// Reports a field that no message has.
  ///
  /// - Parameter proposed: The proposed fields, which are inferred when the first field needs them.
  private func unsaid(
    _ field: TickerField, _ missing: Missing?, _ proposed: inout [StreamProposal.Field]?
  ) -> [Found] {
    guard let value = spec.table.fields[field.rawValue], missing != .jsonNull else { return [] }
    let paths = value.places.sorted().map { $0.split(separator: " ").last.map(String.init) ?? $0 }
    if case .lookupFailed? = missing {
      return [Found(finding(.notRecorded, "\(field.rawValue): no recording of its lookup", .note))]
    }
    if missing == .lookupMiss || missing == .lookupAmbiguous {
      let names = value.lookupNames.sorted().quoted.listed("and")
      let text = "\(field.rawValue): no message finds its row in the lookup \(names)"
      let help = "give it another 'match' in the lookups of 'streams'"
      return [Found(finding(.lookupMismatch, text, field: field, help: help))]
    }
    if missing == .notANumber {
      let text = "\(field.rawValue): \(paths.joined(separator: ", ")) is not a number it could be in any message"
      return [Found(finding(.fieldEmpty, text, field: field, help: "has the place of its columns changed?"))]
    }
    let text = "\(field.rawValue): \(paths.joined(separator: ", ")) leads nowhere in any message"
    guard isOfChannel(value.node) else {
      if field == .price {
        let help = "if messages have only bids and asks, write the channel as 'offers'"
        return [Found(finding(.fieldEmpty, text, field: field, help: help))]
      }
      let help = "write \"\(field.rawValue)\": null, and the table's value is requested every minute"
      return [Found(finding(.fieldEmpty, text, .note, field: field, help: help))]
    }
    guard let replacement = replacement(for: field, value, &proposed) else {
      return [Found(finding(.fieldLost, text, field: field))]
    }
    var found = Found(finding(.fieldLost, text, field: field, help: replacement.help, fix: replacement.edits))
    found.replacements = [replacement]
    return [found]
  }

  /// Returns the member with the table's numbers.
  private func replacement(
    for field: TickerField, _ value: ValueSpec, _ proposed: inout [StreamProposal.Field]?
  ) -> Replacement? {
    let all = proposed ?? proposal?.fields ?? []
    proposed = all
    guard let found = all.first(where: { $0.role.field == field }), !found.path.isEmpty,
      found.confidence >= Replacement.certain, case .path(let path?, .row) = value.origin
    else { return nil }
    return Replacement(
      lost: path.text, places: [path.node.place], isInRow: true,
      candidates: [
        .init(
          path: found.path, example: found.example, score: found.confidence, evidence: found.evidence, isInRow: true,
          needsMore: found.scale != nil)
      ])
  }

  /// The proposal based on the messages and the table.
  private var proposal: StreamProposal? { spec.channel.feedsRows ? try? inference.proposal() : nil }

  /// The same for trades, order books and candles: only messages of the channel show where these are.
  private var blockProposal: StreamBlockProposal? {
    spec.channel.block.flatMap { try? inference.proposal(of: $0, isFutures: market == .futures) }
  }

  private var inference: StreamInference {
    StreamInference(readings.messages, beside: rows, of: spec.table, tablePaths: [:])
  }

  /// Returns whether it is defined by the channel itself instead of the table or `streams`.
  private func isOfChannel(_ node: ConfigNode) -> Bool {
    let (place, own) = (node.place, spec.node.place)
    return place.file.name == own.file.name && own.range.contains(place.range)
  }

  // MARK: Words

  func ratio(_ ratio: StreamRatio?, _ row: Ticker?) -> [Finding] {
    guard let ratio, !ratio.isSound else { return [] }
    let others = TickerField.allCases.filter { $0 != .time && $0 != ratio.field }.compactMap { field in
      row?.cell(field).value.map { (field: field, value: $0) }
    }
    return [
      finding(
        .streamDisagrees, "\(ratio.field.rawValue): \(ratio.text) (\(ratio.fact))", field: ratio.field,
        help: ratio.advice(others, isFutures: market == .futures))
    ]
  }

  func data(_ found: [DataFinding]) -> [Finding] {
    found.filter(\.indicatesMappingError).map {
      finding(.streamDisagrees, "\($0.kind.rawValue): \($0.fact)", help: $0.advice?.text)
    }
  }

  func finding(
    _ code: FindingCode, _ text: String, _ severity: Finding.Severity = .error, field: TickerField? = nil,
    help: String? = nil, fix: [Finding.Edit] = []
  ) -> Finding {
    Finding(
      code, severity, "\(market.rawValue): the \(spec.channel.rawValue) stream of \(pair): \(text)",
      about: .table(exchange: exchange, market: market.rawValue, pair: "\(pair)", field: field?.rawValue), help: help,
      fix: fix)
  }
}

extension StreamInference {
  /// - Parameter rows: Of the table requested at the same time, with their pairs spelled as in its config.
  package init(_ messages: [[UInt8]], beside rows: [Ticker], of table: TableSpec, tablePaths: [Role: String]) {
    let known = rows.compactMap { row in
      let spelling = table.spelling(of: row.pair)
      return KnownRow(row, asset: spelling.asset, payment: spelling.payment)
    }
    self.init(messages, beside: known, tablePaths: tablePaths)
  }
}

extension AnswerFailure {
  /// Whether the exchange itself reports it, in its own words.
  fileprivate var isOfExchange: Bool {
    switch reason {
    case .exchangeError, .notListed, .halted: true
    default: false
    }
  }
}

extension Ticker {
  /// Returns whether a field spans the same time in both rows: a table may count from midnight, its stream over 24 hours.
  fileprivate func hasSpan(of other: Ticker, for field: TickerField) -> Bool {
    switch field {
    case .changePricePercent24: changeBasis?.label == other.changeBasis?.label
    case .high: highBasis?.label == other.highBasis?.label
    case .low: lowBasis?.label == other.lowBasis?.label
    default: true
    }
  }
}
