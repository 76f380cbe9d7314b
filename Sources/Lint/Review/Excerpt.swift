package import Config
package import JSON

/// The line of a finding, ready to be shown. Secrets in it are masked, since reports are pasted and logged.
package struct Excerpt: Sendable, Hashable {
  package let file: String
  package let start: SourcePosition
  /// The number of characters the finding refers to, at least one.
  package let length: Int
  /// nil if the file does not look like a config, since its content should not be shown.
  package let line: String?

  /// The maximum number of findings shown: each takes a line, and the first ones matter most.
  package static let maximumShown = 1000

  /// Returns the findings that are about a config, each with its line.
  package static func excerpts(of findings: [Finding]) -> [(finding: Finding, excerpt: Excerpt)] {
    var maps: [ObjectIdentifier: SourceMap] = [:]
    return findings.compactMap { finding in
      guard let place = finding.place else { return nil }
      let map = maps[ObjectIdentifier(place.file)] ?? SourceMap(masked(place.file, findings))
      maps[ObjectIdentifier(place.file)] = map
      return (finding, Excerpt(place, in: map))
    }
  }

  private static func masked(_ file: SourceFile, _ findings: [Finding]) -> [UInt8] {
    let own = findings.filter { $0.place?.file === file }
    let isUnread = own.contains { $0.code == .notJSON }
    return file.bytes.masked(own.flatMap(\.secrets) + (isUnread ? SecretCheck.ranges(in: file.bytes) : []))
  }

  private init(_ place: Place, in map: SourceMap) {
    file = place.file.name
    start = map.position(of: place.range.lowerBound)
    let end = map.position(of: place.range.upperBound)
    let text = map.line(start.line)
    line = place.file.looksLikeConfig ? text : nil
    length = max(
      1, end.line == start.line ? end.column - start.column : text.unicodeScalars.count - start.column + 1)
  }
}

extension Finding {
  /// The message, with the exchanges that inherit the text.
  package var sentence: String {
    inheritors.isEmpty ? message : "\(message) (inherited by \(inheritors.joined(separator: ", ")))"
  }

  /// The ranges of the file that are or may be secrets: values under secret-sounding names, user info in addresses,
  /// everything after their path.
  fileprivate var secrets: [Range<Int>] {
    guard let place else { return [] }
    let bytes = place.file.bytes
    let inside = place.range.dropFirst().dropLast()
    switch code {
    case .writtenSecret:
      let isWhole = place.range.lowerBound < bytes.count && bytes[place.range.lowerBound] == UInt8(ascii: "\"")
      return [isWhole ? inside.startIndex..<inside.endIndex : place.range]
    case .invalidBaseURL, .invalidRequestPath: return SecretShape.privateParts(ofAddress: bytes[inside])
    default: return []
    }
  }
}

extension SourceFile {
  /// Whether the text contains a key of the config language, or has nothing to show yet.
  var looksLikeConfig: Bool {
    let keys = [
      "version", "extends", "exchanges", "settings", "fx", "aliases", "watchlist", "retired", "providers", "routes",
      "baseUrls", "markets", "rows", "fields", "symbol", "like", "headers", "request",
    ]
    let text = String(decoding: bytes, as: UTF8.self)
    return bytes.count < 16 || keys.contains { text.contains($0) }
  }
}

extension [UInt8] {
  /// Returns the text with all visible ASCII characters in some ranges replaced by asterisks, keeping positions.
  fileprivate func masked(_ ranges: [Range<Int>]) -> [UInt8] {
    var bytes = self
    for range in ranges {
      for index in range.clamped(to: indices) where bytes[index] < 0x80 && bytes[index] > 0x20 {
        bytes[index] = UInt8(ascii: "*")
      }
    }
    return bytes
  }
}
