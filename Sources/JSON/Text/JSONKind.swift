/// The kinds of JSON values (RFC 8259 §3), with the two literals of truth kept apart.
package enum JSONKind: UInt8, Sendable {
  case null
  case `false`
  case `true`
  case number
  case string
  case array
  case object
}
