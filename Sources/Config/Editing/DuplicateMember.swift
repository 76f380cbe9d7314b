import JSON

extension ConfigFile {
  /// The edit that takes a repeated member away, where it says what the earlier one says.
  func removal(ofDuplicate key: JSONNode) -> [Finding.Edit] {
    guard let object = object(withKey: key, in: document.root),
      let member = object.members.first(where: { $0.key.byteRange == key.byteRange })
    else { return [] }
    let twin = object.members.first {
      $0.key.byteRange.lowerBound < key.byteRange.lowerBound && $0.name == member.name
        && $0.value.text == member.value.text
    }
    // Something stands before a repeated member, so a comma does too.
    guard twin != nil,
      let comma = document.bytes[..<key.byteRange.lowerBound].lastIndex(of: UInt8(ascii: ","))
    else { return [] }
    return [Finding.Edit(Place(file: source, range: comma..<member.value.byteRange.upperBound), "")]
  }

  private func object(withKey key: JSONNode, in node: JSONNode) -> JSONNode? {
    guard node.byteRange.contains(key.byteRange.lowerBound) else { return nil }
    for member in node.members {
      if member.key.byteRange == key.byteRange { return node }
      if let found = object(withKey: key, in: member.value) { return found }
    }
    for element in node.elements {
      if let found = object(withKey: key, in: element) { return found }
    }
    return nil
  }
}
