import Quotes

/// Removes secrets from text and bytes before they are written or shown.
///
/// A secret is found in any spelling of its characters: as they are, percent-encoded (RFC 3986 §2.1), with spaces as
/// `+`, escaped as in a JSON string (RFC 8259 §7) or as `\x41`, or as HTML entities. Each character is matched on its
/// own, so mixtures are found too. A secret of six bytes or more is also found with other cases of its letters, as by a
/// host that normalises what it was sent; in hexadecimal; and in base64 (RFC 4648 §4 and §5, with or without padding),
/// anywhere in the encoded text: alone, or as part of `key:secret`. Hashes, text split into lines and double encodings
/// are not found: code that derives them from a secret must declare them as secrets of their own.
///
/// Secrets that overlap are removed as one; adjacent ones leave a mark each. The time taken grows with the length of
/// the text, whatever is in it.
package struct Redaction: Sendable {
  /// The replacement for a secret.
  package static let mark = "REDACTED"

  /// nil if there is nothing to remove.
  private let needles: NeedleIndex?

  /// - Parameter inEncodings: false for texts that are never sent in base64 or hexadecimal.
  package init(_ secrets: [String], inEncodings: Bool = true) {
    let secrets = secrets.filter { !$0.isEmpty }.unique
    needles =
      secrets.isEmpty
      ? nil : NeedleIndex(secrets.flatMap { inEncodings ? Needle.all(of: $0) : [Needle(text: $0)] })
  }

  package func callAsFunction(_ text: String) -> String {
    guard let needles else { return text }
    let bytes = Array(text.utf8)
    // It never is overdue.
    guard let ranges = needles.ranges(in: bytes, joiningOverlaps: true, isOverdue: { false }) else { return Self.mark }
    return ranges.isEmpty ? text : String(decoding: Self.replacing(ranges, in: bytes), as: UTF8.self)
  }

  package func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
    // It never is overdue.
    self(bytes) { false } ?? []
  }

  /// Returns nil if `isOverdue` does, which is asked after every 64 KiB: the time is up, and what was not searched may
  /// contain a secret.
  package func callAsFunction(_ bytes: [UInt8], isOverdue: () -> Bool) -> [UInt8]? {
    guard let needles else { return bytes }
    guard let ranges = needles.ranges(in: bytes, joiningOverlaps: true, isOverdue: isOverdue) else { return nil }
    return ranges.isEmpty ? bytes : Self.replacing(ranges, in: bytes)
  }

  /// Returns the text between secrets, which is one part more than there are secrets in it. Of secrets that overlap the
  /// first is one.
  package func parts(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    guard let ranges = needles?.ranges(in: bytes, joiningOverlaps: false, isOverdue: { false }), !ranges.isEmpty else {
      return [text]
    }
    let starts = [0] + ranges.map(\.upperBound)
    let ends = ranges.map(\.lowerBound) + [bytes.count]
    return zip(starts, ends).map { String(decoding: bytes[$0..<$1], as: UTF8.self) }
  }

  /// Returns the error with its texts redacted.
  package func callAsFunction(_ error: TransportError) -> TransportError {
    let (code, detail) = error.parts
    return TransportError(code: code, detail: self(detail)) ?? error
  }

  private static func replacing(_ ranges: [Range<Int>], in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var start = 0
    for range in ranges {
      result += bytes[start..<range.lowerBound]
      result += mark.utf8
      start = range.upperBound
    }
    return result + bytes[start...]
  }
}
