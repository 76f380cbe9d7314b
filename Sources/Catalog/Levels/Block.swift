import JSON

/// What the levels of a venue come to when they are laid one over another, nearest last.
package struct Block: Sendable {
  private var values: [BlockKey: ConfigNode] = [:]
  private var members: [BlockKey: [ConfigMember]] = [:]
  /// Where the nearest level begins.
  package private(set) var node: ConfigNode
  /// False once a level comes from a file that may not receive secrets: such a level could send them anywhere.
  package private(set) var isTrusted = true

  package init(_ node: ConfigNode, ignoring ignored: Set<BlockKey> = []) {
    self.node = node
    overlay(node, ignoring: ignored)
  }

  package subscript(_ key: BlockKey) -> ConfigNode? { values[key] }

  /// The merged members of a key that merges by member, in the order in which they were first written.
  package func members(of key: BlockKey) -> [ConfigMember] { members[key] ?? [] }

  /// Lays a nearer level over this one. `null` removes what stands above it.
  ///
  /// - Parameter ignored: keys of the level that are not meant for this venue.
  package mutating func overlay(_ level: ConfigNode, ignoring ignored: Set<BlockKey> = []) {
    node = level
    if level.file.isUntrusted { isTrusted = false }
    for member in level.members {
      guard let key = BlockKey(rawValue: member.name), !ignored.contains(key) else { continue }
      if member.value.json.isNull {
        values[key] = nil
        members[key] = nil
      } else if key.mergesByMember, member.value.json.kind == .object {
        members[key] = (members[key] ?? []).merged(with: member.value.members)
        values[key] = member.value
      } else {
        values[key] = member.value
      }
    }
  }
}

extension [ConfigMember] {
  /// Lays nearer members over these, each in the place of its namesake. `null` removes one.
  func merged(with near: [ConfigMember]) -> [ConfigMember] {
    var result = self
    for member in near {
      let index = result.firstIndex { $0.name == member.name }
      switch (index, member.value.json.isNull) {
      case (let index?, true): result.remove(at: index)
      case (let index?, false): result[index] = member
      case (nil, true): break
      case (nil, false): result.append(member)
      }
    }
    return result
  }
}
