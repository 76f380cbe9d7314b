package import MarketData
import Quotes
import Terminal

/// A filter for pairs: by symbol and name, by figures if the text contains a comparison, or by words and the comparison that
/// follows them: `krw kimchi > 0.6`.
package struct WatchFilter {
  private let text: String
  /// The words; empty if the text only compares.
  private let names: NameFilter
  private let condition: AlertCondition?
  /// Why the text is invalid, in which case the filter matches everything.
  package let problem: AlertProblem?

  /// - Parameter known: the names of exchanges, allowed after `@`.
  package init(_ text: String, _ known: AlertNames) {
    self.text = text
    guard Self.compares(text) else {
      (names, condition, problem) = (NameFilter(text), nil, nil)
      return
    }
    func parsed(_ text: String) -> Result<AlertCondition, AlertProblem> {
      Result { () throws(AlertProblem) in try AlertCondition(parsing: text, known) }
    }
    let place = Self.comparison(in: text)
    var (words, result) = ("", parsed(text))
    if case .failure = result, place > text.startIndex {
      // Columns are those of the whole text.
      words = String(text[..<place])
      result = parsed(words.map { _ in " " }.joined() + text[place...])
    }
    switch result {
    case .success(let condition): (names, self.condition, problem) = (NameFilter(words), condition, nil)
    case .failure(let problem): (names, self.condition, self.problem) = (NameFilter(""), nil, problem)
    }
  }

  init(_ text: String, _ board: WatchBoard) { self.init(text, board.alertNames) }

  /// Returns whether a text compares figures, perhaps after words.
  package static func compares(_ text: String) -> Bool { text.contains(where: isSign) }

  private static func isSign(_ character: Character) -> Bool { "<>=".contains(character) }

  /// Returns where the comparison after words begins: with the operand before the first sign, and parentheses before that.
  /// What is joined to it by `and`, `or` or `|` is no word before it, so that it begins with the text.
  private static func comparison(in text: String) -> String.Index {
    var head = text.prefix { !isSign($0) }
    func dropLast(while isPart: (Character) -> Bool) {
      while let last = head.last, isPart(last) { head.removeLast() }
    }
    dropLast(while: \.isWhitespace)
    dropLast { !$0.isWhitespace }
    dropLast { $0.isWhitespace || $0 == "(" }
    let last = head.split(whereSeparator: \.isWhitespace).last.map { $0.lowercased() } ?? ""
    guard !last.isEmpty, !["and", "or"].contains(last), last.last != "|" else { return text.startIndex }
    return head.endIndex
  }

  /// Returns the indexes of matching pairs. If `isRanked`, the best matches come first.
  func places(_ pairs: [Pair], _ board: WatchBoard, _ subjects: inout FilterSubjects, isRanked: Bool) -> [Int] {
    var places = Array(pairs.indices)
    if !names.isEmpty {
      subjects.follow(board.settings)
      let matching = names.places(in: pairs.map { subjects[$0, board] })
      places = isRanked ? matching : matching.sorted()
    }
    guard let condition else { return places }
    return subjects.matches.places(places.map { pairs[$0] }, board, text, condition).map { places[$0] }
  }

  /// Returns the name or symbol closest to the typed text; nil if none is close.
  func suggestion(_ pairs: some Sequence<Pair>, _ settings: WatchSettings) -> String? {
    guard !names.isEmpty, condition == nil else { return nil }
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
