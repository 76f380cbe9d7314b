import Config
import JSON
import JSONPath
import Quotes

/// A value of the config with its paths numbered and its lookups resolved, evaluated for each row.
final class ValuePlan: Sendable {
  enum Origin: Sendable {
    case constant(String)
    /// The number of a path in the path list.
    case row(Int)
    case response(Int)
    /// The number of a path from the row that contains this one.
    case parent(Int)
    /// The name or index that many levels above the row; 0 for the row's own.
    case key(levelsUp: Int)
    case request(RequestValue)
    /// The number of a lookup, and of one of its paths.
    case lookup(Int, path: Int)
    case first([ValuePlan])
    case arithmetic(Arithmetic, [ValuePlan])
    case join([ValuePlan], with: String)
    /// A text filled in with the requested pair.
    case template(Template, constants: [(name: String, value: String)])
    /// The change in percent from this open to the row's price.
    case fromOpen(ValuePlan)
  }

  enum Arithmetic: String, Sendable {
    case sum, product, difference, quotient

    /// Returns nil if a division has no result.
    func callAsFunction(_ first: Decimal, _ second: Decimal) -> Decimal? {
      switch self {
      case .sum: first + second
      case .product: first * second
      case .difference: first - second
      case .quotient: first.divided(by: second)
      }
    }
  }

  /// A value that `from: "request"` names.
  enum RequestValue: Sendable {
    case asset, payment, keys, date
    /// A name from `set`.
    case constant(String)
    /// None of these.
    case unknown

    init(_ name: String?, constants: [(name: String, value: String)]) {
      if let constant = constants.first(where: { $0.name == name }) {
        self = .constant(constant.value)
        return
      }
      switch name {
      case "asset": self = .asset
      case "payment": self = .payment
      case "keys": self = .keys
      case "date": self = .date
      default: self = .unknown
      }
    }
  }

  let origin: Origin
  let spec: ValueSpec
  let decimals: ValuePlan?
  private let stripped: Set<Unicode.Scalar>
  /// Whether nothing lies between the exchange's digits and the number: texts that mean "missing" only matter if they
  /// are numbers.
  let isPlain: Bool
  /// Whether `decimals` or `scale` changes the number.
  let isScaled: Bool
  /// Whether `capture` or `strip` may change the text.
  let editsText: Bool
  /// Whether the text may be changed or taken for missing even if it is a number.
  let editsNumbers: Bool

  init(_ spec: ValueSpec, _ compiler: inout ValueCompiler) {
    self.spec = spec
    origin = compiler.origin(of: spec)
    decimals = spec.decimals.first.map { compiler.value($0) }
    stripped = Set((spec.strip ?? "").unicodeScalars)
    isScaled = !spec.decimals.isEmpty || spec.scale != nil
    editsText = spec.capture != nil || !stripped.isEmpty
    editsNumbers = editsText || spec.missing.contains { Decimal($0) != nil }
    isPlain = !isScaled && !editsNumbers
  }

  /// Whether the value is used exactly as it appears in the response.
  var isUntouched: Bool { isPlain && spec.missing.isEmpty }

  /// Whether the value is computed rather than sent; a scale only changes the unit and does not count.
  var isComputed: Bool {
    switch origin {
    case .arithmetic, .fromOpen: true
    case .first(let values): values.contains(where: \.isComputed)
    default: false
    }
  }

  /// Whether it involves a division, whose digits may not terminate.
  var hasQuotient: Bool {
    switch origin {
    case .arithmetic(.quotient, _), .fromOpen: true
    case .arithmetic(_, let values), .first(let values): values.contains(where: \.hasQuotient)
    default: false
    }
  }

  /// Whether the value or one of its alternatives names a basis.
  var namesBasis: Bool {
    guard spec.basis == nil, case .first(let values) = origin else { return spec.basis != nil }
    return values.contains(where: \.namesBasis)
  }

  /// Applies `capture`, `strip` and `missing` to a text, in this order.
  func edited(_ text: String) -> Scalar {
    var text = text
    if let capture = spec.capture {
      // Text that the expression does not match is unexpected, not missing.
      guard let value = capture.captures(text)?["value"] else { return .missing(.notANumber) }
      text = value
    }
    if !stripped.isEmpty {
      text = String(String.UnicodeScalarView(text.unicodeScalars.filter { !stripped.contains($0) }))
    }
    return spec.missing.contains(text) ? .missing(.jsonNull) : .text(text)
  }
}

/// A compiler for the values of one mapping that numbers their paths along the way.
struct ValueCompiler {
  private(set) var paths = PathList()
  /// The paths into the rows of each lookup.
  private(set) var lookupPaths: [PathList]
  private let lookupNames: [String]
  private let constants: [(name: String, value: String)]
  /// Whether `$` of a value is the whole response, as for `success`.
  private var rowIsResponse = false

  /// - Parameters:
  ///   - lookups: the names of the mapping's lookups, in order.
  ///   - constants: the values of `set`.
  init(lookups: [String] = [], constants: [(name: String, value: String)] = []) {
    lookupNames = lookups
    lookupPaths = lookups.map { _ in PathList() }
    self.constants = constants
  }

  mutating func value(_ spec: ValueSpec) -> ValuePlan { ValuePlan(spec, &self) }

  mutating func condition(_ spec: ConditionSpec) -> ConditionPlan {
    ConditionPlan(spec, value: value(spec.value))
  }

  /// Compiles the conditions of `success`.
  mutating func overResponse(_ conditions: [ConditionSpec]) -> [ConditionPlan] {
    rowIsResponse = true
    defer { rowIsResponse = false }
    return conditions.map { condition($0) }
  }

  /// Compiles a value whose `$` is the whole response.
  mutating func overResponse(_ spec: ValueSpec) -> ValuePlan {
    rowIsResponse = true
    defer { rowIsResponse = false }
    return value(spec)
  }

  /// Compiles the lookups, after everything that reads them: their paths are those named so far.
  mutating func lookups(_ specs: [LookupSpec]) -> [LookupPlan] {
    let matches = specs.map { value($0.match) }
    return zip(specs, zip(matches, lookupPaths)).map { LookupPlan($0, match: $1.0, paths: $1.1) }
  }

  fileprivate mutating func origin(of spec: ValueSpec) -> ValuePlan.Origin {
    switch spec.origin {
    case .constant(let text): return .constant(text)
    case .template(let template): return .template(template, constants: constants)
    case .path(_, .key):
      paths.namesContainer = paths.namesContainer || spec.levelsUp > 0
      return .key(levelsUp: spec.levelsUp)
    case .path(let path, .request):
      return .request(ValuePlan.RequestValue(path?.onlyName, constants: constants))
    case .path(let path, let source):
      guard let path = path ?? PathSpec.root(at: spec.node) else { return .constant("") }
      switch source {
      case .lookup(let name):
        // Lookup names were checked when the config was read.
        let lookup = lookupNames.firstIndex(of: name) ?? lookupNames.count
        guard lookup < lookupPaths.count else { return .lookup(lookup, path: 0) }
        return .lookup(lookup, path: lookupPaths[lookup].rowIndex(of: path))
      case .parentRow: return .parent(paths.parentIndex(of: path))
      case .row where !rowIsResponse: return .row(paths.rowIndex(of: path))
      default: return .response(paths.responseIndex(of: path))
      }
    case .first(let values): return .first(values.map { value($0) })
    case .sum(let values): return .arithmetic(.sum, values.map { value($0) })
    case .product(let values): return .arithmetic(.product, values.map { value($0) })
    case .difference(let values): return .arithmetic(.difference, values.map { value($0) })
    case .quotient(let values): return .arithmetic(.quotient, values.map { value($0) })
    case .join(let values, let separator): return .join(values.map { value($0) }, with: separator)
    case .fromOpen(let open): return .fromOpen(value(open))
    }
  }
}

extension PathSpec {
  /// `payment` for `$.payment`, which names a value of the request; nothing lies below it.
  fileprivate var onlyName: String? {
    guard let steps = query.singularSteps, steps.count == 1, case .member(let name) = steps[0] else { return nil }
    return name
  }
}

/// A number that is read without modification, like nearly all fields of nearly all exchanges.
struct PlainNumber: Sendable {
  /// The number of its path in the path list.
  let path: Int
  /// The scale, as a power of ten: 2 for a ratio that becomes a percentage.
  let power: Int
  let mustBePositive: Bool

  /// Returns nil if more than a power of ten lies between the digits and the value.
  init?(_ value: ValuePlan, _ kind: FieldKind) {
    guard kind == .number || kind == .positiveNumber, case .row(let path) = value.origin, !value.editsText,
      value.decimals == nil, value.spec.missing == ValueSpec.defaultMissing,
      let power = (value.spec.scale ?? 1).powerOfTen
    else { return nil }
    self.path = path
    self.power = power
    mustBePositive = kind == .positiveNumber
  }
}

/// A time counted from 1970 in a unit, in UTC, and read without modification.
struct PlainTime: Sendable {
  /// The number of its path in the path list.
  let path: Int
  let unit: TimeUnit

  /// Returns nil for a time in another form.
  ///
  /// - Parameter isOfResponse: Whether its path is one from the whole response, instead of from the row.
  init?(_ value: ValuePlan, isOfResponse: Bool = false) {
    guard value.isPlain, value.spec.missing == ValueSpec.defaultMissing, case .unit(let unit, 0)? = value.spec.time
    else { return nil }
    switch value.origin {
    case .row(let path) where !isOfResponse: self.path = path
    case .response(let path) where isOfResponse: self.path = path
    default: return nil
    }
    self.unit = unit
  }
}

/// A text that is read without modification.
struct PlainText: Sendable {
  /// The number of its path in the path list.
  let path: Int

  /// Returns nil if the text is edited, or if other texts than the default ones mean "missing".
  init?(_ value: ValuePlan) {
    guard case .row(let path) = value.origin, value.isPlain, value.spec.missing == ValueSpec.defaultMissing else {
      return nil
    }
    self.path = path
  }

  /// Returns whether a text may be one of those that mean "missing".
  static func mayBeMissing(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.isEmpty || text.count == 3 && text[0] | 0x20 == UInt8(ascii: "n")
  }
}
