import MarketData
package import Quotes
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

  /// `A, B, C and 2 more`
  func named(_ names: [String], upTo most: Int) -> String {
    guard self == .korean, names.count > most else { return names.named(upTo: most) }
    return names.prefix(most).joined(separator: ", ") + " 외 \(names.count - most)개"
  }

  /// What is said of figures in a currency that is not their own: `in KRW`.
  func shown(in currency: String) -> String { self("in \(currency)", "\(currency) 환산") }

  /// What is said of a dollar token that stands for a dollar, or for another token.
  package func counted(_ token: String, as money: String) -> String {
    self("\(token) counted as one \(money)", "\(token) = 1 \(money)로 계산")
  }

  /// Returns what a bar of a chart lasts: `1h`, `1시간봉`.
  package func bar(_ interval: CandleInterval) -> String {
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

  /// What is said of a bar that has not ended.
  var running: String { self("running", "진행 중") }

  /// What is said after a picture was copied, or was too large for that.
  func copiedScreen(_ picture: String) -> String {
    TerminalMessage.canCopy(picture)
      ? self("copied the screen", "화면 복사함") : self("the screen is too large to copy", "화면이 너무 커서 복사할 수 없음")
  }

  /// What is said once a run's connections can no longer be recorded.
  package func incompleteRecording(_ problem: String) -> String {
    self("the recording is incomplete: \(problem)", "불완전한 녹화: \(problem)")
  }

  /// Returns an age or polling interval in the language's units: `19s` becomes `19초`.
  func span(_ text: String) -> String {
    guard self == .korean, let unit = text.last, text.dropLast().last?.isNumber == true else { return text }
    let units: [Character: String] = ["s": "초", "m": "분", "h": "시간", "d": "일"]
    return units[unit].map { text.dropLast() + $0 } ?? text
  }

  /// Returns an age in the largest unit that fits.
  package func age(nanoseconds: Int64) -> String { span(ClockText.age(nanoseconds: max(0, nanoseconds))) }

  /// Returns what is said of data of this age: `40s old`.
  func old(_ age: String) -> String { self("\(age) old", "\(age) 전") }

  /// Returns the age of something expected to be fresh, in coarse steps: nil below ten seconds, then `10s`, `20s` ..
  /// `1m`, `2m` .., and nil for an unknown age.
  func quietAge(nanoseconds: Int64?) -> String? {
    guard let nanoseconds, case let seconds = nanoseconds / Instant.second, seconds >= 10 else { return nil }
    return seconds < 60 ? span("\(seconds / 10 * 10)s") : age(nanoseconds: nanoseconds)
  }

  /// Returns a polling interval: `800ms`, `2s`, `1.3s`.
  func term(milliseconds: Int) -> String {
    if milliseconds < 1000 { return "\(milliseconds)ms" }
    let tenths = (milliseconds + 50) / 100
    return span(tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s")
  }

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

  /// `Kraken futures inverse`
  package func name(_ language: Language) -> String {
    [nameInMarket(language), product].compactMap(\.self).joined(separator: " ")
  }
}
