import Config
import JSONPath
import Quotes

/// A value of the config with its paths numbered and its lookups resolved: what is run for each row.
final class ValuePlan: Sendable {
  enum Origin: Sendable {
    case constant(String)
    case row(Int)
    case response(Int)
    case key
    case request(name: String)
    /// nil: the lookup's row itself.
    case lookup(Int, PathSpec?)
    case first([ValuePlan])
    case sum([ValuePlan])
    case product([ValuePlan])
    case difference([ValuePlan])
    case quotient([ValuePlan])
    case join([ValuePlan], with: String)
    /// The change in percent from this open to the row's price.
    case fromOpen(ValuePlan)
  }

  let origin: Origin
  let capture: IRegexp?
  let strip: Set<Unicode.Scalar>
  let missing: [String]
  let decimals: [ValuePlan]
  let scale: Decimal?
  let basis: String?
  let time: ValueSpec.TimeReading?
  let spec: ValueSpec
  /// True where nothing stands between the exchange's digits and the number: a list of missing texts is none of a
  /// number's business as long as it names no number.
  let isPlain: Bool
  /// True where `decimals` or `scale` turn the value into another number.
  let isScaled: Bool
  /// True where the text may become another or be taken for missing, even if it is the text of a number.
  let editsNumbers: Bool

  /// True where the value is what stands in the answer, whatever that is.
  var isUntouched: Bool { isPlain && missing.isEmpty }

  /// Whether the value is computed by us, rather than sent: a scale only moves a unit and does not count.
  var isComputed: Bool {
    switch origin {
    case .sum, .product, .difference, .quotient, .fromOpen: true
    case .first(let values): values.contains(where: \.isComputed)
    default: false
    }
  }

  /// Whether the value, or an alternative of it, names a basis.
  var namesBasis: Bool {
    guard basis == nil, case .first(let values) = origin else { return basis != nil }
    return values.contains(where: \.namesBasis)
  }

  /// Whether a division went into it, whose digits may not end.
  var hasQuotient: Bool {
    switch origin {
    case .quotient, .fromOpen: true
    case .sum(let values), .product(let values), .difference(let values), .first(let values):
      values.contains(where: \.hasQuotient)
    default: false
    }
  }

  /// Compiles a value.
  ///
  /// - Parameters:
  ///   - book: takes the paths.
  ///   - lookups: the names of the table's lookups, in order.
  init(_ spec: ValueSpec, book: inout PathBook, lookups: [String]) {
    func plans(_ values: [ValueSpec]) -> [ValuePlan] {
      values.map { ValuePlan($0, book: &book, lookups: lookups) }
    }
    switch spec.origin {
    case .constant(let text): origin = .constant(text)
    case .path(let path, let source):
      switch source {
      case .key: origin = .key
      case .request: origin = .request(name: path.flatMap(Self.memberName) ?? "")
      case .row: origin = .row(path.map { book.rowIndex(of: $0) } ?? Self.whole(&book, spec))
      case .response: origin = .response(path.map { book.responseIndex(of: $0) } ?? Self.wholeResponse(&book, spec))
      case .lookup(let name): origin = .lookup(lookups.firstIndex(of: name) ?? 0, path)
      }
    case .first(let values): origin = .first(plans(values))
    case .sum(let values): origin = .sum(plans(values))
    case .product(let values): origin = .product(plans(values))
    case .difference(let values): origin = .difference(plans(values))
    case .quotient(let values): origin = .quotient(plans(values))
    case .join(let values, let separator): origin = .join(plans(values), with: separator)
    case .fromOpen(let value): origin = .fromOpen(ValuePlan(value, book: &book, lookups: lookups))
    }
    capture = spec.capture
    strip = Set((spec.strip ?? "").unicodeScalars)
    missing = spec.missing
    decimals = plans(spec.decimals)
    scale = spec.scale
    basis = spec.basis
    time = spec.time
    self.spec = spec
    isScaled = !spec.decimals.isEmpty || spec.scale != nil
    editsNumbers = spec.capture != nil || spec.strip?.isEmpty == false || spec.missing.contains { Decimal($0) != nil }
    isPlain = !isScaled && !editsNumbers
  }
}

extension ValuePlan {
  /// `$.payment` of `from: "request"` names a value; there is nothing below it.
  private static func memberName(_ path: PathSpec) -> String? {
    guard let steps = path.query.singularSteps, steps.count == 1, case .member(let name) = steps[0] else { return nil }
    return name
  }

  private static func whole(_ book: inout PathBook, _ spec: ValueSpec) -> Int {
    PathSpec.root(at: spec.node).map { book.rowIndex(of: $0) } ?? 0
  }

  private static func wholeResponse(_ book: inout PathBook, _ spec: ValueSpec) -> Int {
    PathSpec.root(at: spec.node).map { book.responseIndex(of: $0) } ?? 0
  }
}

extension PathSpec {
  /// The path `$`, for a value that names only its source.
  fileprivate static func root(at node: ConfigNode) -> PathSpec? {
    (try? JSONPathQuery("$")).map { PathSpec(query: $0, templates: [:], node: node) }
  }
}
