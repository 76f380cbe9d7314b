import Config
import JSON
import JSONPath
import Quotes

/// What distinguishes the messages of a channel from others of its connection: what names their kind, never what they
/// say about a pair.
extension StreamInference {
  /// - Parameters:
  ///   - channel: candle messages have the interval in their name, which the condition leaves open.
  ///   - others: the messages with rows that are not the channel's; nil for all that are not taken.
  ///   - passed: steps of members that are numbers of the rows, not marks, whatever they have in common.
  func conditions(
    of taken: Set<Int>, _ place: Place, _ symbol: FoundSymbol, channel: StreamChannel = .ticker,
    others: [Int]? = nil, passing passed: [[SingularStep]] = []
  ) -> [ConfigValue] {
    // What is named after a pair marks no channel.
    let passed = passed + (place.isNamed ? place.heads : [])
    let others = others ?? roots.indices.filter { !taken.contains($0) && !place.nodes(in: roots[$0]).isEmpty }
    // Some of these may be of the same kind: of a pair missing in the table, or without a number that it has.
    let alike = Set(self.alike(others, taken, place, symbol))
    let hasSeveralPairs = pairCount(of: taken, place, symbol) > 1
    var best = Best<ConfigValue>()
    for column in columns where !passed.contains(where: column.steps.starts) {
      let mark = MessageMark(
        column, taken, hasInterval: channel == .candles, isInRow: place.holds(column.steps), isInList: place.isList,
        hasSeveralPairs: hasSeveralPairs, isCurrency: { currencies.contains($0.uppercased()) }, pair: pairRange)
      guard let mark else { continue }
      let holding = others.filter { mark.holds(column.nodes[$0]?.scalarText) }
      let wrong = holding.count { !alike.contains($0) }
      let doubt = mark.isPhase ? 2 : holding.count > wrong ? 1 : 0
      best.take(mark.value, rank: [-wrong, -doubt, -mark.rank, -column.steps.count])
    }
    if let value = best.value, best.rank.first == 0 { return [value] }
    // If no member names the kind, the one with the pair identifies the messages, unless the others have it, too.
    guard !symbol.isInRow || !place.isNamed && place.siblings.isEmpty else { return [] }
    let row = (place.steps + place.steps(toRow: 0)).pathText
    let path = symbol.isInRow ? row + symbol.path.dropFirst() : symbol.path
    let query = try? JSONPathQuery(path)
    let isTelling = others.contains { query?.nodes(in: roots[$0]).first?.scalarText == nil }
    return isTelling ? [.object([("path", .text(path)), ("is", .text("present"))])] : []
  }

  /// Returns those of the messages whose rows name a pair and have only members that taken rows have.
  private func alike(_ others: [Int], _ taken: Set<Int>, _ place: Place, _ symbol: FoundSymbol) -> [Int] {
    let rows = taken.flatMap { place.nodes(in: roots[$0]) }
    let names = Set(rows.flatMap { $0.members.map(\.name) })
    let counts = Set(rows.filter { $0.kind == .array }.map(\.count))
    let pair = try? JSONPathQuery(symbol.path)
    return others.filter { message in
      place.nodes(in: roots[message]).allSatisfy { row in
        let naming = symbol.isInRow ? row : roots[message]
        guard place.isNamed || pair?.nodes(in: naming).first?.scalarText != nil else { return false }
        return row.kind == .array ? counts.contains(row.count) : row.members.allSatisfy { names.contains($0.name) }
      }
    }
  }

  private func pairCount(of taken: Set<Int>, _ place: Place, _ symbol: FoundSymbol) -> Int {
    let messages = roots.indices.flatMap { index in place.nodes(in: roots[index]).map { _ in index } }
    return Set(zip(messages, symbol.known).compactMap { taken.contains($0) ? $1 : nil }).count
  }

  /// Returns where a text contains a pair of the table, as spelled there or by its two currencies.
  private func pairRange(in text: String) -> Range<String.Index>? {
    if let range = symbol(within: text)?.range { return range }
    let words = text.split { !$0.isLetter && !$0.isNumber }
    if let joined = words.first(where: { joinedNames.contains($0.uppercased()) }) {
      return joined.startIndex..<joined.endIndex
    }
    let pair = zip(words, words.dropFirst()).first { one, other in
      let (one, other) = (one.uppercased(), other.uppercased())
      return byNames[Pair(asset: one, payment: other)] != nil || byNames[Pair(asset: other, payment: one)] != nil
    }
    return pair.map { $0.startIndex..<$1.endIndex }
  }
}
