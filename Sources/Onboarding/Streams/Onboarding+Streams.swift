import Config
import HTTP
import Inference
import JSON
import Mapping
import MarketData
import Quotes
import Shell
import Terminal

extension Onboarding {
  /// Shows the proposed channel of an exchange, based on recorded messages and the current table. Nothing is written:
  /// the URL and the subscription are up to the user.
  ///
  /// - Parameter text: The path of the messages, one per line, or of a recording; unless they are tickers, with their
  ///   kind in front: `trades=`.
  /// - Returns: Whether the block reads its own messages.
  func proposeStream(_ text: String) async throws -> Bool {
    let word = SampleWord(text, labels: BlockKind.allCases.map(\.rawValue) + [StreamChannel.ticker.rawValue])
    let kind = word.label.flatMap { BlockKind(rawValue: $0) }
    let owner = try draft.spelling(of: options.name ?? "")
    let place = try draft.place(of: owner)
    guard place.isOwn || place.isShipped else {
      throw OnboardingProblem.unknownExchange(owner, path: draft.path, suggestion: nil)
    }
    let exchange = try draft.exchange(named: owner)
    guard let side = exchange.market(market), !side.tickers.isEmpty else {
      throw OnboardingProblem.noMarket(market, of: owner)
    }
    let sample = try StreamSample(word.text, now: context.now())
    var nearest: SampleProblem?
    var reason = "it has none"
    var shown: (found: FoundChannel, spec: TableSpec, rows: [Ticker])?
    for spec in side.tickers {
      let table = await self.table(of: spec)
      if let failure = table.failures.first?.failure { reason = failure.words }
      let rows = table.rows.map(\.ticker)
      guard !rows.isEmpty else { continue }
      do throws(SampleProblem) {
        let inference = sample.inference(beside: rows, of: spec)
        if let kind {
          shown = (FoundChannel(try inference.proposal(of: kind, isFutures: market == .futures)), spec, rows)
        } else {
          let basis = spec.fields[TickerField.changePricePercent24.rawValue]?.basis
          shown = (FoundChannel(try inference.proposal(), basis: basis), spec, rows)
        }
        break
      } catch { nearest = error }
    }
    if let (found, spec, rows) = shown { return try show(found, sample, spec, rows, of: exchange) }
    if let nearest { throw OnboardingProblem.sample(nearest) }
    throw OnboardingProblem.noTableBeside(owner, reason: reason)
  }

  private func table(of spec: TableSpec) async -> TickerTable {
    let client = MarketClient(
      handler: context.handler, credentials: Credentials(nil) { _ in nil }, hooks: .shipped, now: context.now)
    let options = Interpretation(check: MeaningCheck(), hooks: .shipped)
    let question = TableQuery(market: market, options: options)
    return await client.table(of: [spec], question).table
  }

  // MARK: Output

  /// A channel of rows or records proposed from messages.
  private struct FoundChannel {
    let channel: StreamChannel
    let frame: StreamFrame
    let block: ConfigValue
    let fields: [FieldEvidence]

    init(_ proposal: StreamProposal, basis: String?) {
      (channel, frame, fields) = (.ticker, proposal.frame, proposal.fields.map { FieldEvidence($0) })
      block = proposal.block(basis: basis)
    }

    init(_ proposal: StreamBlockProposal) {
      (channel, frame, fields) = (proposal.kind.channel, proposal.frame, proposal.fields.map { FieldEvidence($0) })
      block = proposal.block
    }
  }

  private func show(
    _ found: FoundChannel, _ sample: StreamSample, _ spec: TableSpec, _ rows: [Ticker], of exchange: Exchange
  ) throws -> Bool {
    let block = sample.block(found.channel, found.block, rows)
    let reading = try StreamPreview(found.channel, block, sample, rows, spec, market, exchange, draft)
    if options.isJSON {
      context.write(json: json(found, exchange.name, block))
    } else {
      context.write(text(of: found) + "\n" + reading.text(in: context))
      context.write(
        TerminalText.sanitizedLines("\n\"streams\": \(block.text(lead: ConfigValue.lineWidth))\n"))
    }
    if let problem = reading.problem { context.note("the block does not read its own messages: \(problem)") }
    let more =
      found.channel == .candles
      ? ", what subscribes, and \"intervals\" if it has its own words" : " and what subscribes"
    context.note(
      "nothing was written: put it into \(exchange.name), at markets.\(market.rawValue), with its \"urls\"\(more)")
    return reading.problem == nil
  }

  private func text(of found: FoundChannel) -> String {
    let frame = found.frame
    let lines =
      ["rows    \(frame.rows)", "symbol  \(frame.symbolText)"]
      + frame.conditions.map { "when    \($0.text(lead: 0))" }
      + ["taken   \(frame.takenCount) of \(frame.messageCount) messages", ""]
    return lines.map { TerminalText.sanitized($0) + "\n" }.joined()
      + found.fields.text(context.columns, context.palette)
  }

  private func json(_ found: FoundChannel, _ name: String, _ block: ConfigValue) -> JSONValue {
    [
      "exchange": .string(name), "market": .string(market.rawValue), "channel": .string(found.channel.rawValue),
      "messages": .integer(found.frame.messageCount), "taken": .integer(found.frame.takenCount),
      "block": JSONValue(block), "fields": .list(found.fields, \.json),
    ]
  }
}
