import Config
import JSON

extension Diagnostic {
  /// The stretches of the file that are secrets or may well be: a value under a secretive name, the user of an address,
  /// all that stands behind its path.
  var secrets: [Range<Int>] {
    let bytes = place.file.document.bytes
    let inside = place.range.dropFirst().dropLast()
    switch code {
    case "MKT054":
      let isWhole = bytes[place.range.lowerBound] == UInt8(ascii: "\"")
      return [isWhole ? inside.startIndex..<inside.endIndex : place.range]
    case "MKT015", "MKT039": return SecretShape.privateParts(ofAddress: bytes[inside])
    default: return []
    }
  }
}
