import Config
import JSON
import Quotes

/// Two sides of an order book and the columns of their levels.
struct BookLevels {
  let bids: BookSide
  let asks: BookSide
  let price: SamplePath
  let priceConfidence: Double
  let priceEvidence: [String]

  /// A column that is lower throughout on one side.
  private struct Prices {
    let path: SamplePath
    let isFirstLower: Bool
    let isSorted: Bool
    private let least: Double
    private let most: Double

    /// nil if the sides overlap, or are far apart.
    ///
    /// - Parameter isWide: whether to accept sides that are far apart, if nothing but prices is in such an order: the
    ///   sizes of a book may rise from level to level, but bids fall.
    init?(at path: SamplePath, _ first: BookSide, _ second: BookSide, isWide: Bool = false) {
      guard let one = first.prices(at: path), let other = second.prices(at: path) else { return nil }
      isFirstLower = one[0] < other[0]
      let (lower, upper) = isFirstLower ? (one, other) : (other, one)
      guard let least = lower.min(), let best = lower.max(), let next = upper.min(), let most = upper.max(),
        best < next, isWide || next < best * 1.5
      else { return nil }
      isSorted = one.isMonotonic && other.isMonotonic
      if isWide {
        guard isSorted, one.count + other.count >= 6, first.isBids == isFirstLower, second.isBids == !isFirstLower,
          lower[0] == best
        else { return nil }
      }
      (self.path, self.least, self.most) = (path, least, most)
    }

    var isNamed: Bool { BookLevels.priceNames.contains(Spelling.folded(path.names.last ?? "")) }

    func isNear(_ known: Double) -> Bool { known * 0.67 <= least && most <= known * 1.5 }
  }

  private static let priceNames = RecordWords.prices.union(["orderprice", "limitprice"])

  /// - Parameter known: the price of the pair, if known.
  init?(_ first: BookSide, _ second: BookSide, near known: Double?) {
    var found: [Prices] = []
    // Prices in a small currency may look like times, and rise as these do.
    for looksLikeTime in [false, true] where found.isEmpty {
      found = first.columns.filter { ($0.moments != nil) == looksLikeTime }
        .compactMap { Prices(at: $0.path, first, second) }
    }
    // Few trade this pair.
    if found.isEmpty, let offers = Self.farOffers(first, second), Self.mayBe(offers, around: known) {
      found = Self.likelyPrices(first).compactMap { Prices(at: $0.path, first, second, isWide: true) }
    }
    let named = found.first(where: \.isNamed)
    let sorted = found.filter(\.isSorted)
    guard let best = named ?? (found.count == 1 ? found.first : sorted.first) else { return nil }
    price = best.path
    (bids, asks) = best.isFirstLower ? (first, second) : (second, first)
    let levels = first.levelCount + second.levelCount
    let isNear = found.count == 1 && known.map(best.isNear) == true
    let isProved = levels >= 6 && best.isSorted && sorted.count == 1
    priceConfidence = named != nil ? 0.97 : isProved ? 0.95 : isNear ? 0.9 : 0.6
    priceEvidence =
      (isNear ? ["near the price of the table"] : []) + ["all bids below all asks in \(levels) levels"]
      + (best.isSorted ? ["in order"] : [])
  }

  /// Returns the columns that are prices by their names or places; any other may be a size.
  private static func likelyPrices(_ side: BookSide) -> [SampleColumn] {
    side.columns.filter { column in
      priceNames.contains(column.plainName) || column.path.steps == [.index(0)]
        || side.isKeyed && !column.path.steps.isEmpty
    }
  }

  /// Returns whether the price of the pair lies between best offers; true if it is unknown.
  static func mayBe(_ offers: (bid: Double, ask: Double), around known: Double?) -> Bool {
    known.map { offers.bid <= $0 && $0 <= offers.ask } ?? true
  }

  /// Returns the best offers of sides that do not overlap but are no book, as they are far apart; nil if they overlap.
  static func farOffers(_ first: BookSide, _ second: BookSide) -> (bid: Double, ask: Double)? {
    likelyPrices(first).lazy.compactMap { column -> (Double, Double)? in
      guard let one = first.prices(at: column.path), let other = second.prices(at: column.path) else { return nil }
      let (lower, upper) = one[0] < other[0] ? (one, other) : (other, one)
      guard let bid = lower.max(), let ask = upper.min(), bid < ask else { return nil }
      return (bid, ask)
    }.first
  }

  /// Returns the columns of bids and asks.
  private func columns(at path: SamplePath) -> [SampleColumn] { [bids, asks].compactMap { $0.column(path) } }

  var fields: [BlockField] {
    let texts = bids.column(price)?.texts ?? []
    let (path, value): (String, ConfigValue) =
      bids.isKeyed
      ? ("the names of members", .object([("from", .text("key"))]))
      : (price.text, BlockField.value(of: columns(at: price)))
    let (confidence, evidence) = (priceConfidence, priceEvidence)
    return [
      BlockField("bids", path: bids.text, value: bids.rows, confidence, evidence),
      BlockField("asks", path: asks.text, value: asks.rows, confidence, evidence),
      BlockField(
        "price", path: path, value: value, example: texts.first.flatMap(\.self) ?? "", confidence, evidence,
        texts: texts),
    ]
  }

  // MARK: Sizes

  static let sizeNames = RecordWords.sizes.union(["s", "orderquantity"])

  /// Returns which columns are the price times another one in the levels of both sides.
  private func worthProofs(
    _ columns: [SampleColumn]
  ) -> [(size: SampleColumn, worth: SamplePath, vote: RowRelations.Vote)] {
    columns.flatMap { size in
      columns.filter { $0.path != size.path }.compactMap { worth in
        var vote = RowRelations.Vote()
        for side in [bids, asks] {
          guard let price = side.column(price), let sizes = side.column(size.path), let worths = side.column(worth.path)
          else { return nil }
          vote.add(WorthProof.vote(price, sizes, worths))
        }
        return vote.rows >= 4 && vote.share >= 0.95 ? (size, worth.path, vote) : nil
      }
    }
  }

  /// The columns that may be sizes, without those that are the sum of another one up to the level.
  private var amounts: [SampleColumn] {
    let all = bids.columns.filter { column in
      guard column.path != price, column.moments == nil, !column.areTimes, let first = column.allNumbers,
        let second = asks.column(column.path)?.allNumbers
      else { return false }
      return (first + second).allSatisfy { $0 >= 0 } && (first + second).contains { $0 > 0 }
    }
    return all.filter { total in
      !all.contains { part in
        part.path != total.path
          && [bids, asks].allSatisfy { $0.column(total.path)?.isRunningSum(of: $0.column(part.path)) == true }
      }
    }
  }

  /// Returns the size of the levels; nil if they have no other number than the price.
  func size(isFutures: Bool) -> BlockField? {
    let amounts = amounts
    let proofs = worthProofs(amounts)
    let worths = Set(proofs.map(\.worth))
    if let proof = proofs.first, proofs.allSatisfy({ $0.size.path == proof.size.path }),
      !worths.contains(proof.size.path)
    {
      var field = size(proof.size, 0.97, ["price x size is another column in \(proof.vote.text)"])
      field.unit = .asset
      return field
    }
    guard let likely = likelySize(amounts, worths) else { return nil }
    let column = likely.column
    var (confidence, evidence) = (likely.confidence, likely.evidence)
    var remarks = isFutures ? [SizeUnit.mayBeContracts] : []
    let unit = SizeUnit(Array(zip(columns(at: column.path), columns(at: price))))
    if let doubt = unit.doubt {
      confidence = 0.3
      remarks.append(doubt)
    }
    if RunningTotals.areTotals([column, asks.column(column.path)]) {
      (confidence, evidence) = (min(0.5, confidence), RunningTotals.evidence)
    }
    var field = size(column, isFutures ? min(0.6, confidence) : confidence, [evidence] + remarks)
    field.unit = unit.doubt != nil ? .money : unit.asset != nil ? .asset : .unknown
    return field
  }

  private func size(_ column: SampleColumn, _ confidence: Double, _ evidence: [String]) -> BlockField {
    BlockField(
      "size", column, at: ["size"], value: BlockField.value(of: columns(at: column.path)), confidence, evidence)
  }

  /// Returns whether a name may be that of an amount of the asset: `baseAmount`, but neither `type` nor `order_index`.
  private static func namesAmount(_ name: FieldName) -> Bool {
    FieldLexicon.score(.volume, name) > max(0.2, FieldLexicon.score(.turnover, name))
  }

  /// Returns the column that is the size by its name, or because no other can be.
  private func likelySize(
    _ amounts: [SampleColumn], _ worths: Set<SamplePath>
  ) -> (column: SampleColumn, confidence: Double, evidence: String)? {
    let named = amounts.filter { Self.sizeNames.contains($0.plainName) }
    if named.count == 1, !worths.contains(named[0].path) { return (named[0], 0.9, "its name") }
    if amounts.count == 1 { return (amounts[0], 0.9, "the only other number of a level") }
    let broken = amounts.filter { !$0.isWhole || asks.column($0.path)?.isWhole == false }
    if broken.count == 1, named.isEmpty { return (broken[0], 0.8, "the only other number with a fraction") }
    let guesses = amounts.filter { $0.title.isEmpty || Self.namesAmount($0.leafName) }
    // Of several with names, the first is no better than the next.
    guard let guess = guesses.first, guess.title.isEmpty || guesses.count == 1 else { return nil }
    return (guess, 0.5, "\(guess.title.isEmpty ? "the first" : "one") of \(amounts.count) numbers")
  }
}
