import Mapping
import MarketData
import Quotes
import Terminal

/// A source of a live view of one pair: its data as reports take them, and the state of its feed in words.
extension PairBoard.Source {
  func answer<Value>(_ value: Value?) -> PairAnswer<Value> { answer(of: value.map { .success($0) }) }

  /// - Parameter result: nil for the feed's own reason.
  func answer<Value>(of result: Result<Value, AnswerFailure>?) -> PairAnswer<Value> {
    PairAnswer(
      exchange: exchange, market: market, product: product, pair: pair,
      result ?? .failure(failure ?? AnswerFailure(.notRequested)), findings: findings)
  }

  /// `Binance`, `Binance futures`
  func name(_ language: Language) -> String { market.name(of: exchange, language) }

  /// The badge, with a mark for futures: `BN`, `BNf`.
  var mark: String { market == .spot ? badge : badge + "f" }

  /// `Binance futures stableMargin`
  func marketName(_ language: Language) -> String {
    [exchange, language.word(for: market), product].compactMap(\.self).joined(separator: " ")
  }

  /// Why there is no data; nil if there is some or it may still come.
  var failure: AnswerFailure? { if case .failed(let failure, _, _) = feed { failure } else { nil } }

  // MARK: The feed

  /// The age in nanoseconds from which ages are shown.
  static let oldAfter = 10 * Instant.second

  /// Returns whether the source has failed or has sent nothing for ten seconds.
  func isSilent(at now: Instant) -> Bool {
    failure != nil || answered.map { now.nanoseconds(since: $0) >= Self.oldAfter } ?? false
  }

  /// Returns `stream`, `poll 1s`, `failed: timeout, again in 5s, 40s old`, with ages from ten seconds on. Shorter forms
  /// drop the retry and finally the reason: `failed 40s`.
  func feedTexts(_ language: Language, at now: Instant) -> [StyledText] {
    let age = language.quietAge(nanoseconds: answered.map { now.nanoseconds(since: $0) })
    let old = age.map(language.old)
    func forms(_ name: String, _ style: Style) -> [StyledText] {
      let whole = name + (old.map { ", \($0)" } ?? "")
      return [StyledText(whole, style)] + (old.map { [StyledText($0, style)] } ?? [])
    }
    func forms(_ word: FeedWord, _ failure: AnswerFailure, _ retry: Instant?) -> [StyledText] {
      let (what, style) = (word.text(language), word.style)
      let known = "\(what): \(failure.reason.code)"
      let ending = old.map { ", \($0)" } ?? ""
      return [
        StyledText(known + language.again(retry, at: now) + ending, style), StyledText(known + ending, style),
        StyledText(what + (age.map { " \($0)" } ?? ""), style),
      ]
    }
    switch feed {
    case .loading: return [StyledText(FeedWord.loading.text(language), .dim)]
    case .polled:
      let term = language.term(milliseconds: refreshMilliseconds)
      return forms("\(FeedWord.polled.text(language)) \(term)", age == nil ? .dim : .warning)
    case .streamed: return forms(FeedWord.live.text(language), age == nil ? .dim : .warning)
    case .substituted(let failure, let retry): return forms(.substituted, failure, retry)
    case .failed(let failure, _, let retry): return forms(.failed, failure, retry)
    }
  }

  // MARK: Days

  /// Returns the days as reports take them, the running one with the last price if that is newer, and whether its close
  /// is of now; nil if nothing has arrived.
  func days(at now: Instant, _ rule: HeadlineRule) -> (answer: PairAnswer<CandleSeries>, isCurrent: Bool)? {
    guard let days, let daysArrival else { return daysFailure.map { (answer(of: .failure($0)), false) } }
    let age = now.nanoseconds(since: daysArrival)
    guard let last = lastPrice(at: now, rule), last.objection == nil, last.age < age,
      let updated = days.closing(at: last.price, paid: Instant(nanoseconds: now.nanoseconds - last.age))
    else { return (answer(ofDays: days), age < Self.oldAfter) }
    return (answer(ofDays: updated), !last.isOld)
  }

  private func answer(ofDays days: CandleSeries) -> PairAnswer<CandleSeries> {
    var answer = answer(days)
    answer.findings = daysFindings
    return answer
  }

  /// What does not fit in the days, one for each kind: `candle-shape`, `candle-jump`; empty if everything does.
  var daysProblemTexts: [StyledText] { daysFindings.map(\.kind.rawValue).unique.map { StyledText($0, .warning) } }

  /// Returns how old the days are, from ten seconds on, and why: `days: http-500, 1m old`, or shorter without the reason;
  /// empty if they are fresh.
  func daysTexts(_ language: Language, at now: Instant) -> [StyledText] {
    guard let daysArrival else { return [] }
    let old = language.quietAge(nanoseconds: now.nanoseconds(since: daysArrival)).map(language.old)
    let name = language("days", "일별")
    let short = old.map { "\(name) \($0)" }
    guard let daysFailure else { return short.map { [StyledText($0, .dim)] } ?? [] }
    let whole = "\(name): " + [daysFailure.reason.code, old].compactMap(\.self).joined(separator: ", ")
    return [whole, short].compactMap(\.self).map { StyledText($0, .warning) }
  }

  /// Returns inconsistencies in the received data: `candle-grid`, `left out: candle-time at 14:12:40`, `refused:
  /// stream-bad at 14:12:44`, or shorter without the time; empty if none.
  func problemTexts(_ language: Language, _ zone: ClockZone) -> [StyledText] {
    func forms(_ what: String, _ code: String, _ last: Instant) -> [StyledText] {
      let (text, clock) = ("\(what): \(code)", zone.clock(last))
      return [StyledText(language("\(text) at \(clock)", "\(clock) \(text)"), .warning), StyledText(text, .warning)]
    }
    switch problem {
    case nil: return []
    case .shown(let finding)?: return [StyledText(finding.kind.rawValue, .warning)]
    case .leftOut(let finding, let last)?: return forms(language("left out", "제외"), finding.kind.rawValue, last)
    case .refused(let failure, let last)?: return forms(language("refused", "거부"), failure.reason.code, last)
    }
  }
}

extension CandleSeries {
  /// Returns the series with a later close of its newest candle; nil if the price was paid in another interval.
  fileprivate func closing(at price: Decimal, paid moment: Instant) -> CandleSeries? {
    guard let last = candles.last, grid.start(containing: moment) == last.start else { return nil }
    let closed = Candle(
      start: last.start, open: last.open, high: max(last.high, price), low: min(last.low, price), close: price,
      volume: last.volume, turnover: last.turnover)
    return with(Array(candles.dropLast()) + [closed])
  }
}

extension Language {
  /// Returns how old the newest trade or bar is, `the newest 3d old`; empty if not older than a limit.
  func oldTexts(_ newest: Instant?, at now: Instant, over limitNanoseconds: Int64) -> [StyledText] {
    guard let newest, case let age = now.nanoseconds(since: newest), age > limitNanoseconds else { return [] }
    let text = self.age(nanoseconds: age)
    return [StyledText(self("the newest \(text) old", "마지막 \(text) 전"), .warning)]
  }

  /// Returns `, again in 5s`, or `, retrying` from then on; empty if there is no retry.
  fileprivate func again(_ retry: Instant?, at now: Instant) -> String {
    guard let retry else { return "" }
    guard now < retry else { return self(", retrying", ", 재시도 중") }
    let seconds = (retry.nanoseconds(since: now) + Instant.second - 1) / Instant.second
    return self(", again in \(seconds)s", ", \(seconds)초 뒤 재시도")
  }

  /// Returns why data before the stream is missing: `older trades: timeout, again in 5s`; empty if it is not.
  func unfilledTexts(_ name: String, _ source: PairBoard.Source, at now: Instant) -> [StyledText] {
    guard let unfilled = source.unfilled else { return [] }
    let known = "\(name): \(unfilled.failure.reason.code)"
    return [StyledText(known + again(unfilled.retry, at: now), .warning), StyledText(known, .warning)]
  }
}
