import Config
import JSON
import Quotes
import Terminal

/// What is proved of an exchange that is like another, part by part, and what is taken on trust.
struct LikeProof {
  private(set) var lines: [(part: String, isProved: Bool, text: String)]

  init(_ family: LikeFamily, _ reading: LikeReading?, lookups: Set<String>) {
    lines = family.parts.map { part in
      let preview = reading?.previews.first { $0.part == part }?.preview
      if case .lookup(let lookup) = part, lookups.contains(lookup) {
        return (family.name(of: part), true, "read with the answers")
      }
      let isProved = preview.map { $0.isRead && $0.misread.isEmpty } ?? false
      return (family.name(of: part), isProved, preview.map(Self.sentence) ?? "no answer given")
    }
    for kind in family.blocks { lines.append((kind.rawValue, false, "not read here")) }
  }

  private static func sentence(_ preview: SamplePreview) -> String {
    if let failure = preview.failure { return "its answer cannot be read: \(failure)" }
    guard preview.rows > 0 else { return "its answer has no such row" }
    if let pair = preview.misread.first { return "its symbols do not come apart: \(pair)" }
    let rows = preview.rows == 1 ? "1 row" : "\(preview.rows) rows"
    return "\(preview.clean) of \(rows) \(preview.clean == 1 ? "passes" : "pass") the checks"
  }

  var text: String {
    let width = lines.map(\.part.count).max() ?? 0
    return lines.map { line in
      let padding = String(repeating: " ", count: width - line.part.count)
      return TerminalText.sanitized(
        "  \(line.part)\(padding)  \(line.isProved ? "proved  " : "on trust")  \(line.text)")
        + "\n"
    }.joined()
  }
}

extension LikeDraft {
  /// What differs, a line for each.
  var text: String {
    var lines = ["like \(family.exchange.name); what differs:", "  baseUrls  \(baseURLs.joined(separator: ", "))"]
    for difference in differences {
      let old = difference.inherited.map { "  instead of \(Self.shortened($0))" } ?? ""
      let value = difference.value.text(lead: ConfigValue.lineWidth / 2)
      lines.append("  \(difference.key)  \(value)\(old)  (\(difference.reason))")
    }
    if differences.isEmpty { lines.append("  nothing else") }
    let others = family.exchange.markets.map(\.market).filter { $0 != market }.map(\.rawValue)
    if !others.isEmpty {
      lines.append("  \(others.joined(separator: ", ")): left out, since its hosts are unknown")
    }
    return lines.map { TerminalText.sanitizedLines($0) + "\n" }.joined() + "what is proved:\n" + proof.text
  }

  private static func shortened(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 70 ? words.prefix(69) + "…" : words
  }

  /// The same for a program.
  var json: JSONValue {
    var value: JSONValue = [
      "exchange": .string(name), "block": JSONValue(block),
      "differences": .list(differences) { difference in
        var value: JSONValue = ["key": .string(difference.key), "value": .string(difference.value.text())]
        if let inherited = difference.inherited { value += ["instead": .string(inherited)] }
        value += ["reason": .string(difference.reason)]
        return value
      },
      "parts": .list(proof.lines) {
        ["part": .string($0.part), "proved": .bool($0.isProved), "reason": .string($0.text)]
      },
    ]
    if let reading {
      value += ["checks": ["rows": .string("\(reading.rows)"), "clean": .string("\(reading.clean)")]]
    }
    return value
  }
}
