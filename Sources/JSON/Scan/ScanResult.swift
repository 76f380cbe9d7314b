/// The findings of one scan for all parts of its plan, as offsets into the text. Stored in flat arrays, so that rows
/// cost no allocation.
///
/// A class, because it is passed on several times for each message of a stream: one reference instead of five.
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

  /// The findings for a part, by its index in the plan.
  package subscript(_ index: Int) -> ScanResult { ScanResult(findings: self, part: plan.parts[index]) }
}

/// The position of a row, and the name that led to it.
struct ScanRow: Sendable {
  var start: UInt32
  var end: UInt32
  var key: ScanSlot
  /// The number of elements if the row is an array; otherwise 0.
  var elementCount: UInt32 = 0
  /// Whether a member that a path leads to is repeated, in which case the last one counts.
  var repeatsMember = false
}

/// The findings of a scan for one part of its plan.
package struct ScanResult: Sendable {
  fileprivate let findings: ScanFindings
  /// The part, which knows the slots of its paths.
  fileprivate let part: ScanPlan.CompiledPart

  fileprivate init(findings: ScanFindings, part: ScanPlan.CompiledPart) {
    (self.findings, self.part) = (findings, part)
  }

  /// What the path of the row container led to: an array, an object, a scalar, or nothing. Without such a path, the
  /// kind of the whole response.
  package var containerKind: ScanKind { part.container.map { findings.slots[$0.slot].kind } ?? findings.kind }

  package var rowCount: Int { part.container.map { findings.lists[$0.list].rows.count } ?? 1 }

  private func row(_ index: Int) -> ScanRow {
    part.container.map { findings.lists[$0.list].rows[index] } ?? findings.response
  }

  /// Returns the value of a row path, by its index in `rowPaths`.
  package func slot(row: Int, path: Int) -> ScanSlot {
    let place = part.rowSlotIndexes[path]
    guard let container = part.container else { return findings.slots[part.rowSlots.lowerBound &+ place] }
    return findings.lists[container.list].slots[row &* part.rowSlots.count &+ place]
  }

  /// Returns the value of a response path, by its index in `responsePaths`.
  package func responseSlot(_ path: Int) -> ScanSlot { findings.slots[part.responsePathSlots[path]] }

  /// Returns the member name that led to the row; missing if the container is an array, where the row's index is the
  /// key.
  package func keySlot(row: Int) -> ScanSlot { self.row(row).key }

  /// Returns the number of elements of a row that is an array; otherwise 0.
  package func elementCount(ofRow row: Int) -> Int { Int(self.row(row).elementCount) }

  /// Whether a member that a path leads to is repeated in any row.
  package var repeatsMembers: Bool {
    part.container.map { findings.lists[$0.list].rows.contains(where: \.repeatsMember) }
      ?? findings.response.repeatsMember
  }

  /// Whether a member outside of all rows that a path leads to is repeated, in which case the last one counts.
  package var repeatsMemberOfResponse: Bool { part.container != nil && findings.response.repeatsMember }

  /// Returns whether a member of a row that a path leads to is repeated, in which case the last one counts.
  package func repeatsMember(row: Int) -> Bool { self.row(row).repeatsMember }

  /// Returns the range of a row's bytes, including the quotes of a string.
  package func rowRange(_ row: Int) -> Range<Int> {
    let row = self.row(row)
    return Int(row.start)..<Int(row.end)
  }
}

/// The rows of one container, and their slots row by row.
struct ScanList: Sendable {
  private(set) var rows: [ScanRow] = []
  private(set) var slots: [ScanSlot] = []

  /// The maximum number of rows for which memory is reserved in advance.
  private static let maximumReservation = 16384

  /// Clears the list for the next text. Frees the memory of large lists, as most texts have few rows.
  mutating func begin() {
    if rows.capacity > 4096 { self = ScanList() } else { clear() }
  }

  mutating func clear() {
    rows.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
  }

  /// Appends a row.
  ///
  /// - Parameter remaining: The length of the text after the row. It estimates the number of rows if they are as long
  ///   as the first one: growing the arrays step by step costs up to a third of the whole scan.
  @inline(__always)
  mutating func append(_ row: ScanRow, slots rowSlots: UnsafeBufferPointer<ScanSlot>, remaining: Int) {
    if rows.isEmpty { reserve(remaining, rowLength: Int(row.end - row.start) + 1, slots: rowSlots.count) }
    rows.append(row)
    // An order book level has two slots, which are appended faster one by one than by a copy.
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

/// The value at the end of a path: its kind, and its position in the text.
package struct ScanSlot: Hashable, Sendable {
  /// The first byte of the value; for a string, the first byte INSIDE the quotes.
  package var start: UInt32
  /// The offset after the last byte of the value; for a string, the closing quote.
  package var end: UInt32
  package var kind: ScanKind
  /// True for a string with escapes, which must be decoded.
  package var hasEscapes: Bool

  package init(kind: ScanKind, start: UInt32, end: UInt32, hasEscapes: Bool = false) {
    self.start = start
    self.end = end
    self.kind = kind
    self.hasEscapes = hasEscapes
  }

  /// A slot without a value.
  package static let missing = ScanSlot(kind: .missing, start: 0, end: 0)

  /// Matches a pattern, as `!=` would go through a protocol.
  @inline(__always)
  var isFound: Bool { if case .missing = kind { false } else { true } }

  /// The bytes of the value in the text; without quotes for a string.
  package var range: Range<Int> { Int(start)..<Int(end) }

  @inline(__always)
  init(_ kind: ScanKind, from start: Int, to end: Int, hasEscapes: Bool = false) {
    self.init(
      kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end), hasEscapes: hasEscapes
    )
  }
}

/// Returns the text of a slot: a string decoded, any other value as written, empty for a missing one.
///
/// - Parameter bytes: The text that was scanned.
package func decodedString(_ bytes: [UInt8], slot: ScanSlot) -> String {
  decodedText(bytes[slot.range], hasEscapes: slot.hasEscapes)
}

/// The slots of all rows in memory, for loops that visit all of them.
///
/// Has bare properties instead of functions: a call into another module is never inlined, and here it would cost as
/// much as the access itself.
///
/// **Safety.** Valid only during the call of `ScanResult.withSlots` that created it.
package struct ScanSlots {
  /// The slots, row by row.
  package let slots: UnsafeBufferPointer<ScanSlot>
  /// The index within a row of each row path's slot, by the path's index in `rowPaths`.
  package let places: UnsafeBufferPointer<Int>
  /// The number of slots in a row.
  package let rowWidth: Int
}

extension ScanResult {
  /// Calls `body` with the slots of the rows.
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

/// The kind of value at the end of a path.
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
