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
    let (exchange, side) = try streamed()
    let sample = try StreamSample(word.text, now: context.now())
    var nearest: SampleProblem?
    var reason = "it has none"
    var shown: (found: FoundChannel, spec: TableSpec, rows: [Ticker])?
    let names = options.keys.streamFields.filter { !$0.value.isNull }.map(\.name)
    let given = Set(names + (givesPrice ? ["price"] : []))
    for spec in side.tickers {
      let table = await self.table(of: spec)
      if let failure = table.failures.first?.failure { reason = failure.words }
      let rows = table.rows.map(\.ticker)
      guard !rows.isEmpty else { continue }
      do throws(SampleProblem) {
        let inference = sample.inference(beside: rows, of: spec)
        if let kind {
          let proposal = try inference.proposal(of: kind, isFutures: market == .futures, given: given)
          shown = (FoundChannel(proposal), spec, rows)
        } else {
          let basis = spec.fields[TickerField.changePricePercent24.rawValue]?.basis
          let proposal = try inference.proposal()
          shown = (FoundChannel(proposal, basis: basis, givesPrice: givesPrice), spec, rows)
        }
        break
      } catch { nearest = error }
    }
    if let (found, spec, rows) = shown { return try show(found, sample, spec, rows, of: exchange) }
    if let nearest { throw OnboardingProblem.sample(nearest) }
    throw OnboardingProblem.noTableBeside(exchange.name, reason: reason)
  }

  /// Returns the exchange that the streams are of, and its market with a table.
  private func streamed() throws(OnboardingProblem) -> (exchange: Exchange, side: ExchangeMarket) {
    let owner = try draft.spelling(of: options.name ?? "")
    let place = try draft.place(of: owner)
    guard place.isOwn || place.isShipped else {
      throw .unknownExchange(owner, path: draft.path, suggestion: nil)
    }
    let exchange = try draft.exchange(named: owner)
    guard let side = exchange.market(market), !side.tickers.isEmpty else { throw .noMarket(market, of: owner) }
    return (exchange, side)
  }

  // MARK: Given keys

  /// Adds the streams given with `--set` to a market of an exchange, beside those that are there.
  ///
  /// - Returns: Whether they are written, or would be without the dry run.
  mutating func addStreams() throws -> Bool {
    let name = try streamed().exchange.name
    let before = try draft.ownStreams(of: name, market) ?? .object([])
    let block = options.keys.overriding(streams: before, of: nil)
    try draft.setStreams(of: name, market, block)
    // Nothing is written that cannot be read.
    _ = try draft.exchange(named: name)
    if options.isJSON {
      context.write(
        json: [
          "exchange": .string(name), "market": .string(market.rawValue), "streams": JSONValue(block),
        ])
    } else {
      context.write(Self.text(of: block, named: "streams"))
    }
    return try write() || options.isDry
  }

  /// Whether the user says what the price is.
  private var givesPrice: Bool { options.keys.givePrice || options.hints.paths[.price] != nil }

  /// Returns a proposed block with all that is given.
  ///
  /// - Throws: If a given path leads nowhere in the messages, or if it is still unknown what the price is.
  private func settled(
    _ proposed: ConfigValue, _ found: FoundChannel, _ inference: StreamInference
  ) throws(OnboardingProblem) -> ConfigValue {
    let name = found.channel.rawValue
    var block = proposed
    if let rows = options.hints.rows { block.set([name, "rows"], to: ExchangeBlock.value(ofRows: rows)) }
    if let price = options.hints.paths[.price] {
      let place = found.channel == .orderbook ? [name, "price"] : [name, "fields", "price"]
      block.set(place[...], to: .text(price))
    }
    block = options.keys.overriding(streams: block, of: found.channel)
    if found.channel == .ticker, block[[name, "fields", "price"]]?.isNull == true {
      throw .sample(.noStream("no member is sure to be the price; say which one is with --set fields.price=PATH"))
    }
    guard case .text(let rows)? = block[[name, "rows"]] else { return block }
    for field in options.keys.streamFields {
      guard case .text(let path) = field.value, SampleHints.isPath(path), !path.contains("{") else { continue }
      guard inference.hasAnything(at: path, below: rows) else {
        throw .sample(.nothingAt(what: field.name, path: path))
      }
    }
    return block
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
    private(set) var fields: [FieldEvidence]

    /// - Parameter givesPrice: Whether the user says what the price is.
    init(_ proposal: StreamProposal, basis: String?, givesPrice: Bool) {
      (frame, fields) = (proposal.frame, proposal.fields.map { FieldEvidence($0) })
      let isOfOffers = proposal.isOfOffers && !givesPrice
      channel = isOfOffers ? .offers : .ticker
      block = isOfOffers ? proposal.offersBlock : proposal.block(basis: basis)
    }

    init(_ proposal: StreamBlockProposal) {
      (channel, frame, fields) = (proposal.kind.channel, proposal.frame, proposal.fields.map { FieldEvidence($0) })
      block = proposal.block
    }

    /// Puts given fields in the place of those that were found.
    mutating func take(_ given: [(name: String, value: ConfigValue)]) {
      for field in given {
        let evidence = FieldEvidence(given: field.name, field.value)
        if let place = fields.firstIndex(where: { $0.name == field.name }) {
          fields[place] = evidence
        } else {
          fields.append(evidence)
        }
      }
    }
  }

  private func show(
    _ found: FoundChannel, _ sample: StreamSample, _ spec: TableSpec, _ rows: [Ticker], of exchange: Exchange
  ) throws -> Bool {
    var found = found
    let proposed = sample.block(found.channel, found.block, rows)
    let block = try settled(proposed, found, sample.inference(beside: rows, of: spec))
    found.take(options.keys.streamFields)
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
