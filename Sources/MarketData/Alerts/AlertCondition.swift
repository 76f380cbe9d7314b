package import Quotes

/// A figure for comparison in alerts and filters.
package enum AlertField: String, CaseIterable, Sendable {
  /// In percent with two decimals, as shown on screen.
  case premium
  /// The premium of local currency at the official rate, and at the price of a dollar token, in percent.
  case kimchi
  case tokenKimchi = "kimchi.usdt"
  case firstDisparity = "disparity.first"
  case lastDisparity = "disparity.last"
  /// The price on the leading exchange, or on a named one.
  case price
  case change
  case turnover
  /// The number of exchanges with a usable price.
  case exchanges
  /// The header's rate, and its change in percent.
  case rate = "fx"
  case rateChange = "fx.change"
  case failedFeeds = "feeds.failed"

  package var isPercent: Bool {
    switch self {
    case .premium, .kimchi, .tokenKimchi, .firstDisparity, .lastDisparity, .change, .rateChange: true
    case .price, .turnover, .exchanges, .rate, .failedFeeds: false
    }
  }

  /// Whether each exchange has its own: `price@Upbit`.
  package var isOfExchange: Bool {
    switch self {
    case .price, .change, .turnover: true
    default: false
    }
  }

  /// Whether each pair has its own.
  var isPerPair: Bool {
    switch self {
    case .rate, .rateChange, .failedFeeds: false
    default: true
    }
  }

  /// Finds the field with an English or Korean name, ignoring case.
  init?(named name: String) {
    let name = name.lowercased()
    // Traders' word for exchanges.
    let found =
      AlertField(rawValue: name == "venues" ? "exchanges" : name)
      ?? AlertField.allCases.first { $0.koreanNames.contains(name) }
    guard let found else { return nil }
    self = found
  }

  /// The Korean names, the one that is shown first.
  package var koreanNames: [String] {
    switch self {
    case .premium: ["프리미엄"]
    case .kimchi: ["김프"]
    case .tokenKimchi: ["테더김프"]
    case .firstDisparity: ["괴리율", "최고괴리율"]
    case .lastDisparity: ["최저괴리율"]
    case .price: ["현재가", "가격"]
    case .change: ["등락률"]
    case .turnover: ["거래대금"]
    case .exchanges: ["거래소"]
    case .rate: ["환율"]
    case .rateChange: ["환율등락률"]
    case .failedFeeds: ["연결실패"]
    }
  }
}

/// A figure in a condition: `premium`, `price@Upbit`.
package struct AlertValue: Sendable, Hashable, CustomStringConvertible {
  package let field: AlertField
  /// The exchange's name in the config; nil for the pair as a whole.
  package let exchange: String?

  package init(_ field: AlertField, of exchange: String? = nil) { (self.field, self.exchange) = (field, exchange) }

  package var description: String { field.rawValue + (exchange.map { "@\($0)" } ?? "") }

  /// Whether any exchange may decide the value: it is that of the highest, the lowest or the leading one.
  var isOfAllExchanges: Bool {
    switch field {
    case .premium, .kimchi, .tokenKimchi, .firstDisparity, .lastDisparity, .exchanges: true
    case .price, .change, .turnover: exchange == nil
    case .rate, .rateChange, .failedFeeds: false
    }
  }
}

/// A condition on a pair: comparisons of its figures, joined by `and` and `or`.
package indirect enum AlertCondition: Sendable, Hashable {
  package enum Sign: String, CaseIterable, Sendable {
    case less = "<"
    case atMost = "<="
    case more = ">"
    case atLeast = ">="

    func holds(_ left: Decimal, _ right: Decimal) -> Bool {
      switch self {
      case .less: left < right
      case .atMost: left <= right
      case .more: left > right
      case .atLeast: left >= right
      }
    }
  }

  package enum Operand: Sendable, Hashable {
    case value(AlertValue)
    /// - text: As it was written: `0.15%`, `10M`.
    case number(Decimal, text: String)
  }

  case comparison(Operand, Sign, Operand)
  case all([AlertCondition])
  case any([AlertCondition])

  /// Returns whether the condition holds; nil if that depends on an unknown figure, such as a stale price.
  package func holds(_ figure: (AlertValue) -> Decimal?) -> Bool? {
    switch self {
    case .comparison(let left, let sign, let right):
      guard let left = left.number(figure), let right = right.number(figure) else { return nil }
      return sign.holds(left, right)
    case .all(let parts):
      let answers = parts.map { $0.holds(figure) }
      return answers.contains(false) ? false : answers.contains(nil) ? nil : true
    case .any(let parts):
      let answers = parts.map { $0.holds(figure) }
      return answers.contains(true) ? true : answers.contains(nil) ? nil : false
    }
  }

  /// The figures in the condition, in order and without duplicates.
  package var values: [AlertValue] {
    switch self {
    case .comparison(let left, _, let right):
      [left, right].compactMap { side -> AlertValue? in if case .value(let value) = side { value } else { nil } }.unique
    case .all(let parts), .any(let parts): parts.flatMap(\.values).unique
    }
  }

  /// Returns the exchange whose figure stands for one that each exchange has: the only one that the condition names for
  /// it or, if it does not compare that, at all; nil for the leading one.
  package func exchange(of field: AlertField) -> String? {
    guard field.isOfExchange else { return nil }
    let all = values.filter(\.field.isOfExchange)
    let own = all.filter { $0.field == field }
    let named = (own.isEmpty ? all : own).map(\.exchange).unique
    return named.count == 1 ? named[0] : nil
  }

  /// Returns the condition with its figures: `premium 0.19 % > 0.15%`.
  ///
  /// - Parameters:
  ///   - name: returns the name of a figure.
  ///   - figure: returns a figure as text.
  package func text(named name: (AlertValue) -> String = \.description, _ figure: (AlertValue) -> String) -> String {
    switch self {
    case .comparison(let left, let sign, let right):
      return "\(left.text(name, figure)) \(sign.rawValue) \(right.text(name, figure))"
    case .all(let parts):
      return parts.map { part in
        if case .any = part { return "(\(part.text(named: name, figure)))" }
        return part.text(named: name, figure)
      }.joined(separator: " and ")
    case .any(let parts): return parts.map { $0.text(named: name, figure) }.joined(separator: " or ")
    }
  }
}

extension AlertCondition.Operand {
  fileprivate func number(_ figure: (AlertValue) -> Decimal?) -> Decimal? {
    switch self {
    case .number(let number, _): return number
    // Compare the printed value, as for colours, so that no line says `0.15 % > 0.15 %`.
    case .value(let value): return figure(value).map { value.field.isPercent ? $0.rounded(toPlaces: 2) : $0 }
    }
  }

  fileprivate func text(_ name: (AlertValue) -> String, _ figure: (AlertValue) -> String) -> String {
    switch self {
    case .number(_, let text): text
    case .value(let value): "\(name(value)) \(figure(value))"
    }
  }
}
