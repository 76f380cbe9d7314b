import MarketData
import Quotes
import Terminal

/// A filter for pairs: by symbol and name, or by figures if the text contains a comparison.
package struct WatchFilter {
  private enum Kind {
    case names(NameFilter)
    case figures(AlertCondition)
    case broken(AlertProblem)
  }

  private let kind: Kind
  private let text: String

  /// - Parameter board: the names of exchanges, allowed after `@`.
  init(_ text: String, _ board: WatchBoard) {
    self.text = text
    guard Self.compares(text) else {
      kind = .names(NameFilter(text))
      return
    }
    do {
      kind = .figures(try AlertCondition(parsing: text, board.alertNames))
    } catch {
      kind = .broken(error)
    }
  }

  /// Returns whether a text compares figures rather than names.
  package static func compares(_ text: String) -> Bool { text.contains { "<>=".contains($0) } }

  /// Why the text is invalid, in which case the filter matches everything.
  var problem: AlertProblem? {
    if case .broken(let problem) = kind { problem } else { nil }
  }

  /// Returns the indexes of matching pairs. If `isRanked`, the best matches come first.
  func places(_ pairs: [Pair], _ board: WatchBoard, _ subjects: inout FilterSubjects, isRanked: Bool) -> [Int] {
    switch kind {
    case .broken: return Array(pairs.indices)
    case .names(let filter):
      guard !filter.isEmpty else { return Array(pairs.indices) }
      subjects.follow(board.settings)
      let places = filter.places(in: pairs.map { subjects[$0, board] })
      return isRanked ? places : places.sorted()
    case .figures(let condition): return subjects.matches.places(pairs, board, text, condition)
    }
  }

  /// Returns the name or symbol closest to the typed text; nil if none is close.
  func suggestion(_ pairs: some Sequence<Pair>, _ settings: WatchSettings) -> String? {
    guard case .names = kind else { return nil }
    return NameFilter.nearest(
      to: text,
      in: pairs.flatMap { pair in [pair.asset, settings.name(of: pair), pair.description].compactMap(\.self) })
  }
}

/// What filters match for each pair, prepared once: its texts and, by figures, the outcome.
struct FilterSubjects: Sendable {
  fileprivate var matches = FilterMatches()
  private var known: [Pair: NameFilter.Subject] = [:]
  /// The exchanges whose names are included.
  private var exchanges: [String] = []

  /// Clears the cache if more exchanges have named assets since, as names may arrive after the first filter.
  mutating func follow(_ settings: WatchSettings) {
    let named = settings.assetNames.exchanges
    if named != exchanges { (known, exchanges) = ([:], named) }
  }

  subscript(pair: Pair, board: WatchBoard) -> NameFilter.Subject {
    mutating get {
      if let subject = known[pair] { return subject }
      let settings = board.settings
      let subject = settings.assetNames.subject(
        of: pair, on: settings.list?.exchange, aliases: settings.aliases,
        names: [settings.names[pair]].compactMap(\.self))
      known[pair] = subject
      return subject
    }
  }
}

/// Which pairs' figures meet a condition. Until the next figures, each is asked once.
private struct FilterMatches: Sendable {
  private struct Origin: Hashable {
    let text: String
    let updates: UInt64
    let moment: Instant
  }

  private var origin: Origin?
  private var known: [Pair: Bool] = [:]

  mutating func places(_ pairs: [Pair], _ board: WatchBoard, _ text: String, _ condition: AlertCondition) -> [Int] {
    let origin = Origin(text: text, updates: board.state.updates, moment: board.made)
    if origin != self.origin { (self.origin, known) = (origin, [:]) }
    let unknown = pairs.filter { known[$0] == nil }
    if !unknown.isEmpty {
      let shared = AlertReading.Shared(board.state, at: board.now, isForFilter: true)
      for figures in board.shownFigures(of: unknown) {
        let reading = AlertReading(figures, shared)
        known[figures.pair] = condition.holds { reading($0) } == true
      }
    }
    return pairs.indices.filter { known[pairs[$0]] == true }
  }
}
