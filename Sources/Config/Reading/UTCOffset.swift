/// Offsets from UTC as written in configs and templates.
///
///     UTCOffset.seconds("-05:30")   // -19800
package enum UTCOffset {
  /// Returns the seconds east of UTC of `+09:00`, `-05:30`, `Z` or `UTC`; nil for anything else or beyond 14 hours.
  package static func seconds(_ text: some StringProtocol) -> Int? {
    if text == "Z" || text == "UTC" { return 0 }
    let bytes = Array(text.utf8)
    // `Int` would also read a sign.
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), [1, 2, 4, 5].allSatisfy({ 0x30...0x39 ~= bytes[$0] }),
      let hours = Int(String(decoding: bytes[1...2], as: UTF8.self)),
      let minutes = Int(String(decoding: bytes[4...5], as: UTF8.self)), hours <= 14, minutes < 60
    else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "+"): return hours * 3600 + minutes * 60
    case UInt8(ascii: "-"): return -(hours * 3600 + minutes * 60)
    default: return nil
    }
  }
}
