import Config
import Mapping
package import MarketData
package import Quotes

package enum AlertText {
  /// `XRP/KRW `; empty if the alert is about no pair.
  package static func lead(_ pair: Pair?) -> String { pair.map { "\($0) " } ?? "" }

  /// The title of a notification: `market XRP/KRW`.
  package static func title(_ firing: AlertFiring) -> String {
    firing.subject.map { "market \($0)" } ?? "market"
  }

  /// `premium 0.19 % > 0.15%  Gopax 3169 over Coinone 3163`
  package static func sentence(_ firing: AlertFiring, _ language: Language = .english) -> String {
    pieces(of: firing, language) { $0 }.joined(separator: "  ")
  }

  /// Returns the sentence in pieces, for a line that may not have room for all of them.
  ///
  /// - Parameter name: returns an exchange's display name.
  static func pieces(of firing: AlertFiring, _ language: Language, name: (String) -> String) -> [String] {
    [
      condition(firing.rule.condition, firing.reading, language), ends(of: firing, language, name: name),
      firing.rateRemark(language),
    ].compactMap(\.self)
  }

  /// `silent until 15:12:07`
  static func silent(until clock: String, _ language: Language) -> String {
    language("silent until \(clock)", "\(clock)까지 소리 끔")
  }

  /// Returns what muting alerts, or ending that, has done.
  static func silence(_ isSilent: Bool, _ language: Language) -> String {
    isSilent
      ? language("alerts are silent for an hour; A ends that", "알림 소리 1시간 끔; A로 다시 켬")
      : language("alerts are no longer silent", "알림 소리 다시 켬")
  }

  static func condition(
    _ condition: AlertCondition, _ reading: AlertReading, _ language: Language = .english
  ) -> String {
    let name = { (value: AlertValue) in value.name(language) }
    return condition.text(named: name) { figure($0, reading) }
  }

  /// Returns a current value, or why it is unknown: `-`, `- (stale)`.
  static func figure(_ value: AlertValue, _ reading: AlertReading) -> String {
    figure(reading(value), value.field) + (reading.reason(value).map { " (\($0))" } ?? "")
  }

  /// Returns `0.19 %`, `+0.54 %`, `134512000`; `-` if unknown.
  package static func figure(_ number: Decimal?, _ field: AlertField) -> String {
    guard let number else { return "-" }
    return switch field {
    case .premium: number.fixedText(places: 2) + " %"
    case .kimchi, .tokenKimchi, .firstDisparity, .lastDisparity, .change, .rateChange:
      number.signedPercentText + " %"
    case .rate: number.rateText
    case .price, .turnover, .exchanges, .failedFeeds: number.shortest
    }
  }

  /// Returns which exchange is above which, for alerts on the premium.
  ///
  /// - Parameter name: returns an exchange's display name.
  static func ends(
    of firing: AlertFiring, _ language: Language = .english, name: (String) -> String
  ) -> String? {
    let snapshot = firing.figures.snapshot
    guard firing.rule.condition.values.contains(AlertValue(.premium)), case .success(let premium) = snapshot.premium
    else { return nil }
    let digits = PriceDigits(firing.figures, snapshot.rule)
    let (high, low) = snapshot.ends(of: premium)
    return [high.ticker, low.ticker].map { "\(name($0.exchange)) \(digits.plain($0) ?? "-")" }
      .joined(separator: language(" over ", " > "))
  }
}

extension AlertValue {
  /// `premium`, `price@Upbit`; `현재가@Upbit`
  func name(_ language: Language) -> String { field.name(language) + (exchange.map { "@\($0)" } ?? "") }
}

extension AlertField {
  /// Returns a figure with all its digits, or 12 of a quotient.
  func text(_ number: Decimal) -> String { isPercent || self == .rate ? number.quotientText : number.shortest }

  func name(_ language: Language) -> String { language(rawValue, koreanNames.first ?? rawValue) }
}

extension AlertFiring {
  /// Returns what must be known about the rate, for alerts on figures that it is part of: `(rate unchecked)`.
  fileprivate func rateRemark(_ language: Language) -> String? {
    let isPart = rule.condition.values.contains { [.kimchi, .rate, .rateChange].contains($0.field) }
    return isPart ? rate?.remark(language) : nil
  }
}

extension AlertProblem {
  /// `column 1: unknown field 'premum'; did you mean 'premium'?`
  func text(_ language: Language) -> String {
    language("\(self)", "\(column)번째 글자: \(mistake.text(language))")
  }
}

extension AlertMistake {
  func text(_ language: Language) -> String {
    guard language == .korean else { return description }
    switch self {
    case .tooLong(let maximum): return "\(maximum)자를 넘음"
    case .tooDeep(let maximum): return "괄호가 \(maximum)단계를 넘음"
    case .rest(let rest, let isRule): return "'\(rest)' 대신 \(isRule ? "and, or, for, then" : "and, or") 또는 끝"
    case .notOperand(let character): return "'\(character)' 대신 항목 또는 숫자"
    case .missingOperand: return "항목 또는 숫자 없음"
    case .missingParenthesis: return "')' 없음"
    case .missingComparison: return "비교 기호 없음: < <= > >="
    case .unknownComparison(let found): return "알 수 없는 비교 기호 '\(found)'; 가능: < <= > >="
    case .missingDuration: return "for 뒤에 시간 없음"
    case .notDuration(let word): return "'\(word)'은(는) 시간이 아님, 예: 10s, 5m"
    case .missingAction: return "then 뒤에 동작 없음"
    case .missingCommand: return "exec 뒤에 명령 없음"
    case .unknownAction(let word): return "알 수 없는 동작 '\(word)'; 가능: bell, desktop, exec 명령"
    case .noField: return "비교할 항목 없음, 예: 프리미엄 > 1"
    case .notPercentage(let field): return "'\(field.name(language))'은(는) %가 아님"
    case .unknownField(let name):
      let known = AlertField.allCases.flatMap { [$0.rawValue] + $0.koreanNames }
      let hint =
        Spelling.suggestion(for: name, among: known).map { "'\($0)'?" }
        ?? "가능: " + AlertField.allCases.map { $0.name(language) }.joined(separator: " ")
      return "알 수 없는 항목 '\(name)'; \(hint)"
    case .notOfExchange(let field): return "'\(field.name(language))'에는 거래소를 지정할 수 없음"
    case .missingExchange: return "'@' 뒤에 거래소 없음"
    case .unknownExchange(let name, let suggestion):
      return "알 수 없는 거래소 '\(name)'" + (suggestion.map { "; '\($0)'?" } ?? "")
    case .notNumber(let digits): return "'\(digits)'은(는) 숫자가 아님"
    case .unknownUnit(let unit): return "알 수 없는 단위 '\(unit)'; 가능: k, M, B, T, 만, 억, 조"
    }
  }
}
