package import Quotes

/// What stands at an asset's name and makes so many of it: the `1000` of 1000PEPE and of SHIB1000.
package struct Multiplier: Sendable {
  package let mark: String
  /// Whether the mark stands behind the name, rather than before it.
  package let isBehind: Bool
  package let factor: Decimal

  /// - Parameter key: as the config writes it: a `*` in front stands for the name.
  init(key: String, factor: Decimal) {
    isBehind = key.hasPrefix("*")
    mark = isBehind ? String(key.dropFirst()) : key
    self.factor = factor
  }

  /// The name without the mark; nil where it has none, or where no letter stands next to it.
  package func unmultiplied(_ name: String) -> String? {
    guard isBehind else {
      guard name.utf8.first == mark.utf8.first, name.hasPrefix(mark) else { return nil }
      let rest = name.dropFirst(mark.count)
      return rest.first?.isLetter == true ? String(rest) : nil
    }
    guard name.utf8.last == mark.utf8.last, name.hasSuffix(mark) else { return nil }
    let rest = name.dropLast(mark.count)
    return rest.last?.isLetter == true ? String(rest) : nil
  }
}
