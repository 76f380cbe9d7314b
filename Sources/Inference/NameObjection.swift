package import Quotes

// What tests of a mapping ask of the names that it reads.

extension NameLikeness {
  /// Returns whether a name says that its figure is of another span than a day: `volume30d`, `change7d`.
  package static func isOfOtherSpan(_ name: String) -> Bool { FieldName(name).has(.otherWindow) }

  /// Returns the basis of a price that is not traded but reckoned, by its name; nil for any other.
  package static func reckonedBasis(_ name: String) -> PriceBasis? {
    let words = FieldName(name)
    if FieldName.chunks(of: name).contains(where: { ["mid", "middle"].contains($0.lowercased()) }) { return .mid }
    return words.has(.index) ? .oracle : words.has(.mark) ? .mark : nil
  }

  /// Returns whether a name is rather that of the last price: `lastPrice`, `close`, `rate`.
  package static func mayBeLastPrice(_ name: String) -> Bool {
    let words = FieldName(name)
    return words.letter == nil && FieldLexicon.score(.price, words) >= 0.4
  }
}
