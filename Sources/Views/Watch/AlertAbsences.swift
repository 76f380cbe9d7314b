package import MarketData

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
