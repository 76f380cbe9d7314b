import Quotes

/// What a value came to, before it is taken as a number, a text or a time.
enum Scalar {
  /// The exchange's own characters, in the body of the answer: valid only while the row is read.
  case bytes(UnsafeBufferPointer<UInt8>)
  case text(String)
  case number(Decimal)
  case container(isArray: Bool, isEmpty: Bool)
  case missing(Missing)
}
