import Mapping
import MarketData
import Quotes
package import Terminal

/// The language of the interface. Texts from exchanges and errors are not translated.
package enum Language: String, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"

  /// Creates the language of a locale: Korean, or English for any other one or none.
  package init(locale: LocaleName?) { self = locale?.isKorean == true ? .korean : .english }

  /// Returns one of two texts, so that translations are written where they are used.
  package func callAsFunction(_ english: String, _ korean: String) -> String { self == .korean ? korean : english }

  func callAsFunction(_ phrase: Phrase) -> String { self(phrase.english, phrase.korean) }

  /// `5 of 9`
  func part(_ count: Int, of all: Int) -> String { "\(count)\(self(" of ", "/"))\(all)" }

  func word(for market: Market) -> String {
    switch market {
    case .spot: self("spot", "현물")
    case .futures: self("futures", "선물")
    }
  }

  /// Returns the name of an account of an exchange as in its config, which may be that of a market.
  func account(_ name: String) -> String { Market(rawValue: name).map { word(for: $0) } ?? name }

  /// Returns what a bar of a chart lasts: `1h`, `1시간봉`.
  func bar(_ interval: CandleInterval) -> String {
    guard self == .korean else { return interval.rawValue }
    switch interval {
    case .oneDay: return "일봉"
    case .oneWeek: return "주봉"
    default: return span(interval.rawValue) + "봉"
    }
  }

  /// Returns a short amount, `1.84B`, in the language's units: `18.4억`, with four digits where there are no places.
  func amount(_ value: Decimal) -> String {
    guard self == .korean else { return value.compactText }
    let units: [(power: Int, name: String)] = [(12, "조"), (8, "억"), (4, "만")]
    let number = value.rounded(toSignificantDigits: 4)
    guard let unit = units.first(where: { number.magnitude >= Decimal(1).scaledByPowerOfTen($0.power) }) else {
      return number.shortest
    }
    let part = value.scaledByPowerOfTen(-unit.power)
    let size = part.rounded(toSignificantDigits: 3).magnitude
    return part.fixedText(places: size >= 100 ? 0 : size >= 10 ? 1 : 2) + unit.name
  }

  /// What is said after a picture was copied, or was too large for that.
  func copiedScreen(_ picture: String) -> String {
    TerminalMessage.canCopy(picture)
      ? self("copied the screen", "화면 복사함") : self("the screen is too large to copy", "화면이 너무 커서 복사할 수 없음")
  }

  /// Returns an age or polling interval in the language's units: `19s` becomes `19초`.
  func span(_ text: String) -> String {
    guard self == .korean, let unit = text.last, text.dropLast().last?.isNumber == true else { return text }
    let units: [Character: String] = ["s": "초", "m": "분", "h": "시간", "d": "일"]
    return units[unit].map { text.dropLast() + $0 } ?? text
  }

  /// Returns an age in the largest unit that fits.
  func age(nanoseconds: Int64) -> String { span(ClockText.age(nanoseconds: max(0, nanoseconds))) }

  /// Returns the age of something expected to be fresh, in coarse steps: nil below ten seconds, then `10s`, `20s` ..
  /// `1m`, `2m` .., and nil for an unknown age.
  func quietAge(nanoseconds: Int64?) -> String? {
    guard let nanoseconds, case let seconds = nanoseconds / 1_000_000_000, seconds >= 10 else { return nil }
    return seconds < 60 ? span("\(seconds / 10 * 10)s") : age(nanoseconds: nanoseconds)
  }

  /// Returns a polling interval: `800ms`, `2s`, `1.3s`.
  func term(milliseconds: Int) -> String {
    if milliseconds < 1000 { return "\(milliseconds)ms" }
    let tenths = (milliseconds + 50) / 100
    return span(tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s")
  }

  /// Returns the abbreviated name of a weekday.
  func short(_ weekday: Weekday) -> String {
    let names =
      self == .korean
      ? ["월", "화", "수", "목", "금", "토", "일"] : ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    return names[weekday.rawValue - 1]
  }
}

extension Market {
  /// Returns the name of an exchange, followed by this market unless it is spot: `Okx futures`.
  func name(of exchange: String, _ language: Language = .english) -> String {
    self == .spot ? exchange : "\(exchange) \(language.word(for: self))"
  }
}

extension PairAnswer {
  /// `Upbit spot BTC/KRW`, `Upbit 현물 BTC/KRW`
  func title(_ language: Language) -> String {
    ["\(exchange) \(language.word(for: market)) \(pair)", product].compactMap(\.self).joined(separator: " ")
  }
}

extension RowKey {
  var nameInMarket: String { nameInMarket(.english) }

  func nameInMarket(_ language: Language) -> String { market.name(of: exchange, language) }
}

extension TableFailure {
  /// Returns what the exchange or we say about it; the exchange's own words are not translated.
  func message(_ language: Language) -> String? {
    guard language == .korean else { return message }
    switch reason {
    case .http(let status) where explainsStatus:
      switch status {
      case 401: return "인증 실패"
      case 403: return "거부됨, 대개 지역 또는 IP 차단"
      case 404: return "페이지 없음"
      case 407: return "프록시 로그인 필요"
      case 418: return "요청이 너무 많아 차단됨"
      case 429: return "요청이 너무 많음"
      case 451: return "이 지역에서 차단됨"
      case 500...599: return "거래소 서버 오류"
      default: return message
      }
    case .notSent(let code) where "\(code)" == "not-allowed": return "요청이 기본 설정과 다름"
    case .notSent(let code) where "\(code)" == "nonce-busy": return "같은 키의 다른 요청이 진행 중"
    default: return message
    }
  }

  /// `http-451 (blocked in this region)`, or the code alone.
  func wordsInParentheses(_ language: Language) -> String {
    reason.code + (message(language).map { " (\($0))" } ?? "")
  }
}

extension HeadlineObjection {
  /// Returns what is shown beside a price, or beside the code of a missing one: `range: price 110 is more than ..`.
  func remark(_ language: Language, _ lapse: Lapse? = nil) -> String {
    if case .missing = self { return language("no usable price", "사용할 수 있는 가격 없음") }
    return "\(code): \(explanation(language, lapse))"
  }

  /// Returns why a row is in no headline.
  ///
  /// - Parameter lapse: How long the row has been unconfirmed, if that is too long.
  func explanation(_ language: Language, _ lapse: Lapse? = nil) -> String {
    guard language == .korean else { return explanation }
    switch self {
    case .missing(let reason): return "가격 없음: \(reason.code)"
    case .basis(let basis):
      let name =
        switch basis {
        case .last: "최종 체결가"
        case .mid: "중간가"
        case .mark: "마크 가격"
        case .oracle: "외부 가격"
        }
      return "체결가가 아닌 \(name); --basis any로 포함"
    case .flagged(let flag):
      guard flag.kind == .stale, let lapse else { return flag.message }
      return lapse.text(language)
    case .oldTrade(let age): return "마지막 체결 \(language.age(nanoseconds: age)) 전; --max-age로 포함"
    case .noTrades: return "24시간 체결 없음, 마지막 체결은 그 전; --max-age로 포함"
    }
  }
}

extension Lapse {
  func text(_ language: Language) -> String {
    guard language == .korean else { return description }
    let why =
      switch reason {
      case .failing(let reason): "이후 실패: \(reason.code)"
      case .inactive(.paused): "이후 일시중지"
      case .inactive: "이후 꺼짐"
      case .limit(let seconds): "기준 \(seconds)초"
      }
    return "\(language.age(nanoseconds: Int64(seconds) * 1_000_000_000)) 전 값, \(why)"
  }
}

extension DisparityAbsence {
  func text(_ language: Language) -> String {
    switch self {
    case .noSpot: language("no spot", "현물 없음")
    case .spotNotRequested: language("spot not requested", "현물 조회 안 함")
    case .spot(let objection): language("spot", "현물") + " \(objection.code)"
    case .futures(let objection): language("futures", "선물") + " \(objection.code)"
    }
  }
}

extension PremiumAbsence {
  /// Returns why there is no premium; reason codes are the same in both languages.
  func text(_ language: Language) -> String {
    guard language == .korean else { return description }
    let usable = usable.map { "\($0) 가격만 사용 가능" } ?? "사용 가능한 가격 없음"
    return reasons.isEmpty ? usable : "\(usable); \(reasons)"
  }
}
