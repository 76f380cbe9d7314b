package import JSON

extension ConfigValue {
  /// A value that somebody else wrote, with its members and elements to be reached.
  package init(_ node: JSONNode) {
    switch node.kind {
    case .object: self = .object(node.members.map { ($0.name, ConfigValue($0.value)) })
    case .array: self = .list(node.elements.map { ConfigValue($0) })
    case .string: self = .text(node.string ?? "")
    default: self = .raw(node.text)
    }
  }

  /// The members of an object; nil for anything else.
  package var members: [(name: String, value: ConfigValue)]? {
    if case .object(let members) = self { members } else { nil }
  }

  package subscript(name: String) -> ConfigValue? { members?.last { $0.name == name }?.value }

  /// What stands at the end of a way of names; nil where the way breaks off.
  package subscript(path: [String]) -> ConfigValue? {
    path.reduce(self as ConfigValue?) { value, name in value?[name] }
  }

  /// Gives the member at the end of a way of names a value; objects that are missing on the way are made, and anything
  /// else that stands there gives way to one.
  ///
  /// - Parameter order: the names that come first in an object, in this order; a new member of another name comes last.
  package mutating func set(_ path: ArraySlice<String>, to value: ConfigValue, order: [String] = []) {
    guard let name = path.first else {
      self = value
      return
    }
    var members = members ?? []
    if let index = members.lastIndex(where: { $0.name == name }) {
      members[index].value.set(path.dropFirst(), to: value, order: order)
    } else {
      var inner = ConfigValue.object([])
      inner.set(path.dropFirst(), to: value, order: order)
      let rank = order.firstIndex(of: name)
      let place = rank.flatMap { rank in
        members.firstIndex { member in order.firstIndex(of: member.name).map { $0 > rank } ?? false }
      }
      members.insert((name, inner), at: place ?? members.count)
    }
    self = .object(members)
  }
}
