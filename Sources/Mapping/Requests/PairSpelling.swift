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

  /// The names of its parts in templates.
  static let names = Template.pairPlaceholders + ["symbol"]

  /// Returns the part with a name.
  func value(named name: String) -> String? {
    switch name {
    case "asset": asset
    case "payment": payment
    case "symbol": symbol
    default: nil
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
    filledByName { $0 == "asset" ? asset : payment } ?? ""
  }

  /// Returns the text with a value for each name; nil if any has none.
  fileprivate func filledByName(_ value: (_ name: String) -> String?) -> String? {
    try? filled(value: { (placeholder) throws(NoValue) in
      guard case .name(let name) = placeholder else { return "" }
      guard let value = value(name) else { throw NoValue() }
      return value
    })
  }
}

extension RowPlace {
  /// Returns a template of a lookup's `match`, filled in with the row's own pair; nil if the row has none.
  func filled(_ template: Template, _ constants: [(name: String, value: String)]) -> String? {
    guard !asset.isEmpty else { return nil }
    return template.filledByName { name in
      switch name {
      case "asset": asset
      case "payment": payment
      case "symbol": symbol.isEmpty ? nil : symbol
      default: constants.value(of: name)
      }
    }
  }
}

extension RequestContext {
  /// Returns a template of a lookup's `match`, filled in with the requested pair; nil without a pair.
  func filled(_ template: Template, _ constants: [(name: String, value: String)]) -> String? {
    template.filledByName { name in
      PairSpelling.names.contains(name) ? spelling?.value(named: name) : constants.value(of: name)
    }
  }
}
