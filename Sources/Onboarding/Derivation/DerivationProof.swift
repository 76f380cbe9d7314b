import Config
import JSON
import Quotes
import Terminal

/// What is proved about an exchange that is like another one, part by part, and what is assumed.
struct DerivationProof {
  /// What the answer of a part shows.
  enum Verdict: String {
    case proved
    case trusted = "on trust"
    case disproved = "wrong"
  }

  private(set) var lines: [(part: String, verdict: Verdict, text: String)]

  init(_ family: TemplateFamily, _ reading: DerivationReading, lookups: Set<String>) {
    lines = family.parts.map { part in
      let preview = reading.previews.first { $0.part == part }?.preview
      if case .lookup(let lookup) = part, lookups.contains(lookup) {
        return (family.name(of: part), .proved, "read with the answers")
      }
      guard let preview else { return (family.name(of: part), .trusted, "no answer given") }
      return (family.name(of: part), Self.verdict(preview), Self.sentence(preview))
    }
    for kind in family.blocks { lines.append((kind.rawValue, .trusted, "not read here")) }
  }

  private static func verdict(_ preview: SamplePreview) -> Verdict {
    if preview.objection != nil { return .disproved }
    let isRead = preview.isRead && preview.misread.isEmpty && preview.filled(.price) * 2 >= preview.rows
    return isRead && preview.unchecked.isEmpty ? .proved : .trusted
  }

  private static func sentence(_ preview: SamplePreview) -> String {
    if let failure = preview.failure { return "its answer cannot be read: \(failure)" }
    guard preview.rows > 0 else { return "its answer has no such row" }
    if preview.filled(.price) * 2 < preview.rows { return "most of its rows have no price" }
    if let pair = preview.misread.first { return "its symbols cannot be split: \(pair)" }
    let rows = preview.rows.counted("row")
    let passing = "\(preview.clean) of \(rows) \(preview.clean == 1 ? "passes" : "pass") the checks"
    let unchecked = preview.unchecked.map(\.rawValue).joined(separator: ", ")
    return unchecked.isEmpty ? passing : "\(passing), which do not reach \(unchecked)"
  }

  var text: String {
    let width = lines.map(\.part.count).max() ?? 0
    return lines.map { line in
      let words = [(line.part, width), (line.verdict.rawValue, Verdict.trusted.rawValue.count)].map { word, width in
        word + String(repeating: " ", count: width - word.count)
      }
      return TerminalText.sanitized("  \(words[0])  \(words[1])  \(line.text)") + "\n"
    }.joined()
  }
}

extension DerivedExchangeDraft {
  /// The differences, one line each.
  var text: String {
    var lines = ["like \(family.exchange.name); what differs:", "  baseUrls  \(baseURLs.joined(separator: ", "))"]
    for difference in differences {
      let inherited = difference.inherited?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let old = inherited.map { "  instead of \($0.shortened(to: 70))" } ?? ""
      let value = difference.value.text(lead: ConfigValue.lineWidth / 2)
      lines.append("  \(difference.key)  \(value)\(old)  (\(difference.reason))")
    }
    if differences.isEmpty { lines.append("  nothing else") }
    let others = family.exchange.markets.map(\.market).filter { $0 != market }.map(\.rawValue)
    if !others.isEmpty {
      lines.append("  \(others.joined(separator: ", ")): left out, since its hosts are unknown")
    }
    return lines.map { TerminalText.sanitizedLines($0) + "\n" }.joined() + "proved:\n" + proof.text
  }

  /// The same, machine-readable.
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
        ["part": .string($0.part), "proved": .bool($0.verdict == .proved), "reason": .string($0.text)]
      },
    ]
    if samples != nil {
      value += ["checks": ["rows": .string("\(reading.rows)"), "clean": .string("\(reading.clean)")]]
    }
    return value
  }
}
