import Config
import JSON
import Quotes

/// Levels of both sides in one list, each with a word for its side: from an answer, or from the deltas of a stream.
struct SidedLevels {
  let rows: BlockRows
  let side: SampleColumn
  /// As written in the rows.
  let bidWord: String
  let askWord: String
  let price: SampleColumn
  let size: SampleColumn
  let evidence: [String]
  let confidence: Double

  /// - Parameter prices: the price range of the whole book that the levels change, if known. Otherwise the bids must be
  ///   below all asks.
  init?(_ rows: BlockRows, near prices: ClosedRange<Double>? = nil) {
    let numbers = rows.columns.filter { column in
      column.moments == nil && (column.allNumbers?.allSatisfy { $0 >= 0 } ?? false)
    }
    for side in rows.columns where side.isFull {
      guard let words = Self.words(side), words.bid != nil || words.ask != nil || prices == nil else { continue }
      let found = numbers.filter { $0.path != side.path }.compactMap { price -> Split? in
        prices.map { Self.isNear(price, $0) ? Split(price: price, words: words) : nil }
          ?? Split(price, side, words)
      }
      let named = found.filter { TradeInference.priceNames.contains($0.price.plainName) }
      guard let best = named.count == 1 ? named.first : found.count == 1 ? found.first : nil,
        let bid = best.words.bid, let ask = best.words.ask
      else { continue }
      let others = numbers.filter { $0.path != best.price.path && $0.path != side.path }
      // What is the price times another column is money.
      let worths = Set(WorthProof.all(prices: [best.price], amounts: others).map(\.worth.path))
      let rest = others.filter { !worths.contains($0.path) }
      let sizes = rest.filter { TradeInference.sizeNames.contains($0.plainName) }
      guard let size = sizes.count == 1 ? sizes.first : rest.count == 1 ? rest.first : nil else { continue }
      (self.rows, self.side, price, self.size) = (rows, side, best.price, size)
      (bidWord, askWord) = (bid, ask)
      let isProved = prices != nil || rows.count >= 6 && words.areKnown
      confidence = isProved ? 0.9 : 0.5
      evidence =
        prices == nil
        ? ["all rows with \(bid) below all with \(ask) in \(rows.count) levels"] + (words.areKnown ? ["its words"] : [])
        : ["near the prices of the whole book in \(rows.count) levels", "its words"]
      return
    }
    return nil
  }

  fileprivate struct Words {
    var bid: String?
    var ask: String?
    let areKnown: Bool
  }

  fileprivate struct Split {
    let price: SampleColumn
    let words: Words
  }

  /// Returns a column's words for the sides; nil if it has more than two.
  private static func words(_ column: SampleColumn) -> Words? {
    let words = Set(column.presentTexts)
    guard words.count <= 2 else { return nil }
    if let sides = SideWords(words) { return Words(bid: sides.buy, ask: sides.sell, areKnown: true) }
    return words.count == 2 && !words.contains(where: SideWords.isSide) ? Words(areKnown: false) : nil
  }

  private static func isNear(_ column: SampleColumn, _ prices: ClosedRange<Double>) -> Bool {
    column.allNumbers?.allSatisfy { prices.lowerBound * 0.5 <= $0 && $0 <= prices.upperBound * 2 } ?? false
  }
}

extension SidedLevels.Split {
  /// Returns nil if the column's numbers are not lower on one side, or contradict the words.
  fileprivate init?(_ price: SampleColumn, _ side: SampleColumn, _ words: SidedLevels.Words) {
    let groups = Dictionary(grouping: bothKnown(side.texts, price.numbers), by: \.0).mapValues { $0.map(\.1) }
    // Single orders share a price with others, but most prices have few; unknown words need levels.
    func areOfLevels(_ prices: [Double]) -> Bool {
      prices.count > 1 && Set(prices).count * (words.areKnown ? 2 : 1) >= prices.count
    }
    guard groups.count == 2, groups.values.allSatisfy(areOfLevels),
      let low = groups.min(by: { ($0.value.max() ?? 0) < ($1.value.max() ?? 0) }),
      let high = groups.first(where: { $0.key != low.key }),
      let most = low.value.max(), let least = high.value.min(), 0 < most, most < least, least < most * 1.5
    else { return nil }
    if words.areKnown, words.bid != low.key { return nil }
    self.price = price
    self.words = SidedLevels.Words(bid: low.key, ask: high.key, areKnown: words.areKnown)
  }
}

extension SidedLevels {
  /// Returns the two sides in block form.
  func fields(isFutures: Bool) -> [BlockField] {
    func condition(_ word: String) -> ConfigValue {
      .list([.object([("path", .text(side.path.text)), ("equals", ConfigValue(word: word))])])
    }
    let doubt = SizeUnit(size, prices: price).doubt
    let sides = [("bids", bidWord), ("asks", askWord)].map { name, word in
      BlockField(
        name, path: "\(rows.text) where \(side.path.text) is \(word)",
        members: [([name, "rows"], rows.value), ([name, "where"], condition(word))], confidence, evidence)
    }
    return sides + [
      BlockField("price", price, at: ["price"], confidence, evidence),
      BlockField(
        "size", size, at: ["size"], min(confidence, isFutures ? 0.6 : 1, doubt == nil ? 1 : 0.3),
        ["the only other number of a level"] + (isFutures ? [SizeUnit.mayBeContracts] : [])
          + [doubt].compactMap(\.self)),
    ]
  }
}

extension ConfigValue {
  /// Creates the value of a word in rows: numbers, true and false are written without quotes.
  init(word: String) {
    let node = (try? JSONDocument(parsing: Array(word.utf8)))?.root
    self = node.flatMap { [.number, .true, .false].contains($0.kind) ? ConfigValue($0) : nil } ?? .text(word)
  }
}
