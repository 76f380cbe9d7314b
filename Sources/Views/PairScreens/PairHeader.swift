import Mapping
import MarketData
import Quotes
import Terminal

/// The first line of a live view of one pair: what it is about, its prices, the rate and the clock.
struct PairHeader {
  let board: PairBoard
  let settings: PairSettings
  let width: Int

  /// `BTC/KRW  비트코인  Upbit 134512000 +0.46u         1461.50 (-0.23%)  KST 14:12:07`
  ///
  /// Without room the premium of the first over the second falls out, then the second price, the name, the rate, and the name
  /// of the clock.
  func line(at now: Instant) -> StyledText {
    let clock = StyledText("\(settings.zone.name) \(settings.zone.clock(now))")
    let time = StyledText(settings.zone.clock(now))
    let right = rate(at: now).map { $0 + StyledText("  ") + clock }
    let name = board.name?.text(first: settings.language)
    let count = board.sources.count
    let lefts =
      [
        premium(at: now).map { left(name, prices: count, $0) }, left(name, prices: count), left(name, prices: 1),
        left(nil, prices: 1),
      ].compactMap(\.self)
    let rights = [right, clock, time].compactMap(\.self)
    for left in lefts {
      for right in rights.prefix(lefts.last == left ? rights.count : 1) where left.width + 1 + right.width <= width {
        return WatchHeader.spread(left, right, width)
      }
    }
    return WatchHeader.spread(lefts[lefts.count - 1], time, width)
  }

  private func left(_ name: String?, prices: Int, _ premium: StyledText = "") -> StyledText {
    var line = StyledText(title, .heading)
    if let name { line = line + StyledText("  \(name)", .dim) }
    for source in board.sources.prefix(prices) { line = line + StyledText("  ") + Self.price(of: source) }
    line = line + premium
    if settings.isReplay {
      line = line + StyledText("  \(settings.language("replay", "녹화"))", .warning)
    }
    return line
  }

  /// `  premium +0.54 %`: how far the first one's price lies above the second one's, in one money; `identity` where they
  /// cannot be of one coin. nil where one of them is missing, or may be old.
  private func premium(at now: Instant) -> StyledText? {
    guard let first = board.sources.first, let second = board.sources.dropFirst().first,
      first.pair.asset == second.pair.asset, first.failure == nil, second.failure == nil,
      let price = first.lastPrice, let other = second.lastPrice
    else { return nil }
    let conversion = Conversion(
      from: second.pair.payment, to: first.pair.payment, by: board.rate, dollarTokens: settings.dollarTokens, at: now)
    guard let base = conversion.converted(other), base.signum > 0,
      let percent = (price - base).scaledByPowerOfTen(2).divided(by: base)
    else { return nil }
    let flag = settings.identity.finding(price, beside: base, of: second.exchange)
    return StyledText(settings.language("  premium ", "  프리미엄 "))
      + (flag.map { StyledText($0.code, .warning) } ?? WatchCell.percent(percent, unit: " %"))
  }

  /// The pair; the asset alone where the sources are paid in different currencies.
  private var title: String {
    let pairs = board.sources.map(\.pair).reduce(into: [Pair]()) { if !$0.contains($1) { $0.append($1) } }
    return pairs.count == 1 ? "\(pairs[0])" : pairs.first?.asset ?? ""
  }

  /// `Upbit 134512000 +0.46u`
  static func price(of source: PairBoard.Source) -> StyledText {
    let change = source.ticker.map { WatchCell.change($0) } ?? StyledText("")
    let style = source.ticker?.changeStyle ?? .neutral
    let price = source.lastPrice.map { StyledText($0.shortest, style) } ?? WatchCell.nothing
    return StyledText("\(source.exchange) ") + price + (change.width > 0 ? StyledText(" ") + change.trimmed : change)
  }

  private func rate(at now: Instant) -> StyledText? {
    guard let report = board.rate else { return nil }
    guard let quote = report.quote else {
      return StyledText("\(report.pair) - (\(report.shortReason(settings.language)))", .dim)
    }
    return RateView(quote, at: now).text
  }
}

extension PairBoard.Source {
  /// What was paid last: of the tape, else of the ticker, else of the newest candle.
  var lastPrice: Decimal? { trades.last?.price ?? ticker?.price.value ?? candles?.candles.last?.close }

  /// `stream`, `poll 1s`, `failed: timeout, again in 5s, 40s old`: the age of what is shown from ten seconds on.
  func feedText(_ language: Language, at now: Instant) -> StyledText {
    let age =
      answered.flatMap { language.quietAge(nanoseconds: now.nanoseconds(since: $0)) }.map {
        language(", \($0) old", ", \($0) 전")
      } ?? ""
    func again(_ retry: Instant?) -> String {
      guard let retry else { return "" }
      let seconds = max(0, retry.nanoseconds(since: now) + 999_999_999) / 1_000_000_000
      return language(", again in \(seconds)s", ", \(seconds)초 뒤 다시")
    }
    switch feed {
    case .loading: return StyledText(language("loading", "대기"), .dim)
    case .polled:
      let term = language.term(milliseconds: refreshMilliseconds)
      return StyledText(language("poll \(term)", "조회 \(term)") + age, age.isEmpty ? .dim : .warning)
    case .streamed: return StyledText(language("stream", "스트림") + age, age.isEmpty ? .dim : .warning)
    case .substituted(let failure, let retry):
      return StyledText(
        language("ws > poll: ", "대체 조회: ") + failure.reason.code + again(retry) + age, .warning)
    case .failed(let failure, _, let retry):
      return StyledText(language("failed: ", "실패: ") + failure.reason.code + again(retry) + age, .alert)
    }
  }
}

extension StyledText {
  /// As many of the parts as there is room for, in their order: none is cut, for half a number is another one.
  static func fitting(_ parts: [StyledText], _ separator: String, width: Int) -> StyledText {
    var line = StyledText("")
    for part in parts where part.width > 0 {
      let next = line.width == 0 ? part : line + StyledText(separator, .dim) + part
      if next.width <= width || line.width == 0 { line = next }
    }
    return line
  }

  /// The text without blanks at its end.
  var trimmed: StyledText {
    guard let last = runs.last, runs.count == 1, last.text.last == " " else { return self }
    return StyledText(String(last.text.reversed().drop { $0 == " " }.reversed()), last.style, isStrong: last.isStrong)
  }
}
