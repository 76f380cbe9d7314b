/// The findings of one scan for all parts of its plan, as offsets into the text.
///
/// They lie in memory of their own, where the scan writes them: neither rows nor messages cost an allocation.
///
/// **Safety.** A ``Scanner`` writes only to findings that it alone holds, so findings held elsewhere do not change.
package final class ScanFindings: @unchecked Sendable {
  let plan: ScanPlan
  let workspace: ScanWorkspace

  init(_ plan: ScanPlan) {
    self.plan = plan
    workspace = ScanWorkspace(plan)
  }

  deinit { workspace.deallocate() }

  /// The findings for a part, by its index in the plan.
  package subscript(_ index: Int) -> ScanResult { ScanResult(self, plan.parts[index]) }
}

/// The position of a row, and the name that led to it.
struct ScanRow: Sendable, BitwiseCopyable {
  var start: UInt32
  var end: UInt32
  var key: ScanSlot
  /// The number of elements if the row is an array; otherwise 0.
  var elementCount: UInt32 = 0
  /// Whether a member that a path leads to is repeated, in which case the last one counts.
  var repeatsMember = false
}

/// The findings of a scan for one part of its plan.
///
/// What a loop over all rows needs is in bare properties instead of functions: a call into another module is never
/// inlined, and there it would cost as much as the access itself.
package struct ScanResult {
  /// Keeps the memory that the pointers lead to.
  private let findings: ScanFindings
  /// What the path of the row container led to: an array, an object, a scalar, or nothing. Without such a path, the
  /// kind of the whole response.
  package let containerKind: ScanKind
  private let rows: UnsafeBufferPointer<ScanRow>
  /// The slots of the rows, row by row.
  package let slots: UnsafeBufferPointer<ScanSlot>
  /// The index within a row of each row path's slot, by the path's index in `rowPaths`.
  package let places: UnsafeBufferPointer<Int>
  /// The number of slots in a row.
  package let rowWidth: Int
  private let responsePlaces: UnsafeBufferPointer<Int>

  fileprivate init(_ findings: ScanFindings, _ part: ScanPlan.CompiledPart) {
    self.findings = findings
    let workspace = findings.workspace
    if let container = part.container {
      containerKind = workspace.slots[container.slot].kind
      rows = workspace.lists[container.list].rows.elements
      slots = workspace.lists[container.list].slots.elements
    } else {
      containerKind = workspace.notes.pointee.kind
      rows = UnsafeBufferPointer(start: workspace.response, count: 1)
      slots = UnsafeBufferPointer(rebasing: workspace.slots[part.rowSlots])
    }
    rowWidth = part.rowSlots.count
    places = UnsafeBufferPointer(rebasing: workspace.places[part.rowPlaces])
    responsePlaces = UnsafeBufferPointer(rebasing: workspace.places[part.responsePlaces])
  }

  package var rowCount: Int { rows.count }

  /// Returns the value of a row path, by its index in `rowPaths`.
  package func slot(row: Int, path: Int) -> ScanSlot { slots[row &* rowWidth &+ places[path]] }

  /// Returns the value of a response path, by its index in `responsePaths`.
  package func responseSlot(_ path: Int) -> ScanSlot { findings.workspace.slots[responsePlaces[path]] }

  /// Returns the member name that led to the row; missing if the container is an array, where the row's index is the
  /// key.
  package func keySlot(row: Int) -> ScanSlot { rows[row].key }

  /// Returns the number of elements of a row that is an array; otherwise 0.
  package func elementCount(ofRow row: Int) -> Int { Int(rows[row].elementCount) }

  /// Whether a member that a path leads to is repeated in any row.
  package var repeatsMembers: Bool { rows.contains(where: \.repeatsMember) }

  /// Whether a member outside of all rows that a path leads to is repeated, in which case the last one counts.
  package var repeatsMemberOfResponse: Bool {
    rows.baseAddress != UnsafePointer(findings.workspace.response) && findings.workspace.response.pointee.repeatsMember
  }

  /// Returns whether a member of a row that a path leads to is repeated, in which case the last one counts.
  package func repeatsMember(row: Int) -> Bool { rows[row].repeatsMember }

  /// Returns the range of a row's bytes, including the quotes of a string.
  package func rowRange(_ row: Int) -> Range<Int> { Int(rows[row].start)..<Int(rows[row].end) }
}

/// The value at the end of a path: its kind, and its position in the text.
package struct ScanSlot: Hashable, Sendable, BitwiseCopyable {
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

/// The kind of value at the end of a path: nothing, or a ``JSONKind``.
package enum ScanKind: UInt8, Sendable, BitwiseCopyable {
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

extension ScanKind {
  package init(_ kind: JSONKind) {
    self =
      switch kind {
      case .null: .null
      case .false: .false
      case .true: .true
      case .number: .number
      case .string: .string
      case .array: .array
      case .object: .object
      }
  }

  /// The kind of the value; nil if there is none.
  package var ofValue: JSONKind? {
    switch self {
    case .missing: nil
    case .null: .null
    case .false: .false
    case .true: .true
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
