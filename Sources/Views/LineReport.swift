import Formats
import JSON
import Mapping
import MarketData
import Quotes
import Terminal

/// A report whose rows can be written one by one, each as a line of JSON.
package protocol LineReport: Report {
  /// Newline-delimited JSON: an object a row, with its exchange, market and pair, and at the end one for each exchange that
  /// has none, or not all, with the reason.
  func ndjson() -> [UInt8]
  /// What the reader of a form without room for it should know besides.
  var notes: [String] { get }
}

extension LineWriter {
  /// Adds an object for each record whose coming about is told.
  mutating func explanations<Value>(_ answers: [PairAnswer<Value>]) {
    for answer in answers where !answer.explained.isEmpty {
      object { writer in
        writer.member("type", "explain")
        answer.write(into: &writer)
        writer.member("explain", Explanation.json(of: answer))
      }
    }
  }

  /// Adds an object for each market that has nothing, or not all.
  mutating func failures<Value>(_ answers: [PairAnswer<Value>]) {
    for answer in answers where answer.failure != nil {
      object { writer in
        writer.member("type", "failure")
        answer.write(into: &writer)
        writer.member("status", answer.status)
        writer.member("reason", answer.failure?.reason.code)
        writer.member("message", answer.failure?.message)
      }
    }
  }
}

extension Cell {
  /// The digits, or why there are none.
  func text(_ write: (Decimal) -> String) -> StyledText {
    switch self {
    case .value(let value): StyledText(write(value))
    case .missing(let reason): StyledText(reason.code, .dim)
    }
  }
}

extension Page {
  /// A number of an exchange: without the zeros that it only pads with, unless all digits are wanted.
  func number(_ value: Decimal) -> String { digits == .full ? value.description : value.shortest }

  /// An amount of money: to three digits, unless all are wanted.
  func amount(_ value: Decimal) -> String { digits == .full ? value.description : value.compactText }

  /// Cells for a picture: what a terminal has, else what every reader has room for.
  var pictureWidth: Int { max(1, width ?? 80) }

  /// Blocks of lines beside each other as long as the width allows, else one below the other.
  ///
  /// - Parameters:
  ///   - least: the cells that a block needs.
  ///   - blocks: each a list of lines of at most the width that it is given.
  func beside(_ count: Int, least: Int, _ blocks: (_ range: Range<Int>, _ width: Int) -> [[StyledText]]) -> String {
    guard count > 0 else { return "" }
    let gap = 3
    let together = max(1, min(count, (pictureWidth + gap) / (least + gap)))
    var sections: [String] = []
    for start in stride(from: 0, to: count, by: together) {
      let range = start..<min(count, start + together)
      let width = (pictureWidth - gap * (together - 1)) / together
      let blocks = blocks(range, width)
      let height = blocks.map(\.count).max() ?? 0
      let rows = (0..<height).map { row in
        var line = StyledText("")
        for (index, block) in blocks.enumerated() where row < block.count && block[row].width > 0 {
          line = line.padded(to: index * (width + gap)) + block[row]
        }
        return line
      }
      sections.append(lines(rows))
    }
    return sections.joined(separator: "\n")
  }
}

extension StyledText {
  /// The text with blanks behind it, up to so many cells.
  func padded(to cells: Int) -> StyledText {
    width < cells ? self + StyledText(String(repeating: " ", count: cells - width)) : self
  }

  /// The text with blanks before it.
  func aligned(to cells: Int) -> StyledText {
    width < cells ? StyledText(String(repeating: " ", count: cells - width)) + self : self
  }

  /// Parts two blanks apart, on as many lines as they need, those after the first indented; none is cut.
  static func flow(_ parts: [StyledText], width: Int, indent: Int = 0) -> [StyledText] {
    var lines: [StyledText] = []
    for part in parts where part.width > 0 {
      if let last = lines.last, last.width + 2 + part.width <= width {
        lines[lines.count - 1] = last + StyledText("  ") + part
      } else {
        lines.append(lines.isEmpty ? part : StyledText(String(repeating: " ", count: indent)) + part)
      }
    }
    return lines
  }
}
