package import JSON

/// A finding as it is told: the place as line and column, and the line itself.
package struct Finding: Sendable, Hashable {
  package let file: String
  package let start: SourcePosition
  /// Behind the last character.
  package let end: SourcePosition
  package let code: String
  package let severity: Diagnostic.Severity
  package let message: String
  package let help: String?
  /// The line in which it begins. Secrets in it are masked: reports are pasted and logged.
  package let line: String

  /// How many characters of the line are meant, one at least.
  package var length: Int {
    max(1, end.line == start.line ? end.column - start.column : line.unicodeScalars.count - start.column + 1)
  }
}

extension Finding {
  /// Tells one finding of a config that could be read.
  package init(_ diagnostic: Diagnostic) {
    let place = diagnostic.place
    let heirs = diagnostic.heirs.isEmpty ? "" : " (inherited by \(diagnostic.heirs.joined(separator: ", ")))"
    let map = SourceMap(place.file.document.bytes.masked([diagnostic.secret?.range].compactMap(\.self)))
    self.init(
      file: place.file.name, start: map.position(of: place.range.lowerBound),
      end: map.position(of: place.range.upperBound), code: diagnostic.code, severity: diagnostic.severity,
      message: diagnostic.message + heirs, help: diagnostic.help,
      line: map.line(map.position(of: place.range.lowerBound).line))
  }

  /// The one finding of a text that is no JSON.
  package static func brokenText(_ error: ConfigSyntaxError) -> Finding {
    let mistake = BrokenText.mistake(in: error.bytes, error.error)
    return Finding(
      file: error.file, range: mistake.range, code: "MKT001", severity: .error, message: mistake.message,
      help: mistake.help, in: SourceMap(error.bytes.masked(SecretCheck.ranges(in: error.bytes))), of: error.bytes)
  }

  fileprivate init(
    file: String, range: Range<Int>, code: String, severity: Diagnostic.Severity, message: String, help: String?,
    in map: SourceMap, of bytes: [UInt8]
  ) {
    self.file = file
    start = map.position(of: range.lowerBound)
    end =
      range.isEmpty
      ? SourcePosition(line: start.line, column: start.column + 1) : map.position(of: range.upperBound)
    self.code = code
    self.severity = severity
    self.message = message
    self.help = help
    line =
      UTF16Order(of: bytes)?.beginning(of: bytes, units: 100).prefix { !$0.isNewline }.description
      ?? map.line(start.line)
  }
}

/// The texts that findings are in, each as it is shown.
final class SourceMaps {
  private let source: ConfigReview.Source
  private let map: SourceMap
  private let builtin: ConfigReview.Source

  init(_ look: ConfigLook, secrets: [Range<Int>]) {
    source = look.source
    let found = look.catalog == nil ? SecretCheck.ranges(in: source.bytes) : []
    map = SourceMap(source.bytes.masked(secrets + found))
    builtin = look.builtin
  }

  func finding(_ told: ConfigLook.Told) -> Finding {
    if told.isInBuiltin {
      return Finding(
        file: builtin.name, range: told.range, code: told.code, severity: told.severity, message: told.message,
        help: told.help, in: SourceMap(builtin.bytes), of: builtin.bytes)
    }
    return Finding(
      file: source.name, range: told.range, code: told.code, severity: told.severity, message: told.message,
      help: told.help, in: map, of: source.bytes)
  }
}

extension [UInt8] {
  /// The text with asterisks for all characters of some stretches that are ASCII, so that nothing moves.
  func masked(_ ranges: [Range<Int>]) -> [UInt8] {
    var bytes = self
    for range in ranges {
      for index in range.clamped(to: indices) where bytes[index] < 0x80 && bytes[index] > 0x20 {
        bytes[index] = UInt8(ascii: "*")
      }
    }
    return bytes
  }
}

extension Diagnostic {
  /// The text that is a secret or may well be one: a value under a secretive name, the user of an address, the parameters
  /// behind a path.
  var secret: Place? {
    // Without the quotes.
    let inside = place.range.dropFirst().dropLast()
    let bytes = place.file.document.bytes
    switch code {
    case "MKT054":
      let isWhole = bytes[place.range.lowerBound] == UInt8(ascii: "\"")
      return isWhole ? Place(file: place.file, range: inside) : place
    case "MKT015" where inside.contains { bytes[$0] == UInt8(ascii: "@") }:
      guard let at = inside.last(where: { bytes[$0] == UInt8(ascii: "@") }) else { return nil }
      let slash = inside.first { bytes[$0] == UInt8(ascii: "/") && bytes[$0 + 1] == UInt8(ascii: "/") }
      return Place(file: place.file, range: (slash.map { $0 + 2 } ?? inside.lowerBound)..<at)
    case "MKT015", "MKT039":
      guard let mark = inside.first(where: { bytes[$0] == UInt8(ascii: "?") }) else { return nil }
      return Place(file: place.file, range: mark + 1..<inside.upperBound)
    default: return nil
    }
  }
}
