import Config
import JSON
import Quotes

/// The rows of a response, however they were found: in one pass over the bytes, or in a tree.
///
/// Both give places in the same text, so everything downstream is the same.
protocol RowSource {
  var count: Int { get }

  /// Why there is no container of rows; nil if there is one.
  var failure: AnswerFailure? { get }

  /// The number of rows between checks of the time.
  static var rowsBetweenTimeChecks: Int { get }

  /// Returns the result of a path from a row, by its number in the path list.
  func rowValue(_ path: Int, at place: RowPlace) -> PathResult

  /// Returns the result of a path from the whole response, by its number in the path list.
  func responseValue(_ path: Int, at place: RowPlace) -> PathResult

  /// Returns the result of a path from the row that contains a row, by its number in the path list.
  func parentValue(_ path: Int, at place: RowPlace) -> PathResult

  /// Whether any row may repeat a member that a path leads to.
  var mayRepeatMembers: Bool { get }

  /// Whether a member of the answer that leads to the rows, or to a value of the whole answer, is repeated.
  var answerRepeatsMember: Bool { get }

  /// Returns the shape of a row.
  func shape(_ row: Int) -> RowShape

  /// Returns the member name or index that led to a row, or to what contains it that many levels up.
  func key(_ row: Int, levelsUp: Int, in body: UnsafeBufferPointer<UInt8>) -> String?

  /// Returns the range of a row in the text; nil if it is made of several places.
  func range(_ row: Int) -> Range<Int>?
}

extension RowSource {
  /// Most rows are not contained in another.
  func parentValue(_ path: Int, at place: RowPlace) -> PathResult { .slot(.missing) }

  /// Returns whether a member of the row that a path leads to is repeated: either value may be meant.
  @inline(__always)
  func repeatsMember(_ row: Int) -> Bool { mayRepeatMembers && shape(row).repeatsMember }

  @inline(__always)
  func requireDistinctMembers(_ row: Int) throws(AnswerFailure) {
    if repeatsMember(row) { throw .repeatedMember }
  }

  func requireDistinctAnswerMembers() throws(AnswerFailure) {
    if answerRepeatsMember { throw AnswerFailure(.pathMany, "a member of the answer is repeated") }
  }
}

/// The shape of a row, which may cast doubt on the meaning of its members.
struct RowShape {
  /// The number of elements of an array; 0 for any other row.
  var elementCount: Int
  /// Whether a member that a path leads to occurs more than once.
  var repeatsMember: Bool
}

extension AnswerFailure {
  static let repeatedMember = AnswerFailure(.pathMany, "\(Flag.Fact.repeatedMember)")
}

/// The row being read.
package struct RowPlace {
  var index: Int
  /// The row's spelling of the names, once known; used to fill name templates in paths.
  package var asset = ""
  package var payment = ""
  /// The whole symbol, as in the table of all pairs; empty if unknown.
  package var symbol = ""

  package init(index: Int) { self.index = index }
}

/// The result of following a path.
enum PathResult {
  case slot(ScanSlot)
  case several
  /// The path would have to visit too many values.
  case tooCostly
}

/// Rows found in one pass over the bytes.
struct ScannedRows: RowSource {
  private let result: ScanResult
  let count: Int
  static let rowsBetweenTimeChecks = 1024
  /// The path of the row if the mapping has a single one instead of a container of rows.
  private let single: RowScan.SingleRow?
  /// What the path of the row, or of the container, led to.
  private let kind: ScanKind
  let mayRepeatMembers: Bool

  /// - Parameter body: the bytes that were scanned.
  init(_ result: consuming ScanResult, _ scan: RowScan, in body: UnsafeBufferPointer<UInt8>) {
    mayRepeatMembers = result.repeatsMembers
    single = scan.singleRow
    if let single {
      let slot = result.slot(row: 0, path: single.path)
      kind = slot.kind
      let isContainer = kind == .object || kind == .array
      count = isContainer && !slot.isEmptyContainer(in: body) ? 1 : 0
    } else {
      kind = result.containerKind
      count = kind == .object || kind == .array ? result.rowCount : 0
    }
    self.result = result
  }

  var failure: AnswerFailure? {
    if kind == .object || kind == .array || single != nil && kind == .null { return nil }
    return AnswerFailure(.pathMiss, "the path of the \(single == nil ? "rows" : "row") leads to \(kind.phrase)")
  }

  @inline(__always)
  func rowValue(_ path: Int, at place: RowPlace) -> PathResult {
    .slot(result.slots[place.index &* result.rowWidth &+ result.places[path]])
  }

  func responseValue(_ path: Int, at place: RowPlace) -> PathResult {
    .slot(result.responseSlot(path))
  }

  var answerRepeatsMember: Bool { result.repeatsMemberOfResponse }

  func shape(_ row: Int) -> RowShape {
    RowShape(
      elementCount: single == nil ? result.elementCount(ofRow: row) : 0,
      repeatsMember: result.repeatsMember(row: single == nil ? row : 0))
  }

  func range(_ row: Int) -> Range<Int>? {
    single.map { result.slot(row: 0, path: $0.path).range } ?? result.rowRange(row)
  }

  /// Values from further up are read in a tree.
  func key(_ row: Int, levelsUp: Int, in body: UnsafeBufferPointer<UInt8>) -> String? {
    guard row < count, single == nil else { return single?.key }
    let slot = result.keySlot(row: row)
    guard slot.kind == .string else { return result.containerKind == .array ? String(row) : nil }
    return decodedString(body, slot: slot)
  }
}

extension ScanSlot {
  /// Creates a slot for a tree node's place in its text.
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

  /// Whether an object or array has nothing between its brackets.
  func isEmptyContainer(in body: UnsafeBufferPointer<UInt8>) -> Bool {
    body[range].dropFirst().dropLast().allSatisfy { $0 <= 0x20 }
  }
}

extension ScanKind {
  /// The kind with its article, for use in messages.
  var phrase: String { ofValue?.article ?? "nothing" }
}
