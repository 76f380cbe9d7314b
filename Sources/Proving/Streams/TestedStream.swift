package import Config
import Inference
import Mapping
package import Quotes

/// What the mapping of a channel made of a recorded connection.
package struct TestedStream: Sendable {
  package let market: Market
  package let channel: StreamChannel
  package let pair: Pair
  /// How many rows, books, candles and batches of trades came of it.
  package let updateCount: Int
  /// What the exchange said instead; nil where it gave data.
  package let refusal: String?
  package let findings: [Finding]
}

/// Judges the readings of one recorded connection beside the table of its moment.
struct StreamReview {
  let exchange: String
  let market: Market
  let spec: StreamSpec
  /// Those of the connection.
  let pairs: [StreamPair]
  /// What the table has of them, in their order.
  let rows: [Ticker]
  let pair: Pair
  let interval: CandleInterval?
  let readings: StreamReadings
  /// The candles of the pair by REST; empty where there is no recording of them.
  let candles: [Candle]
  let identityPercent: Decimal

  var tested: TestedStream {
    TestedStream(
      market: market, channel: spec.channel, pair: pair, updateCount: readings.updates.count,
      refusal: readings.updates.isEmpty ? readings.refusals.first.map { $0.message ?? $0.reason.code } : nil,
      findings: findings)
  }

  private var findings: [Finding] {
    guard !readings.updates.isEmpty else {
      if !readings.refusals.isEmpty { return [] }
      return [
        finding(
          .streamFailed, "none of its \(readings.messages.count) messages is taken",
          help: proposal.map { proposal in
            let conditions = proposal.conditions.map { ", \"when\" \($0.text())" }.joined()
            return "the rows seem to be at \"\(proposal.rows)\", their symbol at \"\(proposal.symbolText)\""
              + conditions
          } ?? "look at \"when\", \"rows\" and \"symbol\" of the channel")
      ]
    }
    let broken =
      readings.gaps.map { finding(.streamFailed, "the book begins anew: \($0)") }
      + readings.refusals.prefix(1).map {
        finding(.streamFailed, "a message is not read: \($0.reason.code)" + ($0.message.map { " (\($0))" } ?? ""))
      }
    let row = rows.first { $0.pair == pair }
    switch spec.channel {
    case .ticker, .tickers, .offers: return broken + fields
    case .trades:
      let prices = StreamRatio(.price, readings.trades.map(\.price), row?.price.value ?? .zero)
      let checks = TradeCheck.findings(readings.trades, ticker: row, arrival: readings.updates.last?.arrival)
      return broken + ratio(prices, row) + data(checks)
    case .orderbook:
      let middles = StreamRatio(.price, readings.books.compactMap(\.middle), row?.price.value ?? .zero)
      let oneSided = readings.books.allSatisfy { $0.bids.isEmpty || $0.asks.isEmpty }
      let sides = oneSided ? [finding(.streamDisagrees, "one side of the book is empty")] : []
      return broken + ratio(middles, row) + sides
    case .candles: return broken + runningCandles(row)
    }
  }

  // MARK: Rows

  /// Each field of the rows against the table's.
  private var fields: [Finding] {
    let tickers = pairs.indices.map { readings.tickers(of: $0) }
    let mapped = TickerField.allCases.filter { $0 != .time && spec.table.fields[$0.rawValue] != nil }
    var findings = mapped.flatMap { field -> [Finding] in
      let ratios = zip(tickers, rows).compactMap { said, row in
        row.cell(field).value.flatMap { StreamRatio(field, said.compactMap { $0.row.cell(field).value }, $0) }
      }
      if let bad = ratios.first(where: { !$0.isSound }), ratios.count(where: { !$0.isSound }) * 2 >= ratios.count {
        return ratio(bad, zip(ratios, rows).first { !$0.0.isSound }?.1)
      }
      let isSaid = tickers.contains { $0.contains { $0.row.cell(field).value != nil } }
      return isSaid ? [] : unsaid(field, tickers.flatMap(\.self).last?.row.cell(field).missing)
    }
    // Of numbers that are not the table's, checks say nothing more.
    guard !findings.contains(where: { $0.code == .streamDisagrees }) else { return findings }
    let flags = tickers.flatMap { $0 }.flatMap { $0.row.flags }
    let count = tickers.reduce(0) { $0 + $1.count }
    for kind in flags.map(\.kind).unique {
      let own = flags.filter { $0.kind == kind }
      guard own.count * 2 > count, let first = own.first else { continue }
      findings.append(
        finding(.failedCheck, "\(kind.rawValue): \(own.count) of \(count) rows, such as: \(first.message)"))
    }
    return findings
  }

  /// A field that no message has.
  private func unsaid(_ field: TickerField, _ missing: Missing?) -> [Finding] {
    guard let value = spec.table.fields[field.rawValue], missing != .jsonNull else { return [] }
    let paths = value.places.sorted().map { $0.split(separator: " ").last.map(String.init) ?? $0 }
    if case .lookupFailed? = missing {
      return [finding(.notRecorded, "\(field.rawValue): no recording of its lookup", .note)]
    }
    let isOwn = value.node.place.range.lowerBound >= spec.node.place.range.lowerBound && isOfStream(value)
    let text = "\(field.rawValue): \(paths.joined(separator: ", ")) leads nowhere in any message"
    if isOwn { return [finding(.fieldLost, text, field: field, help: help(for: field))] }
    return [
      finding(
        .fieldEmpty, text, .note, field: field,
        help: "write \"\(field.rawValue)\": null, and the table's value is asked for each minute")
    ]
  }

  /// The member whose numbers are the table's.
  private func help(for field: TickerField) -> String? {
    let found = proposal?.fields.first { $0.role.field == field }
    guard let found, !found.path.isEmpty, found.confidence >= 0.5 else { return nil }
    return "use \"\(found.path)\" (\(found.example)): \(found.evidence.joined(separator: ", "))"
  }

  /// What the messages themselves suggest, beside the table.
  private var proposal: StreamProposal? {
    guard spec.channel.feedsRows else { return nil }
    let known = rows.compactMap { row in
      let spelling = spec.table.spelling(of: row.pair)
      return StreamInference.KnownRow(row, asset: spelling.asset, payment: spelling.payment)
    }
    return try? StreamInference(readings.messages, beside: known, tablePaths: [:]).proposal()
  }

  /// Whether the channel says the field itself, rather than take it from the table.
  private func isOfStream(_ value: ValueSpec) -> Bool {
    value.node.place.file.name == spec.node.place.file.name
      && value.node.place.range.upperBound <= spec.node.place.range.upperBound
  }

  // MARK: Candles

  private func runningCandles(_ row: Ticker?) -> [Finding] {
    let own = readings.candles
    guard let interval, let last = own.last else { return [] }
    let grid = CandleGrid(interval, zoneSeconds: spec.zoneSeconds)
    let checks = CandleCheck(CandleSeries(own, on: grid)).findings(
      ticker: nil, identityPercent: identityPercent, arrival: readings.updates.last?.arrival)
    let closes = StreamRatio(.price, own.map(\.close), row?.price.value ?? .zero)
    // The same candle by REST has fewer amounts by what was traded since, in the first seconds most of them.
    let asked = candles.first { $0.start == last.start }
    let volume = asked?.volume.value.flatMap { StreamRatio(.volume24, last.volume.value.map { [$0] } ?? [], $0) }
    let isFar = volume.map { $0.median > 80 || $0.median < 0.0125 } ?? false
    return data(checks) + ratio(closes, row) + (isFar ? ratio(volume, nil) : [])
  }

  // MARK: Words

  private func ratio(_ ratio: StreamRatio?, _ row: Ticker?) -> [Finding] {
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

  private func data(_ found: [DataFinding]) -> [Finding] {
    found.filter(\.isOfMapping).map { finding(.streamDisagrees, "\($0.kind.rawValue): \($0.fact)", help: $0.advice) }
  }

  private func finding(
    _ code: FindingCode, _ text: String, _ severity: Finding.Severity = .error, field: TickerField? = nil,
    help: String? = nil
  ) -> Finding {
    Finding(
      code, severity, "\(market.rawValue): the \(spec.channel.rawValue) stream of \(pair): \(text)",
      about: .table(exchange: exchange, market: market.rawValue, pair: "\(pair)", field: field?.rawValue), help: help)
  }
}
