/// What one scan found: places in the text, no values. Kept in flat arrays, so that a row costs no allocation.
package struct ScanResult: Sendable {
  /// Where a row stands, and the name that led to it.
  struct Row: Sendable {
    var start: UInt32
    var end: UInt32
    var key: ScanSlot
  }

  /// How many slots one row has.
  let rowWidth: Int
  /// The slot of each row path, and of each response path: equal paths share one.
  let rowSlotIndexes: [Int]
  let responseSlotIndexes: [Int]

  /// The slots of the rows, one row behind the other.
  var rowSlots: [ScanSlot] = []
  var responseSlots: [ScanSlot] = []
  var rows: [Row] = []

  /// What the path of the row container led to: an array, an object, a scalar, or nothing. Without such a path, the kind of the
  /// whole response.
  package internal(set) var containerKind: ScanKind = .missing

  package var rowCount: Int { rows.count }

  /// The value of a row path, by its index in `rowPaths`.
  package func slot(row: Int, path: Int) -> ScanSlot { rowSlots[row &* rowWidth &+ rowSlotIndexes[path]] }

  /// The value of a response path, by its index in `responsePaths`.
  package func responseSlot(_ path: Int) -> ScanSlot { responseSlots[responseSlotIndexes[path]] }

  /// The member name that led to the row; missing where the container is an array, as then the row's index is its key.
  package func keySlot(row: Int) -> ScanSlot { rows[row].key }

  /// The bytes of a row; a row that is a string has its quotes.
  package func rowRange(_ row: Int) -> Range<Int> { Int(rows[row].start)..<Int(rows[row].end) }
}
