import Mapping
import MarketData
import Quotes
import Terminal

/// The first line of a live view of one pair: its subject, prices, the rate and the clock.
struct PairHeader {
  let scene: PairScene
  /// The index of the source whose price comes first: the one that is shown.
  var leading = 0
  /// The price of a dollar that a premium of local over dollar prices is measured by.
  var basis = DollarBasis.official
  /// The time that the clock shows, which goes on while the display is frozen; nil for that of the scene.
  var clock: Instant?

  private var sources: [PairBoard.Source] {
    let all = scene.board.sources
    guard all.indices.contains(leading), leading > 0 else { return all }
    return [all[leading]] + all[..<leading] + all[(leading + 1)...]
  }

  /// `BTC/KRW  비트코인  Upbit 134512000 +0.46u         1461.50 (-0.23%)  KST 14:12:07`
  ///
  /// As space shrinks, these are dropped in turn: the premium of the first over the second, the second price, and before
  /// each of them the name; then the rate's name, the rate, the clock's name, and why a price is old. That it is old, and
  /// how old, is shown at any width.
  var line: StyledText {
    let board = scene.board
    let time = StyledText(scene.zone.clock(clock ?? scene.now))
    let clock = StyledText("\(scene.zone.name) ") + time
    let rates = rates
    let doubt = rateDoubt.map { $0 + "  " + clock }
    let name = board.name?.text(first: scene.language)
    let count = board.sources.count
    let names = name == nil ? [nil] : [name, nil]
    let lefts =
      (premium.map { premium in names.map { left($0, prices: count, premium) } } ?? [])
      + names.map { left($0, prices: count) }
      + names.map { left($0, prices: 1) } + [left(nil, prices: 1, isBrief: true)]
    let rights = (rates.map { $0 + "  " + clock } + [doubt, clock, time]).compactMap(\.self)
    // Why a price is old matters more than the rate.
    for (place, left) in lefts.enumerated() {
      for right in rights.prefix(place + 2 >= lefts.count ? rights.count : 1)
      where left.width + 1 + right.width <= scene.width {
        return StyledText.spread(left, right, scene.width)
      }
    }
    guard let last = lefts.last, let first = sources.first else { return time }
    // A truncated number would be a different number, so the pair and name are dropped first.
    let price = price(of: first, isBrief: true, hasName: false)
    return StyledText.spread(last.width <= scene.width ? last : price, time, scene.width)
  }

  private func left(_ name: String?, prices: Int, _ premium: StyledText = "", isBrief: Bool = false) -> StyledText {
    var line = StyledText(title, .heading)
    if let name { line += StyledText("  \(name)", .dim) }
    for source in sources.prefix(prices) {
      line += "  " + price(of: source, isBrief: isBrief)
    }
    return line + premium + LiveText.replay(scene.settings.isReplay, scene.language)
  }

  /// `  premium +0.54 %`, `  premium -0.04 % by USDT/KRW`: the premium of the first price over the second in one currency,
  /// or `identity` if they cannot belong to the same coin. nil if either, or the token's, is missing, doubtful, or possibly
  /// old.
  private var premium: StyledText? {
    guard let first = sources.first, let second = sources.dropFirst().first,
      first.pair.asset == second.pair.asset, first.failure == nil, second.failure == nil,
      let last = first.lastPrice(at: scene.now, scene.settings.rule),
      let other = second.lastPrice(at: scene.now, scene.settings.rule), !last.isOld, !other.isOld,
      last.objection == nil, other.objection == nil
    else { return nil }
    let (payment, currency) = (second.pair.payment, first.pair.payment)
    let token = basis == .token ? scene.tokenRates(from: payment, to: currency) : nil
    let converted =
      token == nil
      ? scene.conversion(from: payment, to: currency).converted(other.price)
      : token?.latest(from: payment, at: scene.now).map { other.price * $0.rate }
    guard let base = converted, base.signum > 0, let percent = last.price.percent(above: base)
    else { return nil }
    let flag = scene.settings.identity.finding(last.price, beside: base, of: second.exchange)
    return StyledText(scene.language("  premium ", "  프리미엄 "))
      + (flag.map { StyledText($0.code, .warning) } ?? StyledText(percent: percent, unit: " %"))
      + (token.map { StyledText(" \($0.basis.words(scene.language))", .dim) } ?? "")
  }

  /// The pair, or just the asset if the sources have different payment currencies.
  private var title: String {
    let pairs = scene.board.sources.map(\.pair).unique
    return pairs.count == 1 ? "\(pairs[0])" : pairs.first?.asset ?? ""
  }

  /// Returns `Upbit 134512000 +0.46u`, `Upbit 134512000 (timeout, 40s old)` for an old price, or `Upbit 134512000 (range)`
  /// for one that no headline takes.
  ///
  /// - Parameters:
  ///   - isBrief: whether to reduce the remark on an old price to its age.
  ///   - hasName: whether to include the exchange's name.
  private func price(of source: PairBoard.Source, isBrief: Bool = false, hasName: Bool = true) -> StyledText {
    let language = scene.language
    var line = StyledText(hasName ? "\(source.name(language)) " : "")
    guard let last = source.lastPrice(at: scene.now, scene.settings.rule) else {
      let reason = isBrief ? nil : source.tickerFailure?.reason ?? source.ticker?.price.missing
      return line + StyledText.nothing + StyledText(reason.map { " (\($0.code))" } ?? "", .warning)
    }
    line += StyledText(last.price.shortest, source.ticker?.changeStyle ?? .neutral)
    return line + (last.remark(language, isBrief: isBrief) ?? source.change(at: scene.now))
  }

  /// The rate with its name, and without, where the name is left out if there is little room.
  private var rates: [StyledText] {
    guard let report = scene.board.rate else { return [] }
    guard let quote = report.quote else {
      return [StyledText("\(report.pair) - (\(report.shortReason(scene.language)))", .dim)]
    }
    let view = RateView(quote, at: scene.now)
    let text = view.doubt(scene.language).map { view.text + "  " + $0 } ?? view.text
    return [StyledText("\(report.pair) ") + text, text]
  }

  /// Returns a note about a rate that is itself not shown: `USD/KRW old 7h`; nil if it is fresh.
  private var rateDoubt: StyledText? {
    guard let report = scene.board.rate, let quote = report.quote else { return nil }
    return RateView(quote, at: scene.now).doubt(scene.language).map { StyledText("\(report.pair) ") + $0 }
  }
}

extension PairBoard.Source {
  struct LastPrice {
    let price: Decimal
    /// In nanoseconds.
    let age: Int64
    /// Why there is no newer one; nil if it is the newest.
    let reason: AnswerFailure?
    /// Why it is in no headline; nil if it may be.
    let objection: HeadlineObjection?

    var isOld: Bool { age >= oldAfter }

    /// Why it is not simply the price of now: ` (range)`, ` (mid, timeout, 40s old)`, in brief ` (mid, 40s)`; nil if it is.
    func remark(_ language: Language, isBrief: Bool) -> StyledText? {
      let age = language.quietAge(nanoseconds: age).map { isBrief ? $0 : language("\($0) old", "\($0) 전") }
      let why = age == nil || isBrief ? nil : reason?.reason.code
      let parts = [objection?.code, why, age].compactMap(\.self)
      return parts.isEmpty ? nil : StyledText(" (\(parts.joined(separator: ", ")))", .warning)
    }
  }

  /// Returns the last paid price from whichever was updated last: the tape, the ticker or the newest candle. If several
  /// are recent, the first one counts. A trade, also that of a ticker, and a candle that has ended are as old as they say
  /// themselves; one with a time to come is none.
  func lastPrice(at now: Instant, _ rule: HeadlineRule) -> LastPrice? {
    func age(_ moments: Instant?...) -> Int64 {
      moments.compactMap { $0.map { now.nanoseconds(since: $0) } }.max() ?? .max
    }
    var known: [LastPrice] = []
    func add(_ price: Decimal, _ age: Int64, _ reason: AnswerFailure?, _ objection: HeadlineObjection? = nil) {
      known.append(LastPrice(price: price, age: age, reason: reason, objection: objection))
    }
    if let trade = lastTrade { add(trade.price, age(answered, lastTraded), failure) }
    if let ticker, let price = ticker.price.value {
      add(
        price, age(tickerArrival, ticker.timeBasis == .trade ? ticker.timeByClock : nil), tickerFailure,
        ticker.headlineObjection(rule))
    }
    if let candles, let last = candles.candles.last(where: { !$0.start.isFuture(at: now) }) {
      add(last.close, age(answered, candles.grid.end(of: last.start)), failure)
    }
    // Old ones are compared at displayed precision; ties go to the first.
    return known.first { !$0.isOld } ?? known.min { $0.age / Self.oldAfter < $1.age / Self.oldAfter }
  }

  /// Returns the ticker's daily change with a blank before it, if the ticker is recent and no check objects to it.
  fileprivate func change(at now: Instant) -> StyledText {
    guard let ticker, let tickerArrival, now.nanoseconds(since: tickerArrival) < Self.oldAfter,
      !ticker.flags.contains(where: \.excludes)
    else { return "" }
    return " " + (ticker.changeText.map { StyledText($0, ticker.changeStyle) } ?? ticker.changeCell)
  }
}
