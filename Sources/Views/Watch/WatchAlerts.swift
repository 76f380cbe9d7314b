import Config
import Mapping
package import MarketData
package import Quotes
import Terminal

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

extension WatchSettings {
  /// Returns the names that an alert may use.
  package func alertNames(of exchanges: [String]) -> AlertNames {
    AlertNames(exchanges: exchanges, others: otherExchangeNames, aliases: aliases)
  }
}

extension WatchBoard {
  var alertNames: AlertNames { settings.alertNames(of: exchanges) }

  /// Returns a figure of an alert that its exchange does not have for any pair that the alert is about, and why: `Luno has
  /// no price of BTC/KRW (not-listed)`; nil if each is there or may come.
  package func absence(in rule: AlertRule) -> String? {
    guard rule.condition.values.contains(where: { $0.exchange != nil }) else { return nil }
    let shared = AlertReading.Shared(state, at: now)
    let own = figures.filter { rule.isMeant(for: $0.pair) }
    let readings = own.map { AlertReading($0, shared) }
    for value in rule.condition.values {
      let reasons = readings.compactMap { $0.lastingAbsence(of: value) }
      guard let exchange = value.exchange, let reason = reasons.first, reasons.count == readings.count else { continue }
      let (pair, name) = (own.count == 1 ? "\(own[0].pair)" : nil, value.field.name(settings.language))
      return settings.language(
        "\(exchange) has no \(name) of \(pair ?? "any pair that is followed") (\(reason))",
        "\(exchange)에 \(pair ?? "관심 종목") \(name) 없음 (\(reason))")
    }
    return nil
  }
}

/// What has been said of figures that alerts compare and their exchanges do not have.
package struct AlertAbsences: Sendable {
  /// By the text of an alert.
  private var said: [String: String] = [:]

  package init() {}

  /// Returns what is to be said now: of each alert once, and again if the reason changes. While an exchange fails, it may
  /// still have the figure.
  package mutating func new(of rules: [AlertRule], _ board: WatchBoard) -> [String] {
    rules.compactMap { rule -> String? in
      guard let absence = board.absence(in: rule), said[rule.text] != absence else { return nil }
      said[rule.text] = absence
      return "\(absence): \(rule.text)"
    }
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

extension AlertFiring {
  private var rate: RateView? { figures.snapshot.rate?.quote.map { RateView($0, at: time) } }

  /// Returns what must be known about the rate, for alerts on figures that it is part of: `(rate unchecked)`.
  fileprivate func rateRemark(_ language: Language) -> String? {
    let isPart = rule.condition.values.contains { [.kimchi, .rate, .rateChange].contains($0.field) }
    return isPart ? rate?.remark(language) : nil
  }

  /// Whether the greatest premium is known. The last price of an exchange that failed is not part of it.
  var knowsPremium: Bool { reading(AlertValue(.premium)) != nil }

  /// The environment variables of an alert command: our own numbers and names, never text from an exchange.
  package var environment: [(name: String, value: String)] {
    var variables = [("MARKET_EXPR", rule.text), ("MARKET_TIME", time.iso8601)]
    if let subject { variables.insert(("MARKET_PAIR", "\(subject)"), at: 0) }
    for field in AlertField.allCases {
      guard let number = reading(AlertValue(field, of: rule.condition.exchange(of: field))) else { continue }
      let name = field.rawValue.uppercased().map { $0 == "." ? "_" : $0 }
      variables.append(("MARKET_\(String(name))", field.isPercent ? number.fixedText(places: 2) : field.text(number)))
    }
    let priced = rule.condition.exchange(of: .price)
    if reading(AlertValue(.price, of: priced)) != nil, let exchange = priced ?? figures.leadRow?.ticker.exchange {
      variables.append(("MARKET_EXCHANGE", exchange))
    }
    if reading(AlertValue(.rate)) != nil, let rate, !rate.codes.isEmpty {
      variables.append(("MARKET_FX_LABELS", rate.codes))
    }
    if knowsPremium, case .success(let premium) = figures.snapshot.premium {
      for (name, place) in [("HIGH", premium.high), ("LOW", premium.low)] {
        let ticker = figures.snapshot.spot[place].ticker
        variables.append(("MARKET_\(name)_EXCHANGE", ticker.exchange))
        variables.append(("MARKET_\(name)_PRICE", ticker.price.value?.shortest ?? ""))
      }
    }
    return variables.map { (name: $0.0, value: $0.1.filter { $0 != "\0" }) }
  }
}

extension AlertWatch {
  /// Creates a watch on live figures, or on those of recordings, in which gaps are usual.
  package init(_ rules: [AlertRule], isReplay: Bool) {
    if isReplay { self.init(rules, maximumGapMilliseconds: nil) } else { self.init(rules) }
  }
}

/// Why an alert's command failed.
package enum AlertCommandProblem: Sendable, Hashable {
  /// As in a shell, 128 plus the signal that ended it.
  case failed(code: Int32)
  case tookTooLong(seconds: Int)
  case cannotStart(String)
  /// It was dropped, as this many were waiting.
  case tooManyWaiting(Int)

  /// Returns `exit code 7`, `ended after 10 s`.
  func text(_ language: Language) -> String {
    switch self {
    case .failed(let code): language("exit code \(code)", "종료 코드 \(code)")
    case .tookTooLong(let seconds): language("ended after \(seconds) s", "\(seconds)초가 지나 중단됨")
    case .cannotStart(let reason): language("not started: \(reason)", "시작 못 함: \(reason)")
    case .tooManyWaiting(let count): language("not run, \(count) were waiting", "실행 안 함, \(count)개 대기 중")
    }
  }

  /// Returns `the command of an alert failed (exit code 7): premium > 3% then exec ./tell`.
  package func sentence(_ rule: AlertRule, _ language: Language = .english) -> String {
    language("the command of an alert failed", "알림 명령 실패") + " (\(text(language))): \(rule.text)"
  }
}

/// The alerts of a live view and their states.
struct AlertList {
  let board: WatchBoard
  let alerts: AlertWatch
  /// By the text of the alert: why its command failed the last time.
  let problems: [String: AlertCommandProblem]
  let cursor: String?
  let width: Int

  private var language: Language { board.settings.language }

  var title: StyledText {
    let title = StyledText("\(language("Alerts", "알림")) \(alerts.rules.count)", .heading)
    guard let end = alerts.silentUntil(at: board.now) else { return title }
    return title + StyledText("  \(AlertText.silent(until: board.clockText(end), language))", .warning)
  }

  func lines() -> (lines: [StyledText], cursor: Int?) {
    guard !alerts.rules.isEmpty else {
      let hint = language("no alerts: a adds one, such as: premium > 3% for 10s", "알림 없음: a로 추가, 예: 프리미엄 > 3%")
      return ([StyledText("  " + hint, .dim)], nil)
    }
    let shared = AlertReading.Shared(board.state, at: board.now)
    var lines: [StyledText] = []
    for rule in alerts.rules {
      let isHere = rule.text == cursor
      lines.append(StyledText((isHere ? "▸ " : "  ") + rule.text, isHere ? .heading : .neutral))
      let problem = problems[rule.text].map { problem in
        StyledText(language("command failed: ", "명령 실패: ") + "\(problem.text(language)); ", .warning)
      }
      let head = "    " + (problem ?? "")
      lines.append(head + state(of: rule, shared, cells: width - head.width))
    }
    return (lines, alerts.rules.firstIndex { $0.text == cursor })
  }

  /// Returns the pairs for which the alert holds, otherwise the values of the first pair for which it does not.
  private func state(of rule: AlertRule, _ shared: AlertReading.Shared, cells: Int) -> StyledText {
    let pairs = board.figures.filter { rule.isMeant(for: $0.pair) }.prefix(rule.isPerPair ? .max : 1)
    guard !pairs.isEmpty else { return StyledText(language("the pair is not followed", "관심 종목이 아님"), .warning) }
    let standings = pairs.map { (figures: $0, standing: alerts.standing(of: rule, $0.pair)) }
    let holding = standings.filter { $0.standing?.holds == true }
    let failing = standings.filter { $0.standing?.holds == false }
    let named = holding.isEmpty ? failing.isEmpty ? standings : failing : holding
    let pieces = named.prefix(holding.isEmpty ? 1 : Self.maximumPairs).enumerated().map { place, one in
      let reading = AlertReading(one.figures, shared)
      let lead = AlertText.lead(reading.subject(of: rule))
      if holding.isEmpty {
        let word = failing.isEmpty ? language("not known: ", "알 수 없음: ") : language("not now: ", "아직 아님: ")
        return StyledText(word + lead + AlertText.condition(rule.condition, reading, language), .dim)
      }
      let clock = one.standing.map { board.clockText($0.since) } ?? ""
      return StyledText((place == 0 ? "" : ", ") + lead + language("since \(clock)", "\(clock)부터"), .alert)
    }
    let unknown = holding.isEmpty ? standings.count - named.count : 0
    let (line, shown) = StyledText.counting(pieces, cells: cells) { shown in
      let more = named.count - shown
      let text =
        (more > 0 ? language(" and \(more) more", " 외 \(more)개") : "")
        + (unknown > 0 ? language(", \(unknown) unknown", ", \(unknown)개 알 수 없음") : "")
      return StyledText(text, holding.isEmpty ? .dim : .alert)
    }
    let all = standings.reduce(0) { $0 + ($1.standing?.count ?? 0) }
    guard all > 0 else { return line }
    // Pairs that are not named may have fired, too.
    let own = named.prefix(shown).reduce(0) { $0 + ($1.standing?.count ?? 0) }
    let fired =
      own == all
      ? language(", fired \(all) x", ", \(all)회 알림") : language(", fired \(all) x in all", ", 모두 \(all)회 알림")
    return StyledText(whole: [line, StyledText(fired, .dim)], cells: max(cells, line.width))
  }

  private static let maximumPairs = 4
}
