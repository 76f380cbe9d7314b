import Mapping
import MarketData
import Quotes
import Terminal

/// The sort order of pairs in a live view.
package enum WatchSort: String, Sendable, CaseIterable {
  /// The order of the watchlist.
  case list
  case pair, change, premium, disparity
  /// The premium of local money over dollars.
  case kimchi
  /// The number of exchanges with a usable price.
  case exchanges

  /// The columns that a number sorts by, from 1 on; the order of the watchlist is no column.
  static let columns = allCases.filter { $0 != .list }

  static func numbered(_ language: Language) -> String {
    columns.enumerated().map { "\($0 + 1) \($1.name(language, .official))" }.joined(separator: ", ")
  }

  /// Whether the largest comes first.
  var isDescending: Bool { self != .list && self != .pair }

  /// Returns the sorted pairs; those without a value come last, ties keep the order of the watchlist. Changes are compared
  /// within the same time span, those of 24 hours first, also if reversed.
  func order(_ figures: [PairFigures], reversed: Bool, _ basis: DollarBasis) -> [Pair] {
    let isDescending = isDescending != reversed
    let ordered =
      switch self {
      case .list: reversed ? figures.reversed() : figures
      case .pair: figures.ranked(by: \.pair.description, isDescending: isDescending)
      case .change, .premium, .disparity, .kimchi, .exchanges:
        figures.ranked(by: { key($0, basis) }, isDescending: isDescending)
      }
    guard self == .change else { return ordered.map(\.pair) }
    return ordered.ranked { figures in
      key(figures, basis).map { _ in ListSort.place(of: figures.leadRow?.ticker.changeBasis) }
    }.map(\.pair)
  }

  private func key(_ figures: PairFigures, _ basis: DollarBasis) -> Decimal? {
    switch self {
    case .list, .pair: nil
    case .change: figures.leadRow?.ticker.changePricePercent24.value
    case .premium: (try? figures.snapshot.premium.get())?.percent
    case .disparity: figures.snapshot.ranking.first?.percent
    case .kimchi: figures.localPercent(on: basis)
    case .exchanges: Decimal(figures.usable)
    }
  }

  /// The title of its column, spelled out.
  func name(_ language: Language, _ basis: DollarBasis) -> String {
    self == .exchanges ? language("exchanges", "거래소") : title(language, basis)
  }

  /// - Parameter basis: the price of a dollar, which the title of the premium over dollars names unless it is the usual one.
  func title(_ language: Language, _ basis: DollarBasis) -> String {
    switch self {
    case .list: language("list", "목록순")
    case .pair: language("pair", "종목")
    case .change: "24h%"
    case .premium: language("prem%", "프리미엄%")
    case .disparity: language("disp%", "괴리율%")
    case .kimchi: (basis == .official ? "" : "USDT ") + language("kimchi%", "김프%")
    case .exchanges: language("n", "거래소")
    }
  }
}

extension DollarBasis {
  /// `kimchi at: official rate`
  func text(_ language: Language) -> String {
    language("kimchi at: ", "김프 기준: ") + (self == .official ? language("official rate", "공식 환율") : "USDT/KRW")
  }
}

extension String {
  /// Returns whether a cell of this line of titles belongs to the given one, or to its sort mark.
  func hasTitle(_ title: String, at column: Int) -> Bool {
    // Whole words: an `n` occurs in others.
    let range = ranges(of: title).first { range in
      self[..<range.lowerBound].last?.isLetter != true && self[range.upperBound...].first?.isLetter != true
    }
    guard let range else { return false }
    let mark = self[range.upperBound...].prefix(2).lastIndex { "▾▴".contains($0) }
    let start = TerminalText.width(of: String(self[..<range.lowerBound]))
    let end = TerminalText.width(of: String(self[..<(mark.map { index(after: $0) } ?? range.upperBound)]))
    return (start..<end).contains(column)
  }
}
