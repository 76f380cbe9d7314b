/// The rows that a scan has finished.
final class ScanRows {
  // Nothing that is called while a row is added can come back here, so no access need be checked at run time.
  @exclusivity(unchecked) private(set) var rows: [ScanResult.Row] = []
  @exclusivity(unchecked) private(set) var slots: [ScanSlot] = []

  /// Memory is taken for at most so many rows before they have been seen.
  private static let maximumReservation = 4096

  /// Forgets all rows: the member that led to them is followed by another of the same name.
  func clear() {
    rows.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
  }

  /// Takes over a row.
  ///
  /// - Parameter remaining: the length of the text behind the row. If the other rows are as long as the first, it tells their
  ///   number: growing the arrays step by step costs as much as a third of the whole scan.
  func append(_ row: ScanResult.Row, slots rowSlots: UnsafeBufferPointer<ScanSlot>, remaining: Int) {
    if rows.isEmpty {
      let length = Int(row.end - row.start) + 1
      let estimate = min(remaining / length + remaining / length / 8 + 1, ScanRows.maximumReservation)
      rows.reserveCapacity(estimate)
      slots.reserveCapacity(estimate * rowSlots.count)
    }
    rows.append(row)
    slots.append(contentsOf: rowSlots)
  }
}
