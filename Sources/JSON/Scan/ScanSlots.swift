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
      try rowSlotIndexes.withUnsafeBufferPointer { (places) throws(Failure) in
        try body(ScanSlots(slots: slots, places: places, rowWidth: rowWidth))
      }
    }
  }
}
