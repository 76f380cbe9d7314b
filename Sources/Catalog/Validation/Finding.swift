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
  /// Tells findings of a config that could be read.
  package static func all(_ diagnostics: [Diagnostic]) -> [Finding] {
    var maps: [ObjectIdentifier: SourceMap] = [:]
    let secrets = diagnostics.compactMap(\.secret)
    return diagnostics.map { diagnostic in
      let place = diagnostic.place
      let id = ObjectIdentifier(place.file)
      let map = maps[id] ?? masked(place.file, secrets: secrets.filter { $0.file === place.file })
      maps[id] = map
      return Finding(diagnostic, in: map)
    }
  }

  /// Tells one finding of a config that could be read.
  package init(_ diagnostic: Diagnostic) {
    self.init(diagnostic, in: Self.masked(diagnostic.place.file, secrets: [diagnostic.secret].compactMap(\.self)))
  }

  private init(_ diagnostic: Diagnostic, in map: SourceMap) {
    let place = diagnostic.place
    let heirs = diagnostic.heirs.isEmpty ? "" : " (inherited by \(diagnostic.heirs.joined(separator: ", ")))"
    file = place.file.name
    start = map.position(of: place.range.lowerBound)
    end = map.position(of: place.range.upperBound)
    code = diagnostic.code
    severity = diagnostic.severity
    message = diagnostic.message + heirs
    help = diagnostic.help
    line = map.line(start.line)
  }

  private static func masked(_ file: ConfigFile, secrets: [Place]) -> SourceMap {
    var bytes = file.document.bytes
    for secret in secrets {
      for index in secret.range where bytes[index] < 0x80 { bytes[index] = UInt8(ascii: "*") }
    }
    return SourceMap(bytes)
  }
}

extension Diagnostic {
  /// The text that is a secret or may well be one: a value under a secretive name, the user of an address, the parameters
  /// behind a path.
  fileprivate var secret: Place? {
    // Without the quotes.
    let inside = place.range.dropFirst().dropLast()
    let bytes = place.file.document.bytes
    switch code {
    case "MKT054": return Place(file: place.file, range: inside)
    case "MKT015":
      guard let at = inside.last(where: { bytes[$0] == UInt8(ascii: "@") }) else { return nil }
      let slash = inside.first { bytes[$0] == UInt8(ascii: "/") && bytes[$0 + 1] == UInt8(ascii: "/") }
      return Place(file: place.file, range: (slash.map { $0 + 2 } ?? inside.lowerBound)..<at)
    case "MKT039":
      guard let mark = inside.first(where: { bytes[$0] == UInt8(ascii: "?") }) else { return nil }
      return Place(file: place.file, range: mark + 1..<inside.upperBound)
    default: return nil
    }
  }
}
