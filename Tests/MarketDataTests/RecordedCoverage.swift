import Config

/// The number of recorded rows that each shipped market reads, and those left over, as shown on a page.
struct RecordedCoverage {
  private struct Line {
    let shipped: ShippedMarket
    var bodies = 0
    var rows = 0
    var flagged = 0
    var unsplit = 0
    var dropped = 0
  }

  private var lines: [Line] = []
  private var remarks: [String] = []

  init() throws {
    for shipped in ShippedConfig.markets {
      var line = Line(shipped: shipped)
      for item in RecordedReading.all where item.shipped.name == shipped.name {
        let outcome = try item.outcome()
        let file = item.recorded.file.split(separator: "/").dropFirst().joined(separator: "/")
        switch item.verdict(outcome) {
        case .silent(let cause): remarks.append("nothing to judge, \(shipped.testDescription) `\(file)`: \(cause)")
        case .excepted(let cause): remarks.append("exception, \(shipped.testDescription) `\(file)`: \(cause)")
        case .failed: remarks.append("FAILS, \(shipped.testDescription) `\(file)`")
        case .passed:
          line.bodies += 1
          line.rows += outcome.rows.count
          line.flagged += outcome.flagged.count
          line.unsplit += outcome.unsplit.count
          line.dropped += outcome.dropped.values.reduce(0, +)
        }
      }
      lines.append(line)
    }
  }

  var markdown: String {
    let found = lines.filter { $0.bodies > 0 }
    let exchanges = Set(found.map(\.shipped.exchange.name))
    let rows = found.reduce(0) { $0 + $1.rows }
    let flagged = found.reduce(0) { $0 + $1.flagged }
    let others = ShippedConfig.exchanges.map(\.name).filter { !exchanges.contains($0) }
    var text = """
      \(exchanges.count) of \(ShippedConfig.exchanges.count) exchanges have a recorded body of the present endpoint: \(rows) rows, of which \
      \(rows - flagged) pass every check.

      | exchange | bodies | rows | flagged | left out | not split |
      | --- | --- | --- | --- | --- | --- |

      """
    for line in found {
      text += "| \(line.shipped.testDescription) | \(line.bodies) | \(line.rows) | \(line.flagged) | \(line.dropped) "
      text += "| \(line.unsplit) |\n"
    }
    text += "\nWithout one, and so `documented`: \(others.joined(separator: ", ")).\n\n"
    return text + remarks.map { "- \($0)\n" }.joined()
  }
}
