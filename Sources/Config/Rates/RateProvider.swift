import JSON
package import Quotes

/// A source of exchange rates as the config describes it.
package struct RateProvider: Sendable {
  /// The schedule on which a provider publishes new rates.
  package struct Refresh: Sendable {
    /// The length of a period, each of which brings one update.
    package let everyMilliseconds: Int
    /// The seconds into a period before which nothing new is published. Periods are counted from midnight UTC.
    package let atSeconds: Int
  }

  package struct Budget: Sendable {
    package enum Period: String, CaseIterable, Sendable { case day, month }
    package let calls: Int
    package let per: Period
  }

  package enum Source: Sendable {
    /// - daysBack: the number of days before today to request, one after another, until one returns a row.
    case table(TableSpec, daysBack: Int)
    /// The rate implied by an exchange's ticker.
    case ticker(exchange: String, pair: Pair)
  }

  package let name: String
  package var isEnabled = true
  package var pairs: [PairPattern]
  package var refresh: Refresh?
  package var budget: Budget?
  package var source: Source
  package let node: ConfigNode

  /// Returns whether the provider's `pairs` can hold this one.
  package func canHold(_ pair: Pair) -> Bool { pairs.contains { $0.matches(pair) } }

  /// Whether it publishes one rate a day, so that a rate belongs to a day rather than to a moment.
  package var isDaily: Bool { (refresh?.everyMilliseconds ?? 0) >= 86_400_000 }
}

extension SpecReader {
  /// - Parameter levels: the provider's blocks, lowest precedence first.
  mutating func readProvider(_ name: String, _ levels: [ConfigNode]) -> RateProvider? {
    let before = diagnostics.count
    for level in levels { checkDuplicates(in: level) }
    guard let node = levels.last, levels.allSatisfy({ checkKeys($0, .provider) }) else { return nil }
    let members = levels.dropFirst().reduce(levels[0].members) { $0.merged(with: $1.members) }
    func value(_ key: String) -> ConfigNode? { members.last { $0.name == key && !$0.value.json.isNull }?.value }
    let pairs = value("pairs").map { readPatterns($0) }
    if pairs == nil { report(.missingKey("pairs", in: "the rate provider '\(name)'", at: node)) }
    let source = readRateSource(name, levels, ticker: value("ticker"), rate: value("rate"))
    let isEnabled = value("enabled").flatMap { readBoolean($0) } ?? true
    let refresh = value("refresh").flatMap { readRefresh($0) }
    let budget = value("budget").flatMap { readBudget($0) }
    guard let pairs, let source else { return nil }
    if case .table(let table, _) = source { checkHosts(of: [table]) }
    var provider = RateProvider(name: name, pairs: pairs, source: source, node: node)
    provider.isEnabled = isEnabled
    provider.refresh = refresh
    provider.budget = budget
    return hasErrors(since: before) ? nil : provider
  }

  private mutating func readRateSource(
    _ name: String, _ levels: [ConfigNode], ticker: ConfigNode?, rate: ConfigNode?
  ) -> RateProvider.Source? {
    if let ticker {
      guard checkKeys(ticker, .providerTicker) else { return nil }
      guard let exchange = ticker["exchange"].flatMap({ readText($0) }),
        let asset = ticker["asset"].flatMap({ readText($0) }),
        let payment = ticker["payment"].flatMap({ readText($0) })
      else { return rejected(.missingKeys("keys 'exchange', 'asset' and 'payment'", in: "'ticker'", at: ticker)) }
      return .ticker(exchange: exchange, pair: Pair(asset: asset, payment: payment))
    }
    guard let rate else {
      return rejected(.missingKey("rate", in: "the rate provider '\(name)'", at: levels[levels.count - 1]))
    }
    var block = Block(levels[0])
    for level in levels.dropFirst() { block.overlay(level) }
    let rates = levels.compactMap { $0["rate"] }.filter { $0.json.kind == .object }
    guard !rates.isEmpty else { return rejected(.wrongType("an object", at: rate)) }
    for rate in rates {
      guard checkKeys(rate, .rate) else { return nil }
      block.overlay(rate)
    }
    let said = rates.last { $0["daysBack"] != nil }?["daysBack"]
    let daysBack = said.flatMap { readInteger($0, in: IntegerRange.daysBack) } ?? 0
    return readTable(block, owner: name, fields: .rate).map { .table($0, daysBack: daysBack) }
  }

  private mutating func readPatterns(_ node: ConfigNode) -> [PairPattern] {
    (readElements(node) ?? []).compactMap { element in
      guard let text = readText(element) else { return nil }
      return PairPattern(text) ?? rejected(.invalidPair(text, at: element.place))
    }
  }

  private mutating func readRefresh(_ node: ConfigNode) -> RateProvider.Refresh? {
    guard checkKeys(node, .refresh) else { return nil }
    guard let every = required("every", of: node, in: "'refresh'") else { return nil }
    guard let milliseconds = readMilliseconds(every, in: .update) else { return nil }
    let seconds = node["at"].flatMap { readSecondsPast($0) } ?? 0
    guard seconds == 0 || seconds * 1000 < milliseconds else {
      return rejected(.neverPast(every: every.json.string ?? "", at: node["at"] ?? node))
    }
    return .init(everyMilliseconds: milliseconds, atSeconds: seconds)
  }

  /// Reads `:00:30`, half a minute past. `TextCheck` reports any other string.
  private mutating func readSecondsPast(_ node: ConfigNode) -> Int? {
    readText(node).flatMap(RateProvider.secondsPastTheHour)
  }

  private mutating func readBudget(_ node: ConfigNode) -> RateProvider.Budget? {
    guard checkKeys(node, .budget) else { return nil }
    guard let calls = node["calls"], let per = node["per"] else {
      return rejected(.missingKeys("keys 'calls' and 'per'", in: "'budget'", at: node))
    }
    guard let count = readInteger(calls, in: IntegerRange.calls),
      let period = readCase(per, as: RateProvider.Budget.Period.self)
    else { return nil }
    return .init(calls: count, per: period)
  }
}

extension RateProvider {
  /// Returns 30 for `:00:30`; nil for any other form.
  package static func secondsPastTheHour(_ text: String) -> Int? {
    text.hasPrefix(":") && text.utf8.count == 6 ? DayHours.seconds("00" + text) : nil
  }
}
