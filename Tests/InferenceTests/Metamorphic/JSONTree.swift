import JSON

/// A JSON value that can be taken apart and put together in another form.
indirect enum JSONTree: Equatable {
  struct Member: Equatable {
    var name: String
    var value: JSONTree
  }

  case object([Member])
  case array([JSONTree])
  case text(String)
  /// The JSON text of a number, a Boolean or null.
  case raw(String)

  init(_ node: JSONNode) {
    self =
      switch node.kind {
      case .object: .object(node.members.map { Member(name: $0.name, value: JSONTree($0.value)) })
      case .array: .array(node.elements.map { JSONTree($0) })
      case .string: .text(node.string ?? "")
      default: .raw(node.text)
      }
  }

  var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(member.name)
        member.value.write(to: &writer)
      }
      writer.endObject()
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .text(let text): writer.string(text)
    case .raw(let text): writer.raw(text.utf8)
    }
  }

  subscript(_ name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a scalar; nil for null and for anything else.
  var scalarText: String? {
    switch self {
    case .text(let text): text
    case .raw(let text): text == "null" ? nil : text
    default: nil
    }
  }

  // MARK: Access

  /// The value at names and indexes below this one; setting replaces an existing value and never adds one.
  subscript(_ steps: ArraySlice<String>) -> JSONTree? {
    get {
      guard let step = steps.first else { return self }
      switch self {
      case .object: return self[step]?[steps.dropFirst()]
      case .array(let elements):
        guard let index = Int(step), elements.indices.contains(index) else { return nil }
        return elements[index][steps.dropFirst()]
      default: return nil
      }
    }
    set {
      guard let newValue else { return }
      guard let step = steps.first else {
        self = newValue
        return
      }
      switch self {
      case .object(var members):
        guard let index = members.firstIndex(where: { $0.name == step }) else { return }
        members[index].value[steps.dropFirst()] = newValue
        self = .object(members)
      case .array(var elements):
        guard let index = Int(step), elements.indices.contains(index) else { return }
        elements[index][steps.dropFirst()] = newValue
        self = .array(elements)
      default: return
      }
    }
  }

  // MARK: Transforming

  /// Returns the value with all scalars mapped by a function.
  func mappingScalars(_ change: (JSONTree) -> JSONTree) -> JSONTree {
    switch self {
    case .object(let members):
      .object(members.map { Member(name: $0.name, value: $0.value.mappingScalars(change)) })
    case .array(let elements): .array(elements.map { $0.mappingScalars(change) })
    default: change(self)
    }
  }

  /// Returns the value with all member names mapped by a function.
  func mappingNames(_ change: (String) -> String) -> JSONTree {
    switch self {
    case .object(let members):
      .object(members.map { Member(name: change($0.name), value: $0.value.mappingNames(change)) })
    case .array(let elements): .array(elements.map { $0.mappingNames(change) })
    default: self
    }
  }

  /// The values in order, without their names; nested objects become arrays too.
  var withoutNames: JSONTree {
    switch self {
    case .object(let members): .array(members.map(\.value.withoutNames))
    case .array(let elements): .array(elements.map(\.withoutNames))
    default: self
    }
  }
}
