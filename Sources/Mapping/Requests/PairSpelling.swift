package import Config

/// An exchange's spelling of a pair.
package struct PairSpelling: Sendable, Hashable {
  package let asset: String
  package let payment: String
  /// The whole symbol, as in the table of all pairs; nil if it was not looked up.
  package var symbol: String?

  package init(asset: String, payment: String, symbol: String? = nil) {
    self.asset = asset
    self.payment = payment
    self.symbol = symbol
  }

  subscript(part: Template.PairPart) -> String? {
    switch part {
    case .asset: asset
    case .payment: payment
    case .symbol: symbol
    }
  }
}

extension [(name: String, value: String)] {
  /// Returns the value of the first constant with a name.
  func value(of name: String) -> String? { first { $0.name == name }?.value }
}

/// A placeholder of a template has no value.
struct NoValue: Error {}

extension Template {
  /// Returns the text filled in with a row's own spelling of its pair.
  package func filled(asset: String, payment: String) -> String {
    filled(PairSpelling(asset: asset, payment: payment), []) ?? ""
  }

  /// Returns the text of a lookup's `match`, filled in with a pair and constants; nil if any placeholder has no value.
  func filled(_ pair: PairSpelling?, _ constants: [(name: String, value: String)]) -> String? {
    try? filled(value: { (placeholder) throws(NoValue) in
      guard let name = placeholder.name else { return "" }
      let value = if case .pair(let part) = placeholder { pair?[part] } else { constants.value(of: name) }
      guard let value else { throw NoValue() }
      return value
    })
  }
}

extension RowPlace {
  /// The row's own pair; nil if the row has none.
  var spelling: PairSpelling? {
    asset.isEmpty ? nil : PairSpelling(asset: asset, payment: payment, symbol: symbol.isEmpty ? nil : symbol)
  }
}
