package import JSONPath

/// A value and one test that it must pass.
package struct ConditionSpec: Sendable {
  package enum Test: Sendable {
    /// nil stands for null, which equals nothing as well.
    case equals(String?)
    case isIn([String?])
    case notIn([String?])
    case prefix(String)
    case suffix(String)
    case match(IRegexp)
    /// Numerically greater.
    case above(String)
    case shape(Shape)
  }

  package enum Shape: String, CaseIterable, Sendable { case present, absent, empty, array, object }

  package let value: ValueSpec
  package let test: Test

  package init(value: ValueSpec, test: Test) {
    self.value = value
    self.test = test
  }

  static let testKeys = ObjectShape.tests.map(\.name)
}
