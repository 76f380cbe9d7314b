import Formats
import JSON
import Mapping
import MarketData
import Quotes
import Terminal

/// A report whose rows can be written one at a time, each as a line of JSON.
package protocol LineReport: Report {
  /// Returns newline-delimited JSON: one object per row with its exchange, market and pair, then one with the reason
  /// for each exchange without rows, or with only some.
  func ndjson() -> [UInt8]
  /// Additional notes for formats that have no room for them.
  var notes: [String] { get }
}

extension LineWriter {
  /// Adds an object that names its type.
  mutating func object(_ type: String, _ members: JSONValue) {
    object { writer in
      writer.member("type", type)
      writer.members(members)
    }
  }

  /// Adds an object of a market's answer that names its type.
  mutating func object<Value>(_ type: String, of answer: PairAnswer<Value>, _ members: JSONValue) {
    object { writer in
      writer.member("type", type)
      answer.write(into: &writer)
      writer.members(members)
    }
  }

  /// Returns all lines, ending with an object for each explained record, if requested, and one for each market with no
  /// data, or only partial data.
  mutating func finished<Value>(_ answers: [PairAnswer<Value>], isExplained: Bool) -> [UInt8] {
    for answer in answers where isExplained && !answer.explained.isEmpty {
      object("explain", of: answer, ["explain": Explanation.json(of: answer)])
    }
    for answer in answers {
      guard let failure = answer.failure else { continue }
      object("failure", of: answer, ["status": .string(answer.status)] + failure.json)
    }
    return bytes
  }
}

extension TableFailure {
  var json: JSONValue { ["reason": .string(reason.code), "message": .text(message)] }
}

extension Cell {
  /// Returns the formatted number, or why there is none.
  func text(_ write: (Decimal) -> String) -> StyledText {
    switch self {
    case .value(let value): StyledText(write(value))
    case .missing(let reason): StyledText(reason.code, .dim)
    }
  }
}

extension Page {
  /// Joins the sections of a report that are not empty, with a blank line between them.
  func sections(_ sections: [String]) -> String { sections.filter { !$0.isEmpty }.joined(separator: "\n") }

  /// Formats a number from an exchange without its zero padding, unless full digits are wanted.
  func number(_ value: Decimal) -> String { digits == .full ? value.description : value.shortest }

  /// Formats an amount of money to three digits, unless full digits are wanted.
  func amount(_ value: Decimal) -> String { digits == .full ? value.description : value.compactText }

  /// The width of charts in cells: that of the terminal, or one that fits everywhere.
  var pictureWidth: Int { max(1, width ?? 80) }

  /// Lays out blocks of lines side by side as far as the width allows, otherwise one below the other.
  ///
  /// - Parameters:
  ///   - least: the minimum width of a block in cells.
  ///   - blocks: returns lists of lines no wider than the given width.
  func beside(_ count: Int, least: Int, _ blocks: (_ range: Range<Int>, _ width: Int) -> [[StyledText]]) -> String {
    guard count > 0 else { return "" }
    let gap = 3
    let together = max(1, min(count, (pictureWidth + gap) / (least + gap)))
    var sections: [String] = []
    for start in stride(from: 0, to: count, by: together) {
      let range = start..<min(count, start + together)
      let width = (pictureWidth - gap * (together - 1)) / together
      let blocks = blocks(range, width)
      sections.append(lines(StyledText.beside(blocks, at: blocks.indices.map { $0 * (width + gap) })))
    }
    return sections.joined(separator: "\n")
  }
}

extension StyledText {
  /// The cell of a missing value.
  static let nothing = StyledText("-", .dim)

  /// Creates a percentage with a sign, in the color of its direction.
  init(percent: Decimal?, unit: String = "") {
    self = percent.map { StyledText($0.signedPercentText + unit, Style(ofChange: $0)) } ?? .nothing
  }

  /// Lays out blocks of lines side by side.
  ///
  /// - Parameters:
  ///   - columns: where each block begins, in cells.
  ///   - rows: how many lines to return; nil for those of the highest block.
  static func beside(_ blocks: [[StyledText]], at columns: [Int], rows: Int? = nil) -> [StyledText] {
    (0..<(rows ?? blocks.map(\.count).max() ?? 0)).map { row in
      var line = StyledText("")
      for (block, column) in zip(blocks, columns) where row < block.count && block[row].width > 0 {
        line = line.padded(to: column) + block[row]
      }
      return line
    }
  }

  /// Joins parts, two spaces apart, on as many lines as needed, indenting all but the first; no part is truncated.
  static func flow(_ parts: [StyledText], width: Int, indent: Int = 0) -> [StyledText] {
    var lines: [StyledText] = []
    for part in parts where part.width > 0 {
      if let last = lines.last, last.width + 2 + part.width <= width {
        lines[lines.count - 1] = last + StyledText("  ") + part
      } else {
        lines.append(lines.isEmpty ? part : StyledText(blanks: indent) + part)
      }
    }
    return lines
  }
}
