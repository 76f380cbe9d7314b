import JSON
import Quotes

/// The rows of an answer, however they were found: in one pass over the bytes, or in a tree.
///
/// Both give places in the same text, so all that follows is one and the same.
protocol RowSource {
  var count: Int { get }

  /// Why there is no container of rows, nil where there is one.
  var failure: TableFailure? { get }

  /// After how many rows the time is looked at.
  static var rowsBetweenLooks: Int { get }

  /// Where a path of the path list leads to from a row.
  func rowValue(_ path: Int, at place: RowPlace) -> PathResult

  /// Where a path of the path list leads to from the whole answer.
  func responseValue(_ path: Int, at place: RowPlace) -> PathResult

  /// Where a path of the path list leads to from the row around a row.
  func aroundValue(_ path: Int, at place: RowPlace) -> PathResult

  /// How a row is built.
  func shape(_ row: Int) -> RowShape

  /// The member's name or the index that led to a row.
  func key(_ row: Int, in body: UnsafeBufferPointer<UInt8>) -> String?

  /// Where a row stands in the text; nil for one that is made of several places.
  func range(_ row: Int) -> Range<Int>?
}

extension RowSource {
  /// Most rows stand in no other.
  func aroundValue(_ path: Int, at place: RowPlace) -> PathResult { .slot(.missing) }
}

/// How a row is built: what makes it doubtful that its members mean what they should.
struct RowShape {
  /// How many elements it has, as an array; 0 for any other row.
  var elementCount: Int
  /// Whether a member that a path leads to comes more than once.
  var repeatsMember: Bool
}

/// Which row is being read.
package struct RowPlace {
  var index: Int
  /// As the row spells them, once that is known: what a name template of a path is filled with.
  package var asset = ""
  package var payment = ""
  /// The whole of it, as the table of all pairs has it; empty where that is not known.
  package var symbol = ""

  package init(index: Int) {
    self.index = index
  }
}

/// Where a path led to.
enum PathResult {
  case slot(ScanSlot)
  case several
  /// The path would have to look at more than is sane.
  case tooCostly
}

/// Rows found in one pass over the bytes.
struct ScannedRows: RowSource {
  let result: ScanResult
  let slots: ScanSlots
  let count: Int
  let failure: TableFailure?
  static let rowsBetweenLooks = 1024
  /// Whether the mapping has one row in the place of a container of rows.
  let isSingle: Bool
  /// The number of the path that leads to it.
  private let singlePath: Int
  /// The key of that row; nil where it is the whole answer.
  let singleKey: String?

  /// - Parameter slots: those of the result, which lends them.
  init(_ result: ScanResult, _ slots: ScanSlots, _ scan: RowScan) {
    self.result = result
    self.slots = slots
    isSingle = scan.singleRow != nil
    singlePath = scan.singleRow?.path ?? 0
    singleKey = scan.singleRow?.key
    if isSingle {
      let kind = result.slot(row: 0, path: singlePath).kind
      count = kind == .object || kind == .array ? 1 : 0
      failure =
        count == 1 || kind == .null ? nil : TableFailure(.pathMiss, "the path of the row leads to \(kind.phrase)")
      return
    }
    switch result.containerKind {
    case .array, .object:
      count = result.rowCount
      failure = nil
    case let kind:
      count = 0
      failure = TableFailure(.pathMiss, "the path of the rows leads to \(kind.phrase)")
    }
  }

  @inline(__always)
  func rowValue(_ path: Int, at place: RowPlace) -> PathResult {
    .slot(slots.slots[place.index &* slots.rowWidth &+ slots.places[path]])
  }

  func responseValue(_ path: Int, at place: RowPlace) -> PathResult {
    .slot(result.responseSlot(path))
  }

  func shape(_ row: Int) -> RowShape {
    RowShape(
      elementCount: isSingle ? 0 : result.elementCount(ofRow: row),
      repeatsMember: result.repeatsMember(row: isSingle ? 0 : row))
  }

  func range(_ row: Int) -> Range<Int>? {
    isSingle ? result.slot(row: 0, path: singlePath).range : result.rowRange(row)
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

  /// The kind with its article, for messages.
  var phrase: String {
    switch self {
    case .missing: "nothing"
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
