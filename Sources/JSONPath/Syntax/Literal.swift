/// A value written in a filter (RFC 9535 §2.3.5.1).
enum Literal: Hashable, Sendable, CustomStringConvertible {
  case null
  case boolean(Bool)
  /// The number as it is written.
  case number(String)
  case string(ScalarText)

  var description: String {
    switch self {
    case .null: "null"
    case .boolean(let boolean): String(boolean)
    case .number(let text): text
    case .string(let text): text.quoted
    }
  }
}
