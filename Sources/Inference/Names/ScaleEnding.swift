import Quotes

/// The ending of a name whose numbers count a small unit: `last_price_e4`, `priceE8`, `bid_x1e8`, or `lastEp`, which does
/// not say how small.
struct ScaleEnding {
  /// How many of the name's chunks it is.
  let chunkCount: Int
  /// What the numbers are multiplied by; nil if the ending does not say.
  let scale: Decimal?

  /// Returns nil for chunks of a name without such an ending, or that are nothing else.
  init?(of chunks: [String]) {
    guard let last = chunks.last, chunks.count > 1 else { return nil }
    if ["Ep", "Er", "Ev"].contains(last) {
      (chunkCount, scale) = (1, nil)
      return
    }
    guard chunks.count > 2, let places = Int(last), (1...18).contains(places),
      chunks[chunks.count - 2].lowercased() == "e"
    else { return nil }
    let isFactor = chunks.count > 4 && chunks.suffix(4).prefix(2).elementsEqual(["x", "1"])
    (chunkCount, scale) = (isFactor ? 4 : 2, Decimal(1).scaledByPowerOfTen(-places))
  }
}
