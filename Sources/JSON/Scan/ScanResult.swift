/// What one scan found: places in the text, no values. Kept in flat arrays, so that a row costs no allocation.
///
/// A class, because it is handed on several times for each message of a stream: one reference in the place of five.
package final class ScanResult: Sendable {
  /// Where a row stands, and the name that led to it.
  struct Row: Sendable {
    var start: UInt32
    var end: UInt32
    var key: ScanSlot
    /// How many elements a row has that is an array; 0 for any other.
    var elementCount: UInt32 = 0
    /// Whether a member that a path leads to comes more than once: the last one counts.
    var repeatsMember = false
  }

  /// Where the slots of paths are.
  private let part: ScanPlan.CompiledPart
  /// The slots of the rows, one row behind the other.
  private let rowSlots: [ScanSlot]
  private let responseSlots: [ScanSlot]
  private let rows: [Row]

  /// What the path of the row container led to: an array, an object, a scalar, or nothing. Without such a path, the kind of the
  /// whole response.
  package let containerKind: ScanKind

  init(
    of part: ScanPlan.CompiledPart, rows: [Row], _ rowSlots: [ScanSlot], response: [ScanSlot], containerKind: ScanKind
  ) {
    self.part = part
    self.rows = rows
    self.rowSlots = rowSlots
    responseSlots = response
    self.containerKind = containerKind
  }

  package var rowCount: Int { rows.count }

  /// The value of a row path, by its index in `rowPaths`.
  package func slot(row: Int, path: Int) -> ScanSlot {
    rowSlots[row &* part.rowSlots.count &+ part.rowSlotIndexes[path]]
  }

  /// The value of a response path, by its index in `responsePaths`.
  package func responseSlot(_ path: Int) -> ScanSlot { responseSlots[part.responsePathSlots[path]] }

  /// The member name that led to the row; missing where the container is an array, as then the row's index is its key.
  package func keySlot(row: Int) -> ScanSlot { rows[row].key }

  /// How many elements a row has that is an array; 0 for any other.
  package func elementCount(ofRow row: Int) -> Int { Int(rows[row].elementCount) }

  /// Whether a member of a row that a path leads to comes more than once: the last one counts.
  package func repeatsMember(row: Int) -> Bool { rows[row].repeatsMember }

  /// The bytes of a row; a row that is a string has its quotes.
  package func rowRange(_ row: Int) -> Range<Int> { Int(rows[row].start)..<Int(rows[row].end) }
}

/// The rows that a scan has finished, and what is noted on the way.
final class ScanRows {
  // Nothing that is called while a row is added can come back here, so no access need be checked at run time.
  @exclusivity(unchecked) var lists: [ScanList]
  /// Whether a wanted member has come again, since the row that is being read began.
  @exclusivity(unchecked) var repeatsMember = false
  /// The elements of the array that ended last.
  @exclusivity(unchecked) var elementCount = 0

  init(lists count: Int) { lists = Array(repeating: ScanList(), count: count) }

  /// Forgets the rows of some lists: the member that led to them is followed by another of the same name.
  ///
  /// - Parameter mask: a bit for each list.
  func clear(_ mask: UInt64) {
    for list in lists.indices where mask & 1 << UInt64(list) != 0 { lists[list].clear() }
  }
}

/// The rows of one container, and their slots one row behind the other.
struct ScanList: Sendable {
  private(set) var rows: [ScanResult.Row] = []
  private(set) var slots: [ScanSlot] = []

  /// Memory is taken for at most so many rows before they have been seen.
  private static let maximumReservation = 16384

  mutating func clear() {
    rows.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
  }

  /// Takes over a row.
  ///
  /// - Parameter remaining: the length of the text behind the row. If the other rows are as long as the first, it tells their
  ///   number: growing the arrays step by step costs as much as a third of the whole scan.
  mutating func append(_ row: ScanResult.Row, slots rowSlots: UnsafeBufferPointer<ScanSlot>, remaining: Int) {
    if rows.isEmpty {
      let length = Int(row.end - row.start) + 1
      let estimate = min(remaining / length + remaining / length / 8 + 1, ScanList.maximumReservation)
      rows.reserveCapacity(estimate)
      slots.reserveCapacity(estimate * rowSlots.count)
    }
    rows.append(row)
    slots.append(contentsOf: rowSlots)
  }
}

/// The value at the end of one path: its kind, and where it stands in the text.
package struct ScanSlot: Hashable, Sendable {
  /// The first byte of the value; of a string: of the text INSIDE the quotes.
  package var start: UInt32
  /// Behind the last byte of the value; of a string: the closing quote.
  package var end: UInt32
  package var kind: ScanKind
  /// True for a string that is written with escapes, and so must be decoded.
  package var hasEscapes: Bool

  package init(kind: ScanKind, start: UInt32, end: UInt32, hasEscapes: Bool = false) {
    self.start = start
    self.end = end
    self.kind = kind
    self.hasEscapes = hasEscapes
  }

  /// Nothing found.
  package static let missing = ScanSlot(kind: .missing, start: 0, end: 0)

  /// The bytes of the value in the text; a string without its quotes.
  package var range: Range<Int> { Int(start)..<Int(end) }

  @inline(__always)
  init(_ kind: ScanKind, from start: Int, to end: Int, hasEscapes: Bool = false) {
    self.init(
      kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), hasEscapes: hasEscapes
    )
  }
}

/// The text of a slot: a string decoded, any other value as it is written, nothing for a missing one.
///
/// - Parameter bytes: the text that was scanned.
package func decodedString(_ bytes: [UInt8], slot: ScanSlot) -> String {
  decodedText(bytes[slot.range], hasEscapes: slot.hasEscapes)
}

/// The slots of all rows where they lie in memory, for loops that look at every one of them.
///
/// Bare properties and no function: a call into another room is never inlined, and here it would cost as much as the look.
///
/// **Safety.** Valid only during the call of `ScanResult.withSlots` that made it.
package struct ScanSlots {
  /// One row behind the other.
  package let slots: UnsafeBufferPointer<ScanSlot>
  /// The place of each row path's slot in a row, by the path's index in `rowPaths`.
  package let places: UnsafeBufferPointer<Int>
  /// How many slots a row has.
  package let rowWidth: Int
}

extension ScanResult {
  /// Lends the slots of the rows to `body`.
  package func withSlots<Value, Failure: Error>(
    _ body: (ScanSlots) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try rowSlots.withUnsafeBufferPointer { (slots) throws(Failure) in
      try part.rowSlotIndexes.withUnsafeBufferPointer { (places) throws(Failure) in
        try body(ScanSlots(slots: slots, places: places, rowWidth: part.rowSlots.count))
      }
    }
  }
}

/// What a scan found at the end of a path.
package enum ScanKind: UInt8, Sendable {
  /// The path leads nowhere.
  case missing
  case null
  case `false`
  case `true`
  case number
  case string
  case array
  case object
}
