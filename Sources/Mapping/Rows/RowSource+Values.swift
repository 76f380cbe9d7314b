import Config
import JSON
import JSONPath

extension ScannedRows {
  @inline(__always)
  func rowValue(_ path: Int, at place: RowPlace) -> FoundValue {
    .slot(slots.slots[place.index &* slots.rowWidth &+ slots.places[path]])
  }

  func responseValue(_ path: Int, at place: RowPlace) -> FoundValue {
    .slot(result.responseSlot(path))
  }

  func key(_ row: Int, in body: UnsafeBufferPointer<UInt8>) -> String? {
    guard row < count, !isSingle else { return singleKey }
    let slot = result.keySlot(row: row)
    guard slot.kind == .string else { return result.containerKind == .array ? String(row) : nil }
    guard slot.hasEscapes else {
      return String(decoding: UnsafeBufferPointer(rebasing: body[slot.range]), as: UTF8.self)
    }
    return decodedString(Array(body[slot.range]), slot: slot.rebased)
  }
}

extension WalkedRows {
  func rowValue(_ path: Int, at place: RowPlace) -> FoundValue {
    FoundValue(rows[place.index].nodes(at: book.row[path], place))
  }

  func responseValue(_ path: Int, at place: RowPlace) -> FoundValue {
    FoundValue(book.response[path].nodes(in: document.root, place))
  }

  func key(_ row: Int, in body: UnsafeBufferPointer<UInt8>) -> String? { row < count ? rows[row].key : nil }
}

extension FoundValue {
  fileprivate init(_ nodes: [JSONNode]) {
    self = nodes.count > 1 ? .several : .slot(nodes.first.map { ScanSlot($0) } ?? .missing)
  }
}

extension ScanSlot {
  /// A node of a tree as a place in its text.
  init(_ node: JSONNode) {
    let range = node.byteRange
    switch node.kind {
    case .string:
      let inside = (range.lowerBound + 1)..<(range.upperBound - 1)
      self.init(
        kind: .string, start: UInt32(inside.lowerBound), end: UInt32(inside.upperBound),
        hasEscapes: node.document.bytes[inside].contains(UInt8(ascii: "\\")))
    case let kind:
      self.init(kind: ScanKind(kind), start: UInt32(range.lowerBound), end: UInt32(range.upperBound))
    }
  }

  /// The same slot in a text that begins where the slot begins.
  var rebased: ScanSlot { ScanSlot(kind: kind, start: 0, end: end - start, hasEscapes: hasEscapes) }
}

extension ScanKind {
  init(_ kind: JSONKind) {
    switch kind {
    case .null: self = .null
    case .true: self = .true
    case .false: self = .false
    case .number: self = .number
    case .string: self = .string
    case .array: self = .array
    case .object: self = .object
    }
  }
}
