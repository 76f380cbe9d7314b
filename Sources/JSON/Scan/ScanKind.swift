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
