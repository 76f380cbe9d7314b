import Config
import JSONPath
import Quotes

/// A value of the config with its paths numbered and its lookups resolved: what is run for each row.
final class ValuePlan: Sendable {
  enum Origin: Sendable {
    case constant(String)
    /// The number of a path in the path list.
    case row(Int)
    case response(Int)
    /// The number of a path from the row around this one.
    case around(Int)
    case key
    case request(RequestValue)
    /// The numbers of a lookup and of a path of it.
    case lookup(Int, path: Int)
    case first([ValuePlan])
    case arithmetic(Arithmetic, [ValuePlan])
    case join([ValuePlan], with: String)
    /// A text filled with the pair asked for.
    case template(Template, constants: [(name: String, value: String)])
    /// The change in percent from this open to the row's price.
    case fromOpen(ValuePlan)
  }

  enum Arithmetic: String, Sendable {
    case sum, product, difference, quotient

    /// nil where a division has no result.
    func callAsFunction(_ first: Decimal, _ second: Decimal) -> Decimal? {
      switch self {
      case .sum: first + second
      case .product: first * second
      case .difference: first - second
      case .quotient: first.divided(by: second)
      }
    }
  }

  /// What `from: "request"` names.
  enum RequestValue: Sendable {
    case asset, payment, keys, date
    /// A name of `set`.
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
  /// True where nothing stands between the exchange's digits and the number: texts that mean "none" matter only where
  /// they are numbers.
  let isPlain: Bool
  /// True where `decimals` or `scale` turn the value into another number.
  let isScaled: Bool
  /// True where `capture` or `strip` may turn the text into another.
  let editsText: Bool
  /// True where the text may become another or be taken for missing, even if it is the text of a number.
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

  /// True where the value is what stands in the answer, whatever that is.
  var isUntouched: Bool { isPlain && spec.missing.isEmpty }

  /// Whether the value is computed by us, rather than sent: a scale only moves a unit and does not count.
  var isComputed: Bool {
    switch origin {
    case .arithmetic, .fromOpen: true
    case .first(let values): values.contains(where: \.isComputed)
    default: false
    }
  }

  /// Whether a division went into it, whose digits may not end.
  var hasQuotient: Bool {
    switch origin {
    case .arithmetic(.quotient, _), .fromOpen: true
    case .arithmetic(_, let values), .first(let values): values.contains(where: \.hasQuotient)
    default: false
    }
  }

  /// Whether the value, or an alternative of it, names a basis.
  var namesBasis: Bool {
    guard spec.basis == nil, case .first(let values) = origin else { return spec.basis != nil }
    return values.contains(where: \.namesBasis)
  }

  /// A text after `capture`, `strip` and `missing`, in this order.
  func edited(_ text: String) -> Scalar {
    var text = text
    if let capture = spec.capture {
      // What the expression does not fit is something else than was expected, not nothing.
      guard let value = capture.captures(text)?["value"] else { return .missing(.notANumber) }
      text = value
    }
    if !stripped.isEmpty {
      text = String(String.UnicodeScalarView(text.unicodeScalars.filter { !stripped.contains($0) }))
    }
    return spec.missing.contains(text) ? .missing(.jsonNull) : .text(text)
  }
}

/// Compiles the values of one mapping, and numbers their paths on the way.
struct ValueCompiler {
  private(set) var paths = PathList()
  /// The paths that are followed into the rows of each lookup.
  private(set) var lookupPaths: [PathList]
  private let lookupNames: [String]
  private let constants: [(name: String, value: String)]
  /// Whether `$` of a value is the whole answer: how `success` reads.
  private var rowIsResponse = false

  /// - Parameters:
  ///   - lookups: the names of the mapping's lookups, in order.
  ///   - constants: those of `set`.
  init(lookups: [String] = [], constants: [(name: String, value: String)] = []) {
    lookupNames = lookups
    lookupPaths = lookups.map { _ in PathList() }
    self.constants = constants
  }

  mutating func value(_ spec: ValueSpec) -> ValuePlan { ValuePlan(spec, &self) }

  mutating func condition(_ spec: ConditionSpec) -> ConditionPlan {
    ConditionPlan(value: value(spec.value), test: spec.test)
  }

  /// The conditions of a rule for success.
  mutating func overResponse(_ conditions: [ConditionSpec]) -> [ConditionPlan] {
    rowIsResponse = true
    defer { rowIsResponse = false }
    return conditions.map { condition($0) }
  }

  /// A value whose `$` is the whole answer.
  mutating func overResponse(_ spec: ValueSpec) -> ValuePlan {
    rowIsResponse = true
    defer { rowIsResponse = false }
    return value(spec)
  }

  fileprivate mutating func origin(of spec: ValueSpec) -> ValuePlan.Origin {
    switch spec.origin {
    case .constant(let text): return .constant(text)
    case .template(let template): return .template(template, constants: constants)
    case .path(_, .key): return .key
    case .path(let path, .request):
      return .request(ValuePlan.RequestValue(path?.onlyName, constants: constants))
    case .path(let path, let source):
      guard let path = path ?? PathSpec.root(at: spec.node) else { return .constant("") }
      switch source {
      case .lookup(let name):
        // The names were checked when the config was read.
        let lookup = lookupNames.firstIndex(of: name) ?? lookupNames.count
        guard lookup < lookupPaths.count else { return .lookup(lookup, path: 0) }
        return .lookup(lookup, path: lookupPaths[lookup].rowIndex(of: path))
      case .rowAround: return .around(paths.aroundIndex(of: path))
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
  /// `payment` of `$.payment`, which names a value of the request; there is nothing below it.
  fileprivate var onlyName: String? {
    guard let steps = query.singularSteps, steps.count == 1, case .member(let name) = steps[0] else { return nil }
    return name
  }
}

/// A number that is read as it stands: nearly all fields of nearly all exchanges.
struct PlainNumber: Sendable {
  /// The number of its path in the path list.
  let path: Int
  /// The scale, as a power of ten: 2 for a ratio that becomes a percentage.
  let power: Int
  let mustBePositive: Bool

  /// nil where more than a power of ten stands between the digits and the value.
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

/// A time that is counted from 1970 in a unit, in UTC, and read as it stands.
struct PlainTime: Sendable {
  /// The number of its path in the path list.
  let path: Int
  let unit: TimeUnit

  /// nil for a time that is written otherwise.
  init?(_ value: ValuePlan) {
    guard case .row(let path) = value.origin, value.isPlain, value.spec.missing == ValueSpec.defaultMissing,
      case .unit(let unit, 0)? = value.spec.time
    else { return nil }
    self.path = path
    self.unit = unit
  }
}

/// A text that is read as it stands.
struct PlainText: Sendable {
  /// The number of its path in the path list.
  let path: Int

  /// nil for a text that is edited, or where other words than usual stand for nothing.
  init?(_ value: ValuePlan) {
    guard case .row(let path) = value.origin, value.isPlain, value.spec.missing == ValueSpec.defaultMissing else {
      return nil
    }
    self.path = path
  }

  /// Whether a text may be one of those that stand for nothing.
  static func mayBeMissing(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.isEmpty || text.count == 3 && text[0] | 0x20 == UInt8(ascii: "n")
  }
}
