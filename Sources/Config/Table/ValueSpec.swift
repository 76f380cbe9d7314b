package import JSONPath
package import Quotes

/// A value of the language: where it comes from and what is done to it on the way.
package struct ValueSpec: Sendable {
  /// Which object `$` is.
  package enum Source: Sendable, Hashable {
    /// The row; in a lookup's own `key` and `where`, the lookup's row.
    case row
    case response
    /// The member's name or index that led to the row.
    case key
    /// `set` names, `asset`, `payment`, `keys`, `date` of the request.
    case request
    case lookup(String)
  }

  package indirect enum Origin: Sendable {
    case constant(String)
    case path(PathSpec?, from: Source)
    /// The first that is not missing.
    case first([ValueSpec])
    case sum([ValueSpec])
    case product([ValueSpec])
    case difference([ValueSpec])
    case quotient([ValueSpec])
    case join([ValueSpec], with: String)
    /// The change in percent from this open to the row's price.
    case fromOpen(ValueSpec)
  }

  /// How text becomes an instant.
  package enum TimeReading: Sendable {
    case unit(TimeUnit, offsetSeconds: Int)
    case iso8601(offsetSeconds: Int)
    case format(TimeFormat, offsetSeconds: Int)
  }

  package var origin: Origin
  /// A whole-text match; the group `value` is what stays.
  package var capture: IRegexp?
  /// Characters taken out wherever they stand.
  package var strip: String?
  /// Texts that mean "no value".
  package var missing: [String] = ValueSpec.defaultMissing
  /// How many places the point moves to the left.
  package var decimals: [ValueSpec] = []
  package var scale: Decimal?
  /// As written: which bases are allowed is the field's affair.
  package var basis: String?
  package var time: TimeReading?
  /// The words that mean that the taker bought or sold.
  package var side: SideWords?
  package let node: ConfigNode

  package static let defaultMissing = ["", "nan", "NaN", "N/A"]

  init(_ origin: Origin, node: ConfigNode) {
    self.origin = origin
    self.node = node
  }

  /// The values that this one is made of, itself not among them.
  package var parts: [ValueSpec] {
    let own: [ValueSpec] =
      switch origin {
      case .constant, .path: []
      case .first(let values), .sum(let values), .product(let values), .difference(let values),
        .quotient(let values), .join(let values, _):
        values
      case .fromOpen(let value): [value]
      }
    return own + decimals
  }

  /// Where the value and its parts are read from: source and path of each.
  package var places: Set<String> {
    var places = parts.reduce(into: Set<String>()) { $0.formUnion($1.places) }
    if case .path(let path, let source) = origin { places.insert("\(source) \(path?.text ?? "$")") }
    return places
  }

  /// The lookups that this value or a part of it reads.
  package var lookupNames: Set<String> {
    var names = parts.reduce(into: Set<String>()) { $0.formUnion($1.lookupNames) }
    if case .path(_, .lookup(let name)) = origin { names.insert(name) }
    return names
  }
}
