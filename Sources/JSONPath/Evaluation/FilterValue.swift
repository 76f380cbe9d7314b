import JSON

/// A value in a filter, or Nothing: what is compared and what functions take and give (RFC 9535 §2.4.1).
enum FilterValue {
  /// The absence of any value; null is a value.
  case nothing
  case null
  case boolean(Bool)
  case number(ExactNumber)
  case string(ScalarText)
  /// An array or object.
  case container(JSONNode)

  init(_ literal: Literal) {
    switch literal {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .number(let text): self = .number(ExactNumber(text))
    case .string(let text): self = .string(text)
    }
  }

  init(_ node: JSONNode?) {
    guard let node else {
      self = .nothing
      return
    }
    switch node.kind {
    case .null: self = .null
    case .true: self = .boolean(true)
    case .false: self = .boolean(false)
    case .number: self = .number(ExactNumber(node.text))
    case .string: self = .string(ScalarText(node.string ?? ""))
    case .array, .object: self = .container(node)
    }
  }

  /// The result of the function `length`, nil for Nothing (RFC 9535 §2.4.4).
  var length: Int? {
    switch self {
    case .string(let text): text.string.unicodeScalars.count
    case .container(let node): node.count
    case .nothing, .null, .boolean, .number: nil
    }
  }

  /// The order of numbers, and that of strings; all else is neither less nor greater (RFC 9535 §2.3.5.2.2).
  func isLess(than other: FilterValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left < right
    case (.string(let left), .string(let right)): left < right
    default: false
    }
  }
}

extension FilterValue: Equatable {
  static func == (left: FilterValue, right: FilterValue) -> Bool {
    switch (left, right) {
    case (.nothing, .nothing), (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.container(let left), .container(let right)): areDeeplyEqual(left, right)
    default: false
    }
  }

  /// Equality of arrays element by element and of objects member by member in any order; of members with the same name
  /// the last one counts.
  ///
  /// With a list of pairs still to compare instead of recursion, so that no depth of a document is too much.
  private static func areDeeplyEqual(_ left: JSONNode, _ right: JSONNode) -> Bool {
    var pairs = [(left, right)]
    while let (left, right) = pairs.popLast() {
      if left == right { continue }
      switch (left.kind, right.kind) {
      case (.array, .array):
        guard left.count == right.count else { return false }
        pairs.append(contentsOf: zip(left.elements, right.elements))
      case (.object, .object):
        let (leftMembers, rightMembers) = (members(of: left), members(of: right))
        guard leftMembers.count == rightMembers.count else { return false }
        for (name, value) in leftMembers {
          guard let counterpart = rightMembers[name] else { return false }
          pairs.append((value, counterpart))
        }
      case (.array, _), (.object, _), (_, .array), (_, .object):
        return false
      default:
        guard FilterValue(left) == FilterValue(right) else { return false }
      }
    }
    return true
  }

  private static func members(of object: JSONNode) -> [ScalarText: JSONNode] {
    var members: [ScalarText: JSONNode] = [:]
    for member in object.members { members[ScalarText(member.name)] = member.value }
    return members
  }
}
