import Config
import JSON
import Testing

/// A config in which each finding is marked by 👉 at its exact position.
///
///     {"version": 1, 👉"exchnages": {}}
struct MarkedConfig {
  let file: ConfigFile
  /// The `line:column` of each mark in the text without marks, in order.
  let marks: [String]

  init(_ text: String, name: String = "exchanges.json", origin: SourceFile.Origin = .other) throws {
    var marks: [String] = []
    var clean = String.UnicodeScalarView()
    var (line, column) = (1, 1)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "👉":
        marks.append("\(line):\(column)")
        continue
      case "\n": (line, column) = (line + 1, 1)
      default: column += 1
      }
      clean.append(scalar)
    }
    self.marks = marks
    file = try ConfigFile(name: name, bytes: Array(String(clean).utf8), origin: origin)
  }

  func configuration(over builtin: MarkedConfig? = nil) throws -> Configuration {
    let base = builtin?.file ?? file
    return try Configuration(file) { () throws(ConfigSyntaxError) in base }
  }

  /// Returns every finding as `3:14 MKT021 unknown key 'symbl'; did you mean 'symbol'?`, in text order.
  func findings(hooks: [String]? = nil) throws -> [String] {
    try configuration().readWhole(hooks: hooks).findings
      .sorted { ($0.place?.range.lowerBound ?? 0) < ($1.place?.range.lowerBound ?? 0) }
      .map(\.line)
  }

  /// Expects exactly these findings, each at its mark.
  func expect(_ messages: [String], hooks: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let expected = zip(marks, messages).map { "\($0) \($1)" }
    #expect(marks.count == messages.count, "a mark for each message", sourceLocation: sourceLocation)
    let found = try findings(hooks: hooks)
    #expect(found == expected, sourceLocation: sourceLocation)
  }
}

extension Finding {
  /// The start as `3:14`.
  var startText: String { place.map { "\($0.start.line):\($0.start.column)" } ?? "" }

  var line: String {
    let help = help.map { "; \($0)" } ?? ""
    let inheritors = inheritors.isEmpty ? "" : " [\(inheritors.joined(separator: ", "))]"
    let kind = severity == .warning ? "warning " : ""
    return "\(startText) \(kind)\(code.rawValue) \(message)\(help)\(inheritors)"
  }
}
