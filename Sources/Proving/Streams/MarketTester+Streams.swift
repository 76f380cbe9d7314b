import Cassettes
import Config
import Mapping
import MarketData
import Quotes

extension MarketTester {
  /// Tests the connections of the market, each with its channel's mapping: the recorded ones, or one new connection per
  /// channel.
  ///
  /// - Parameter tables: Those of the same moment; without rows in them, streams cannot be judged.
  func streams(beside tables: [TestedTable], _ blocks: [TestedBlock]) async -> [TestedStream] {
    if let live = tester.live { return await liveStreams(live, beside: tables, blocks) }
    let lead = "\(market.market.rawValue)-"
    return await concurrently(tester.tapes.filter { $0.name.hasPrefix(lead) }) { name, tape in
      await stream(ConnectionName(name), tape, beside: tables, blocks)
    }
  }

  private func liveStreams(
    _ live: LiveStreams, beside tables: [TestedTable], _ blocks: [TestedBlock]
  ) async -> [TestedStream] {
    // Recordings of two parts with the same pair would have the same name.
    var names: Set<String> = []
    var (first, others): ([StreamSubject], [StreamSubject]) = ([], [])
    for subject in await subjects(tables) {
      if names.insert(subject.name).inserted { first.append(subject) } else { others.append(subject) }
    }
    let heard = await live.heard(first, of: market)
    let tested = await concurrently(heard.all) { name, tape, connections in
      await stream(ConnectionName(name), tape, beside: tables, blocks, connections)
    }
    let untried = others.map { subject in
      let text = "\(market.market.rawValue): a second part with the pair of \(subject.name) is not tested"
      return untested(subject.channel, subject.pairs[0].pair, .notRecorded, .note, text)
    }
    let unrecorded = heard.problem.map { problem in
      let text = "the recording of its streams is incomplete: \(problem)"
      return untested(.ticker, Pair(asset: "", payment: ""), .unreadableRecordings, .error, text)
    }
    return tested + untried + [unrecorded].compactMap(\.self)
  }

  /// Returns a stream without readings, and why there are none.
  private func untested(
    _ channel: StreamChannel, _ pair: Pair, _ code: FindingCode, _ severity: Finding.Severity, _ text: String,
    help: String? = nil
  ) -> TestedStream {
    TestedStream(
      market: market.market, channel: channel, pair: pair,
      found: [Found(Finding(code, severity, text, about: .exchange(exchange), help: help))])
  }

  /// The parts of the market's table with their streams, and their rows in the tables.
  private func parts(_ tables: [TestedTable]) -> [(streams: StreamPart, rows: [Ticker])] {
    zip(market.tickers.named, market.streams).map { part, streams in
      (streams, tables.filter { $0.part == part.name }.wholeRows.map(\.ticker))
    }
  }

  /// Returns one for each channel of each part: a traded pair and another one beside it, or all.
  private func subjects(_ tables: [TestedTable]) async -> [StreamSubject] {
    var subjects: [StreamSubject] = []
    for (streams, rows) in parts(tables) {
      guard let pair = typicalPair(of: rows) else { continue }
      // Only a second pair shows whether its subscription leaves that of the first in force.
      let pairs = [pair, contrastingPair(to: pair, in: rows)].compactMap(\.self)
      for channel in StreamChannel.allCases {
        guard let spec = streams[channel],
          let candidate = Candidate(spec, rows, of: Array(pairs.prefix(spec.connection.maximumPairs)))
        else { continue }
        subjects.append(
          StreamSubject(
            exchange: exchange, market: market.market, channel: spec.channel, spec: spec, pairs: candidate.blankPairs,
            interval: spec.intervals.map(\.interval).min { $0.seconds < $1.seconds },
            lookups: await tester.client.lookupStates(of: spec.table), options: tester.options,
            refreshMilliseconds: market.refreshMilliseconds))
      }
    }
    return subjects
  }

  private func stream(
    _ name: ConnectionName, _ tape: StreamTape, beside tables: [TestedTable], _ blocks: [TestedBlock],
    _ connections: LiveStreams.Connections? = nil
  ) async -> TestedStream {
    let pair = name.pair
    func unused(_ text: String, help: String? = nil) -> TestedStream {
      let text = "the recorded stream \(name.text): \(text)"
      return untested(name.channel ?? .ticker, pair, .unusedRecording, .error, text, help: help)
    }
    guard let channel = name.channel, let count = name.pairCount else {
      return unused("its name is not market-channel-ASSET-PAYMENT")
    }
    let candidates = parts(tables).compactMap { streams, rows -> Candidate? in
      guard let spec = streams[channel] else { return nil }
      guard let connections else { return Candidate(spec, rows, pair, sent: tape.sent, count: count) }
      return Candidate(spec, rows, of: connections.pairs)
    }
    guard !candidates.isEmpty else { return unused("the mapping does not have this channel, or the table this pair") }
    let subscribed = candidates.lazy.flatMap { candidate in
      candidate.intervals(subscribedIn: tape).map { (candidate: candidate, interval: $0) }
    }
    guard let (candidate, interval) = subscribed.first else {
      let (text, help) = candidates[0].mismatch(with: tape, of: pair)
      return unused(text, help: help)
    }
    let blank = candidate.blankPairs
    // The time for requests was up while it was listened.
    let lookups =
      if let connections { connections.lookups } else {
        await tester.client.lookupStates(of: candidate.spec.table)
      }
    let reader = StreamReader(
      candidate.spec, market: market.market, blank, interval: interval, lookups: lookups, tester.options)
    let readings = StreamReadings(tape, reader)
    return StreamReview(
      exchange: exchange, market: market.market, spec: candidate.spec, pairs: blank, rows: candidate.pairs.map(\.row),
      pair: pair, interval: interval, readings: readings,
      askedRecords: { one in
        AskedRecords(
          blocks, of: one, interval: interval, near: tape.lines.first?.at,
          later: one == pair ? connections?.laterTrades ?? [] : [])
      }, unknownCount: candidate.unknownCount, identityPercent: tester.options.check.identity.limitPercent,
      heard: connections.map { TestedStream.Heard($0, tape, readings) }
    ).tested
  }
}

/// A channel that a recording may belong to.
private struct Candidate {
  let spec: StreamSpec
  /// The pairs of the connection.
  let pairs: [StreamPair]
  /// The number of others that it has.
  let unknownCount: Int

  /// A connection that is opened; nil if the table has no row of the first pair.
  ///
  /// - Parameter pairs: Those that it subscribes to, if it names them.
  init?(_ spec: StreamSpec, _ rows: [Ticker], of pairs: [Pair]) {
    guard let first = pairs.first, rows.contains(where: { $0.pair == first }) else { return nil }
    self.spec = spec
    unknownCount = 0
    let followed = spec.namesPair ? pairs.compactMap { pair in rows.first { $0.pair == pair } } : rows
    self.pairs = followed.map { StreamPair($0, of: spec.table) }
  }

  /// A recorded connection; nil if the table has no row of the pair.
  ///
  /// - Parameters:
  ///   - sent: What a recorded connection has sent, which names its other pairs.
  ///   - count: The number of its pairs.
  init?(_ spec: StreamSpec, _ rows: [Ticker], _ pair: Pair, sent: [String], count: Int) {
    let own = rows.filter { $0.pair == pair }
    guard !own.isEmpty else { return nil }
    self.spec = spec
    let text = SubscriptionText(sent.joined(separator: "\n"))
    let named =
      count == 1 ? [] : rows.compactMap { row in text.place(of: row).map { (row, $0) } }.sorted { $0.1 < $1.1 }.map(\.0)
    // A name may be a part of another one.
    let isSure = named.count <= count && named.contains { $0.pair == pair }
    let followed = isSure ? named : Array(own.prefix(1))
    unknownCount = spec.namesPair ? max(0, count - followed.count) : 0
    pairs = (spec.namesPair ? followed : rows).map { StreamPair($0, of: spec.table) }
  }

  /// Its pairs without the table's data.
  var blankPairs: [StreamPair] {
    pairs.map { StreamPair(row: $0.row.withoutCells, spelling: $0.spelling) }
  }

  /// Returns the intervals of those of its subscriptions that the recording begins with; a channel that is not of candles
  /// has one, without an interval.
  func intervals(subscribedIn tape: StreamTape) -> [CandleInterval?] {
    guard let now = tape.lines.first?.at else { return [] }
    let all: [(interval: CandleInterval?, word: IntervalWord?)] =
      spec.channel == .candles ? spec.intervals.map { ($0.interval, $0.word) } : [(nil, nil)]
    return all.filter { isAbout(tape, interval: $0.word, now: now) }.map(\.interval)
  }

  private func isAbout(_ tape: StreamTape, interval: IntervalWord?, now: Instant) -> Bool {
    let addresses = addresses(interval: interval, now: now)
    return tape.holds(messages(interval: interval, now: now)) && (addresses.isEmpty || addresses.contains(tape.url))
  }

  /// Returns why a recording of a pair begins with none of its subscriptions, and what may be done about it.
  func mismatch(with tape: StreamTape, of pair: Pair) -> (text: String, help: String?) {
    let hello = spec.connection.hello
    if let hello, !hello.conditions.isEmpty, tape.sent.count <= (hello.send == nil ? 0 : 1) {
      return ("nothing was subscribed, as the message that 'hello' waits for never came", "check its \"when\"")
    }
    let other = tape.sent.first { SubscriptionText($0).place(of: pair) != nil } ?? tape.url
    let start = Instant(nanoseconds: 0)
    let help =
      messages(interval: nil, now: start).last.map { "it would send \($0)" }
      ?? addresses(interval: nil, now: start).first.map { "it would open \($0)" }
    return ("no channel of the mapping subscribes like this: \(other)", help)
  }

  /// The writer of a connection's messages, in which the values of a handshake are represented by their names.
  private var writer: MessageWriter {
    let names = (spec.connection.handshake?.values ?? []).map { value in
      (value.name, MessageValue(text: value.name, isNumber: false))
    }
    return MessageWriter(spec.connection, values: Dictionary(names, uniquingKeysWith: { first, _ in first }))
  }

  /// Returns the addresses in the form of recordings if they name the pair; otherwise none.
  private func addresses(interval: IntervalWord?, now: Instant) -> [String] {
    guard spec.connection.namesPair else { return [] }
    return spec.connection.urls.compactMap { url in
      var writer = writer
      return writer.url(url, pairs.first, interval: interval, now: now)?.recorded
    }
  }

  /// Returns the subscription messages in the form of recordings.
  func messages(interval: IntervalWord?, now: Instant) -> [String] {
    let connection = spec.connection
    var writer = writer
    if let url = connection.urls.first { _ = writer.url(url, pairs.first, interval: interval, now: now) }
    if let hello = connection.hello?.send { _ = writer.message(hello, now: now) }
    return writer.subscriptions(spec, pairs, interval: interval, now: now).map(\.recorded)
  }
}

/// What a connection has sent, to be searched for pairs in any case.
private struct SubscriptionText {
  /// UTF-8 in upper case.
  private let text: [UInt8]

  init(_ text: String) { self.text = Array(text.uppercased().utf8) }

  /// Returns where the text names a row's pair, by its names or by the exchange's own for it; nil if it does not.
  func place(of row: Ticker) -> Int? {
    if let place = place(of: row.pair) { return place }
    let symbol = Array(row.symbol.uppercased().utf8)
    func isWord(_ place: Int) -> Bool {
      text.indices.contains(place) && (text[place] >= 0x80 || Character(Unicode.Scalar(text[place])).isLetter)
    }
    return symbol.isEmpty
      ? nil
      : text.indices.first { start in
        text[start...].starts(with: symbol) && !isWord(start - 1) && !isWord(start + symbol.count)
      }
  }

  /// Returns where the text names a pair, either way round, and with at most one character between; nil if it does not.
  func place(of pair: Pair) -> Int? {
    let (asset, payment) = (Array(pair.asset.utf8), Array(pair.payment.utf8))
    func isWord(_ byte: UInt8) -> Bool {
      UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
    func ends(at start: Int, _ first: [UInt8], _ second: [UInt8]) -> Bool {
      guard text[start...].starts(with: first) else { return false }
      let middle = start + first.count
      return [0, 1].contains { gap in
        guard middle + gap <= text.count, gap == 0 || !isWord(text[middle]) else { return false }
        let end = middle + gap + second.count
        return text[(middle + gap)...].starts(with: second) && (end == text.count || !isWord(text[end]))
      }
    }
    return text.indices.first { start in
      (start == 0 || !isWord(text[start - 1])) && (ends(at: start, asset, payment) || ends(at: start, payment, asset))
    }
  }
}

extension Ticker {
  /// A ticker of the same pair without any data.
  fileprivate var withoutCells: Ticker {
    Ticker(
      exchange: exchange, market: market, product: product, symbol: symbol, pair: pair, multiplier: multiplier)
  }
}
