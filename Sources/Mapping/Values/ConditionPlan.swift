import Config
import JSONPath
import Quotes

/// A condition with its paths numbered. A class because every stream message is checked against several.
final class ConditionPlan: Sendable {
  let value: ValuePlan
  let test: ConditionSpec.Test
  /// See ``ConditionSpec/closed``.
  let closed: [String?]?
  /// See ``ConditionSpec/marksUnlisted``.
  let marksUnlisted: Bool
  /// The characters at the end of a path, if that is all there is to test: so most messages are recognized.
  let plain: (path: Int, isOfRow: Bool, characters: [UInt8])?

  init(_ spec: ConditionSpec, value: ValuePlan) {
    self.value = value
    test = spec.test
    closed = spec.closed
    marksUnlisted = spec.marksUnlisted
    guard value.isUntouched, case .equals(let text?) = test, text.utf8.allSatisfy({ $0 < 0x80 }) else {
      // Equal texts may differ in their bytes unless they are ASCII.
      plain = nil
      return
    }
    plain =
      switch value.origin {
      case .row(let path): (path, true, Array(text.utf8))
      case .response(let path): (path, false, Array(text.utf8))
      default: nil
      }
  }
}

extension ConditionSpec.Test {
  /// Returns whether a value passes the test.
  ///
  /// Scalars compare as text. A missing value and null are the same: both are `absent`, equal to null and only in lists
  /// that contain null, and they fail every other test. Several nodes at once count as present, but cannot be compared.
  func holds(for scalar: Scalar) -> Bool {
    switch self {
    case .shape(let shape): return Self.hasShape(shape, scalar)
    case .equals(nil): return scalar.isNothing
    case .isIn(let texts) where scalar.isNothing: return texts.contains(nil)
    case .notIn(let texts) where scalar.isNothing: return !texts.contains(nil)
    case .equals(let wanted?) where scalar.isText(wanted): return true
    case .prefix(let prefix) where scalar.isText(prefix, orMore: true): return true
    default: break
    }
    guard let text = scalar.comparedText else {
      if case .notIn = self, case .container = scalar { return true }
      return false
    }
    switch self {
    case .equals(let wanted): return text == wanted
    case .isIn(let texts): return texts.contains(text)
    case .notIn(let texts): return !texts.contains(text)
    case .prefix(let prefix): return text.hasPrefix(prefix)
    case .suffix(let suffix): return text.hasSuffix(suffix)
    case .match(let expression): return expression.matchesWhole(text)
    case .above(let limit):
      guard let number = Decimal(text), let limit = Decimal(limit) else { return false }
      return number > limit
    case .shape: return false
    }
  }

  /// The test's expectation in words: `'0'`, `one of '0', '1'`.
  var expectation: String {
    func all(_ texts: [String?]) -> String {
      texts.map { $0.map { "'\($0)'" } ?? "null" }.joined(separator: ", ")
    }
    return switch self {
    case .equals(let text): all([text])
    case .isIn(let texts): "one of \(all(texts))"
    case .notIn(let texts): "none of \(all(texts))"
    case .prefix(let text): "a string that begins with '\(text)'"
    case .suffix(let text): "a string that ends in '\(text)'"
    case .match(let expression): "a string that matches '\(expression.pattern)'"
    case .above(let limit): "a number above \(limit)"
    case .shape(.present): "any value"
    case .shape(.absent): "nothing"
    case .shape(.empty): "something empty"
    case .shape(.array): "an array"
    case .shape(.object): "an object"
    }
  }

  private static func hasShape(_ shape: ConditionSpec.Shape, _ scalar: Scalar) -> Bool {
    switch (shape, scalar) {
    case (.present, _): return !scalar.isNothing
    case (.absent, _): return scalar.isNothing
    case (.array, .container(let isArray, _)): return isArray
    case (.object, .container(let isArray, _)): return !isArray
    case (.empty, .container(_, let isEmpty)): return isEmpty
    case (.empty, _): return scalar.comparedText?.isEmpty == true
    default: return false
    }
  }
}
