/// The rows that a scan has finished.
final class ScanRows {
  private(set) var rows: [ScanResult.Row] = []
  private(set) var slots: [ScanSlot] = []

  /// Forgets all rows: the member that led to them is followed by another of the same name.
  func clear() {
    rows.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
  }

  /// Takes over the slots of a row.
  func append(_ row: ScanResult.Row, slots rowSlots: UnsafeBufferPointer<ScanSlot>) {
    rows.append(row)
    slots.append(contentsOf: rowSlots)
  }
}
