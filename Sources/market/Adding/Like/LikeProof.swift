import Quotes
import Terminal

/// What is proved of an exchange that is like another, part by part, and what is taken on trust.
struct LikeProof {
  struct Line {
    let part: String
    let isProved: Bool
    /// The rest of the sentence.
    let text: String
  }

  let lines: [Line]

  init(_ family: LikeFamily, _ reading: LikeReading?, lookups: Set<String>) {
    var lines: [Line] = []
    for part in family.parts {
      let name = family.name(of: part)
      if case .lookup(let lookup) = part {
        let isGiven = lookups.contains(lookup)
        lines.append(Line(part: name, isProved: isGiven, text: isGiven ? "read with the answers" : "no answer of it"))
      } else if let preview = reading?.previews.first(where: { $0.part == part })?.preview {
        let isProved = preview.failure == nil && preview.rows > 0
        lines.append(Line(part: name, isProved: isProved, text: Self.sentence(preview)))
      } else {
        lines.append(Line(part: name, isProved: false, text: "no answer of it"))
      }
    }
    if family.hasOrderBook {
      lines.append(Line(part: "orderbook", isProved: false, text: "no answer of it is read here"))
    }
    self.lines = lines
  }

  private static func sentence(_ preview: SamplePreview) -> String {
    if let failure = preview.failure { return "its answer does not read: \(failure)" }
    guard preview.rows > 0 else { return "its answer has no row of it" }
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
