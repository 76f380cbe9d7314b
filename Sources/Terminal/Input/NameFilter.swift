import Quotes

/// A filter as it is typed, which selects and ranks pairs.
///
/// Words separated by blanks must all match, each the symbol, a name or an alias; `|` separates alternatives: `ㅂㅌ
/// krw|리플`.
package struct NameFilter: Hashable, Sendable {
  /// A pair to be filtered, prepared once.
  package struct Subject: Hashable, Sendable {
    /// The whole symbol, the asset and the aliases.
    fileprivate let symbols: [HangulMatch.Name]
    /// nil if the symbol has only one part.
    fileprivate let payment: HangulMatch.Name?
    fileprivate let names: [HangulMatch.Name]

    /// - Parameters:
    ///   - symbol: For example `BTC/KRW`; its parts count as symbols too.
    ///   - names: In any language.
    ///   - aliases: Other symbols, such as `XBT`.
    package init(symbol: String, names: [String], aliases: [String] = []) {
      let parts = symbol.split { $0 == "/" || $0 == "-" }.map(String.init)
      let asset = parts.count > 1 ? [parts[0]] + parts.dropFirst(2) : []
      symbols = ([symbol] + asset + aliases).map(HangulMatch.Name.init)
      payment = parts.count > 1 ? HangulMatch.Name(parts[1]) : nil
      self.names = names.map(HangulMatch.Name.init)
    }
  }

  /// One word in all its possible readings.
  private struct Word: Hashable, Sendable {
    let typed: HangulMatch
    /// As typed on the other keyboard.
    let latin: HangulMatch?
    let korean: HangulMatch?
    /// Letters as the initials of a name; only used if nothing else is found, since every short word matches some.
    let koreanInitials: HangulMatch?

    init(_ text: String) {
      typed = HangulMatch(text)
      latin = HangulMatch.meantInLatin(text).map { HangulMatch($0) }
      korean = HangulMatch.meantInKorean(text, isWord: true)
      koreanInitials = korean == nil ? HangulMatch.meantInKorean(text, isWord: false) : nil
    }

    /// Returns the rank of the best match, lower being better, or nil if there is none.
    func rank(of subject: Subject, isForgiving: Bool) -> Int? {
      var best: Int?
      func consider(_ rank: Int) { best = min(best ?? rank, rank) }
      func consider(_ symbol: HangulMatch.Name, whole: Int, start: Int) {
        switch typed.fit(in: symbol) {
        case .whole: consider(whole)
        case .start: consider(start)
        case .initials, .inside: consider(6)
        case nil: break
        }
        if best == nil, latin?.fit(in: symbol).map({ $0 <= .start }) == true { consider(7) }
      }
      for symbol in subject.symbols { consider(symbol, whole: 0, start: 1) }
      // A match of the payment currency counts less than one of the asset.
      if let payment = subject.payment { consider(payment, whole: 3, start: 4) }
      if best == 0 { return best }
      for name in subject.names {
        switch typed.fit(in: name) {
        case .whole, .start: consider(2)
        case .initials: consider(5)
        case .inside: consider(6)
        case nil: break
        }
        if best == nil, korean?.fit(in: name) != nil { consider(7) }
        if best == nil, isForgiving, koreanInitials?.fit(in: name) != nil { consider(8) }
      }
      return best
    }
  }

  private let alternatives: [[Word]]

  package init(_ text: String) {
    alternatives = text.split(separator: "|").map { $0.split(separator: " ").map { Word(String($0)) } }
      .filter { !$0.isEmpty }
  }

  /// True for a filter that keeps everything.
  package var isEmpty: Bool { alternatives.isEmpty }

  /// Returns the indexes of the subjects that match, best first; of equal matches, the earlier first.
  package func places(in subjects: [Subject]) -> [Int] {
    guard !isEmpty else { return Array(subjects.indices) }
    let found = ranked(subjects, isForgiving: false)
    return found.isEmpty ? ranked(subjects, isForgiving: true) : found
  }

  private func ranked(_ subjects: [Subject], isForgiving: Bool) -> [Int] {
    var found: [(place: Int, rank: Int)] = []
    for (place, subject) in subjects.enumerated() {
      let ranks = alternatives.compactMap { words -> Int? in
        var sum = 0
        for word in words {
          guard let rank = word.rank(of: subject, isForgiving: isForgiving) else { return nil }
          sum += rank
        }
        return sum
      }
      if let rank = ranks.min() { found.append((place, rank)) }
    }
    return found.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.place)
  }

  /// Returns the nearest of several names that do not match, for "did you mean": the one with the fewest keys to
  /// change or swap, at most a third of them. Returns nil if none is near.
  package static func nearest(to text: String, in names: [String]) -> String? {
    func keys(_ text: String) -> [UInt8] {
      HangulMatch.folded(text).flatMap { scalar in
        Hangul.keys(of: scalar) ?? Array(String(Unicode.Scalar(scalar).map(Character.init) ?? "?").utf8)
      }
    }
    let wanted = keys(text)
    let limit = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for name in names {
      let found = keys(name)
      guard abs(found.count - wanted.count) <= limit else { continue }
      let distance = wanted.editDistance(to: found)
      if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
  }
}
