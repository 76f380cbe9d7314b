import Config
import Formats
import JSON
import Mapping
import MarketData
import Quotes
import Terminal

/// The presentation of an exchange rate.
struct RateView {
  let quote: RateQuote
  /// The reference time for its age.
  let moment: Instant

  init(_ quote: RateQuote, at moment: Instant) {
    self.quote = quote
    self.moment = moment
  }

  /// `1272.00 (-0.16%)`, in the color of the change.
  var text: StyledText {
    let percent = quote.changePercent.value
    let change = percent.map { " (\($0.signedPercentText)%)" } ?? ""
    return StyledText(quote.rate.rateText + change, percent.map { Style(ofChange: $0) } ?? .neutral)
  }

  /// The change with as many decimals as the displayed rate: `-2.00`.
  var changeText: String? {
    guard let change = quote.change.value else { return nil }
    let text = change.fixedText(places: PriceDigits.places(of: quote.rate.rateText))
    return text.hasPrefix("-") ? text : "+" + text
  }

  /// Returns when the rate was quoted, in Seoul time, and how long ago; just the date if no time is known.
  func timeText(_ language: Language) -> StyledText {
    guard let time = quote.time else { return StyledText(quote.date ?? "-") }
    let text = StyledText(ClockText.seoul(time))
    guard let age = quote.age(at: moment).map({ language.age(nanoseconds: $0) }) else { return text }
    return text + StyledText(language(" (\(age) ago)", " (\(age) 전)"), .dim)
  }

  /// Returns caveats: `daily`, `last known, timeout`.
  ///
  /// - Parameter hasDoubts: false for only those that do not make the rate doubtful: `inverted`.
  func remarks(_ language: Language, hasDoubts: Bool = true) -> [String] {
    labels.filter { hasDoubts || $0.doubt(language) == nil }.map { $0.explanation(language) }
  }

  /// Returns the caveats beside a figure that the rate is part of: `(rate old, unchecked)`; nil if there are none.
  func remark(_ language: Language) -> String? {
    let remarks = remarks(language).joined(separator: ", ")
    return remarks.isEmpty ? nil : language("(rate \(remarks))", "(환율 \(remarks))")
  }

  /// The codes of the labels: `old,unchecked`.
  var codes: String { labels.map(\.code).joined(separator: ",") }

  /// The quote's labels, plus any that apply since then.
  private var labels: [RateLabel] {
    quote.labels + (quote.isOld(at: moment) && !quote.labels.contains(.old) ? [.old] : [])
  }

  /// Returns what makes the rate doubtful in a word or two, with its age: `old 7h`; nil if nothing does.
  func doubt(_ language: Language, hasAge: Bool = true) -> StyledText? {
    guard let word = labels.compactMap({ $0.doubt(language) }).min(by: { $0.rank < $1.rank }) else { return nil }
    let age = hasAge ? quote.age(at: moment).map { " \(language.age(nanoseconds: $0))" } : nil
    return StyledText(word.text + (age ?? ""), .warning)
  }

  /// Returns the newest known rate, which never replaces a missing one.
  func lastKnown(_ language: Language) -> StyledText {
    StyledText("\(quote.rate.rateText)  \(quote.institution)  ", .dim) + timeText(language)
  }
}

extension RateLabel {
  /// Returns the label in a word or two if it makes the rate doubtful, the worst with the lowest rank; nil if it does not.
  fileprivate func doubt(_ language: Language) -> (rank: Int, text: String)? {
    switch self {
    case .old: (0, explanation(language))
    case .undated: (1, explanation(language))
    case .kept: (2, language("last known", "마지막 환율"))
    case .unconfirmed: (1, language("unconfirmed", "미확인"))
    case .daily: (3, explanation(language))
    case .unchecked: (4, explanation(language))
    case .implied, .crossed, .inverse, .confirmed: nil
    }
  }

  /// Returns the label in words, without details that only matter on close inspection.
  func explanation(_ language: Language) -> String {
    switch self {
    case .daily: language("daily", "일일 고시")
    case .kept(let failure): language("last known, ", "마지막 환율, ") + failure.reason.code
    case .old: language("old", "오래됨")
    case .undated: language("of unknown age", "시각 불명")
    case .implied: language("implied by a stablecoin's price", "스테이블코인 가격에서 역산")
    case .crossed(let currency): language("through \(currency)", "\(currency) 경유")
    case .inverse: language("inverted", "역수")
    case .confirmed(let provider): language("far from the last, confirmed by \(provider)", "직전과 차이 큼, \(provider) 확인")
    case .unconfirmed(let other, let provider, let pair):
      (pair.map { "\($0) " } ?? "")
        + language("far from \(provider.map { "\($0)'s" } ?? "the last"), ", "\(provider.map { "\($0)의" } ?? "직전") ")
        + language("\(other.rateText), unconfirmed", "\(other.rateText.koreanAnd) 차이 큼, 미확인")
    case .unchecked: language("unchecked", "검증 안 됨")
    }
  }
}

extension String {
  /// A number with the word for "and", which depends on whether its last digit, as it is read, ends in a consonant:
  /// `1400과`, `1461.5와`.
  var koreanAnd: String { self + (last.map { "2459".contains($0) } == true ? "와" : "과") }
}

// MARK: - Failures

extension RateReport {
  /// Returns briefly why there is no rate: one provider's reason, or how many have failed.
  ///
  /// - Parameter namesOption: whether to say which option shows more, as the head of a report does; on a live screen none
  ///   can be given.
  func shortReason(_ language: Language, namesOption: Bool = false) -> String {
    let count = refusal == nil && failedSteps.count > 1 ? failureCount(language, namesOption: namesOption) : nil
    return count ?? reason(language) ?? ""
  }

  /// Returns why there is no rate; codes are the same in both languages.
  func reason(_ language: Language) -> String? {
    guard language == .korean else { return reason }
    return reason { absence in
      switch absence {
      case .refused(let flag): flag.message(.korean)
      case .noRoute: "환율 규칙 없음"
      case .noProvider: "제공처 없음"
      }
    }
  }

  /// Returns `3 providers failed, -v shows more`, or nil if none failed.
  func failureCount(_ language: Language, namesOption: Bool) -> String? {
    let count = failedSteps.count
    guard count > 0 else { return nil }
    let failed = language("\(count.counted("provider")) failed", "제공처 \(count)곳 실패")
    return failed + (namesOption ? language(", -v shows more", ", -v로 자세히 보기") : "")
  }

  package var failureLines: [String] {
    failedSteps.map { "\(pair): \($0.rule.use): \(explanation(of: $0, .english))" }
  }
}

// MARK: - JSON

extension RateQuote {
  /// The quoting institution in the provider's own words, or else the provider's name.
  var institution: String { quotedBy ?? provider }

  var changeReasons: [(title: String, code: String?)] {
    [("change", change.missing?.code), ("changePercent", changePercent.missing?.code)]
  }

  /// The age in seconds, with its decimals; nil if unknown.
  func ageSeconds(at moment: Instant) -> String? { age(at: moment).map { Decimal.seconds(nanoseconds: $0) } }
}

extension RateReport {
  /// Returns the rate as an object; a missing one is null with its reason alongside.
  ///
  /// - Parameter moment: the reference time for ages.
  func json(at moment: Instant) -> JSONValue {
    let quote = quote
    let rate: JSONValue = [
      "pair": .string("\(pair)"),
      "rate": .text(quote?.rate.shortest),
      "open": .text(quote?.open.value?.shortest),
      "change": .text(quote?.change.value?.shortest),
      "changePercent": .text(quote?.changePercent.value?.quotientText),
      "reasons": .reasons(quote?.changeReasons ?? []),
    ]
    let rest: JSONValue = [
      "openSource": .text(quote?.openProvider),
      "openTime": .text(quote?.openTime?.iso8601),
      "labels": .texts(quote?.labels.map(\.code) ?? []),
      "openReason": .text(openReason?.description ?? quote?.open.missing?.code),
      "reason": .text(reason),
      "lastKnown": lastKnown.map { ["rate": .string($0.rate.shortest)] + Self.origin(of: $0, at: moment) } ?? nil,
    ]
    return rate + Self.origin(of: quote, at: moment) + rest
  }

  private static func origin(of quote: RateQuote?, at moment: Instant) -> JSONValue {
    [
      "provider": .text(quote?.institution),
      "source": .text(quote?.provider),
      "date": .text(quote?.date),
      "time": .text(quote?.time?.iso8601),
      "ageSeconds": .text(quote?.ageSeconds(at: moment)),
    ]
  }
}
