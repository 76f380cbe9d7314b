import Catalog
import JSON
import JSONPath

extension ScannedRows {
  func rowValue(_ path: Int, at place: RowPlace, book: PathBook) -> FoundValue {
    .slot(result.slot(row: place.index, path: path))
  }

  func responseValue(_ path: Int, book: PathBook) -> FoundValue { .slot(result.responseSlot(path)) }

  func key(_ row: Int, in body: UnsafeBufferPointer<UInt8>) -> String? {
    if isSingle { return nil }
    let slot = result.keySlot(row: row)
    guard slot.kind == .string else { return result.containerKind == .array ? String(row) : nil }
    guard slot.hasEscapes else {
      return String(decoding: UnsafeBufferPointer(rebasing: body[slot.range]), as: UTF8.self)
    }
    return decodedString(Array(body[slot.range]), slot: slot.rebased)
  }
}

extension WalkedRows {
  func rowValue(_ path: Int, at place: RowPlace, book: PathBook) -> FoundValue {
    let path = book.row[path]
    let nodes = rows[place.index].nodes
    if nodes.count == 1, path.templates.isEmpty { return FoundValue(path.query.nodes(in: nodes[0])) }
    let steps = filled(path, place)
    return nodes.count == 1 ? FoundValue(walk(steps, from: nodes[0])) : zippedValue(steps, nodes)
  }

  func responseValue(_ path: Int, book: PathBook) -> FoundValue {
    FoundValue(book.response[path].query.nodes(in: document.root))
  }

  func key(_ row: Int, in body: UnsafeBufferPointer<UInt8>) -> String? { rows[row].key }

  /// The first step of a path into a zipped row says which of the arrays is meant.
  private func zippedValue(_ steps: [SingularStep], _ nodes: [JSONNode]) -> FoundValue {
    guard case .index(let column)? = steps.first, nodes.indices.contains(column) else { return .slot(.missing) }
    return FoundValue(walk(Array(steps.dropFirst()), from: nodes[column]))
  }

  private func filled(_ path: PathSpec, _ place: RowPlace) -> [SingularStep] {
    let steps = path.query.singularSteps ?? []
    return steps.enumerated().map { index, step in
      path.templates[index].map { .member($0.filled(asset: place.asset, payment: place.payment)) } ?? step
    }
  }

  private func walk(_ steps: [SingularStep], from node: JSONNode) -> [JSONNode] {
    var node: JSONNode? = node
    for step in steps {
      switch step {
      case .member(let name): node = node?[name]
      case .index(let index): node = node.flatMap { $0[index < 0 ? $0.count + index : index] }
      }
    }
    return node.map { [$0] } ?? []
  }
}

extension FoundValue {
  fileprivate init(_ nodes: [JSONNode]) {
    self = nodes.count > 1 ? .several : .slot(nodes.first.map { ScanSlot($0) } ?? .missing)
  }
}

extension Template {
  /// The text with a row's own spelling of its pair.
  fileprivate func filled(asset: String, payment: String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): return text
      case .placeholder(.name(let name), let letters):
        let value = name == "asset" ? asset : payment
        switch letters {
        case .lower: return value.lowercased()
        case .upper: return value.uppercased()
        case nil: return value
        }
      case .placeholder: return ""
      }
    }.joined()
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
