import Mapping
package import MarketData
package import Quotes

/// The sort order of a list of pairs.
package enum ListSort: String, Sendable, CaseIterable {
  case pair, name, price, change, turnover, premium, exchanges
  /// How well a name matches the search, in the order of the results.
  case fit

  /// The sort orders available on the command line.
  package static let columns = allCases.filter { $0 != .fit }

  /// Those of a table of one exchange, which has no names.
  package static let ofTables: [ListSort] = [.pair, .price, .change, .turnover]

  /// Whether the largest comes first.
  var isDescending: Bool { ![.pair, .name, .fit].contains(self) }

  /// Returns the sorted entries. Prices and turnovers are only compared within a payment currency, changes within the
  /// same time span; ties are in symbol order. Reversing reverses each such group. Entries that are in no headline come
  /// behind the others, and those without a value last, either way.
  package func ordered(
    _ entries: [PairListing.Entry], reversed: Bool, _ rule: HeadlineRule, _ language: Language
  ) -> [PairListing.Entry] {
    if self == .fit { return reversed ? entries.reversed() : entries }
    let groups = groups(entries)
    return groups.flatMap { group in
      let (known, others) = sorted(group, reversed) { key(of: $0, rule, language) }
      let (leftOut, unknown) = sorted(others, reversed, by: leftOutKey)
      return known + leftOut + unknown
    }
  }

  /// Returns the entries with a key, by it and then by symbol, and those without one, by symbol.
  private func sorted(
    _ entries: [PairListing.Entry], _ isReversed: Bool, by key: (PairListing.Entry) -> Key?
  ) -> (known: [PairListing.Entry], unknown: [PairListing.Entry]) {
    let keyed = entries.map { (entry: $0, key: key($0)) }
    let known = keyed.filter { $0.key != nil }.sorted { first, second in
      if let a = first.key, let b = second.key, a != b { return isDescending ? b < a : a < b }
      return Self.symbol(first.entry) < Self.symbol(second.entry)
    }.map(\.entry)
    let unknown = keyed.filter { $0.key == nil }.map(\.entry).sorted { Self.symbol($0) < Self.symbol($1) }
    return (isReversed ? known.reversed() : known, unknown)
  }

  private enum Key: Comparable {
    case number(Decimal)
    case text(String)
  }

  private func key(of entry: PairListing.Entry, _ rule: HeadlineRule, _ language: Language) -> Key? {
    switch self {
    case .pair: .text(Self.symbol(entry))
    case .name: entry.named.flatMap { $0.name.text(first: language) }.map { .text($0.lowercased()) }
    case .price: entry.leadRow.ticker.price.value.map { .number($0) }
    case .change: entry.change(rule).map { .number($0) }
    case .turnover: entry.turnover.map { .number($0) }
    case .premium: entry.premium.map { .number($0.percent) }
    case .exchanges: .number(Decimal(entry.usable))
    case .fit: nil
    }
  }

  /// The key of an entry whose row is in no headline, which is its own figure.
  private func leftOutKey(_ entry: PairListing.Entry) -> Key? {
    let field: TickerField? = self == .turnover ? .turnover24 : self == .change ? .changePricePercent24 : nil
    return field.flatMap { entry.leadRow.ticker.cell($0).value }.map { .number($0) }
  }

  /// Says that values in different currencies are not compared; nil if there are none.
  func separationNote(_ pairs: some Collection<Pair>, _ language: Language) -> String? {
    guard [.price, .turnover].contains(self), let first = pairs.first?.payment,
      pairs.contains(where: { $0.payment != first })
    else { return nil }
    return language("sorted by \(rawValue), each payment currency separately", "결제 통화별로 정렬: 통화가 다른 값은 비교하지 않음")
  }

  private static func symbol(_ entry: PairListing.Entry) -> String {
    "\(entry.pair)\u{0}\(entry.leadRow.ticker.product ?? "")"
  }

  /// Returns groups of entries whose values are comparable, the largest group first.
  private func groups(_ entries: [PairListing.Entry]) -> [[PairListing.Entry]] {
    switch self {
    case .pair, .name, .premium, .exchanges, .fit: return [entries]
    case .price, .turnover: return Self.groups(entries, by: \.pair.payment)
    case .change:
      let spans = Dictionary(grouping: entries) { Self.place(of: $0.leadRow.ticker.changeBasis) }
      return spans.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Returns the place of a span among those whose changes are compared: that of 24 hours, an unknown one, the others.
  static func place(of span: ChangeBasis?) -> Int { spanOrder.firstIndex(of: span) ?? spanOrder.count }

  private static let spanOrder: [ChangeBasis?] =
    [.rolling24h, nil] + ChangeBasis.allCases.filter { $0 != .rolling24h }.sorted { $0.rawValue < $1.rawValue }

  static func groups(_ entries: [PairListing.Entry], by key: (PairListing.Entry) -> String) -> [[PairListing.Entry]] {
    Dictionary(grouping: entries, by: key).sorted { first, second in
      (-first.value.count, first.key) < (-second.value.count, second.key)
    }.map(\.value)
  }
}
