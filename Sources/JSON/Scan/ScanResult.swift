/// What one scan found for all parts of its plan: places in the text, no values. Kept in flat arrays, so that a row costs no
/// allocation.
///
/// A class, because it is handed on several times for each message of a stream: one reference in the place of five.
package final class ScanFindings: Sendable {
  let plan: ScanPlan
  /// The slots of the response.
  let slots: [ScanSlot]
  let lists: [ScanList]
  /// The whole response as a row.
  let response: ScanRow
  let kind: ScanKind

  init(plan: ScanPlan, slots: [ScanSlot], lists: [ScanList], response: ScanRow, kind: ScanKind) {
    (self.plan, self.slots, self.lists, self.response, self.kind) = (plan, slots, lists, response, kind)
  }

  /// What was found for a part, by its place in the plan.
  package subscript(_ index: Int) -> ScanResult { ScanResult(findings: self, part: plan.parts[index]) }
}

/// Where a row stands, and the name that led to it.
struct ScanRow: Sendable {
  var start: UInt32
  var end: UInt32
  var key: ScanSlot
  /// How many elements a row has that is an array; 0 for any other.
  var elementCount: UInt32 = 0
  /// Whether a member that a path leads to comes more than once: the last one counts.
  var repeatsMember = false
}

/// What a scan found for one part of its plan.
package struct ScanResult: Sendable {
  fileprivate let findings: ScanFindings
  /// Where the slots of paths are.
  fileprivate let part: ScanPlan.CompiledPart

  fileprivate init(findings: ScanFindings, part: ScanPlan.CompiledPart) {
    (self.findings, self.part) = (findings, part)
  }

  /// What the path of the row container led to: an array, an object, a scalar, or nothing. Without such a path, the kind of the
  /// whole response.
  package var containerKind: ScanKind { part.container.map { findings.slots[$0.slot].kind } ?? findings.kind }

  package var rowCount: Int { part.container.map { findings.lists[$0.list].rows.count } ?? 1 }

  private func row(_ index: Int) -> ScanRow {
    part.container.map { findings.lists[$0.list].rows[index] } ?? findings.response
  }

  /// The value of a row path, by its index in `rowPaths`.
  package func slot(row: Int, path: Int) -> ScanSlot {
    let place = part.rowSlotIndexes[path]
    guard let container = part.container else { return findings.slots[part.rowSlots.lowerBound &+ place] }
    return findings.lists[container.list].slots[row &* part.rowSlots.count &+ place]
  }

  /// The value of a response path, by its index in `responsePaths`.
  package func responseSlot(_ path: Int) -> ScanSlot { findings.slots[part.responsePathSlots[path]] }

  /// The member name that led to the row; missing where the container is an array, as then the row's index is its key.
  package func keySlot(row: Int) -> ScanSlot { self.row(row).key }

  /// How many elements a row has that is an array; 0 for any other.
  package func elementCount(ofRow row: Int) -> Int { Int(self.row(row).elementCount) }

  /// Whether a member of a row that a path leads to comes more than once: the last one counts.
  package func repeatsMember(row: Int) -> Bool { self.row(row).repeatsMember }

  /// The bytes of a row; a row that is a string has its quotes.
  package func rowRange(_ row: Int) -> Range<Int> {
    let row = self.row(row)
    return Int(row.start)..<Int(row.end)
  }
}

/// The rows of one container, and their slots one row behind the other.
struct ScanList: Sendable {
  private(set) var rows: [ScanRow] = []
  private(set) var slots: [ScanSlot] = []

  /// Memory is taken for at most so many rows before they have been seen.
  private static let maximumReservation = 16384

  /// Empties it for the next text. The memory of many rows is given back: most texts have few.
  mutating func begin() {
    if rows.capacity > 4096 { self = ScanList() } else { clear() }
  }

  mutating func clear() {
    rows.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
  }

  /// Takes over a row.
  ///
  /// - Parameter remaining: the length of the text behind the row. If the other rows are as long as the first, it tells their
  ///   number: growing the arrays step by step costs as much as a third of the whole scan.
  @inline(__always)
  mutating func append(_ row: ScanRow, slots rowSlots: UnsafeBufferPointer<ScanSlot>, remaining: Int) {
    if rows.isEmpty { reserve(remaining, rowLength: Int(row.end - row.start) + 1, slots: rowSlots.count) }
    rows.append(row)
    // A level of an order book has two: one by one they are sooner there than by a copy.
    if rowSlots.count <= 4 {
      for slot in rowSlots { slots.append(slot) }
    } else {
      slots.append(contentsOf: rowSlots)
    }
  }

  @inline(never)
  private mutating func reserve(_ remaining: Int, rowLength: Int, slots width: Int) {
    let estimate = min(remaining / rowLength + remaining / rowLength / 8 + 1, ScanList.maximumReservation)
    rows.reserveCapacity(estimate)
    slots.reserveCapacity(estimate * width)
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

  /// By pattern: `!=` would go through a protocol.
  @inline(__always)
  var isFound: Bool { if case .missing = kind { false } else { true } }

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
    let lies = part.container.map { findings.lists[$0.list].slots } ?? findings.slots
    return try lies.withUnsafeBufferPointer { (slots) throws(Failure) in
      let slots = part.container == nil ? UnsafeBufferPointer(rebasing: slots[part.rowSlots]) : slots
      return try part.rowSlotIndexes.withUnsafeBufferPointer { (places) throws(Failure) in
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
