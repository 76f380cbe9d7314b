/// A piece of text with its meaning, safe to show: whatever it is made of is cleaned.
///
///     StyledText("1234.50", .up) + StyledText(" mid", .dim)
package struct StyledText: Hashable, Sendable {
  /// A stretch of text in one style.
  package struct Run: Hashable, Sendable {
    package let text: String
    package let style: Style
  }

  package private(set) var runs: [Run]

  /// Cleans the text with `TerminalText.sanitized`.
  package init(_ text: String, _ style: Style = .neutral) {
    runs = text.isEmpty ? [] : [Run(text: TerminalText.sanitized(text), style: style)]
  }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum.runs += right.runs
    return sum
  }

  /// The cells it takes.
  package var width: Int {
    runs.reduce(0) { $0 + TerminalText.width(of: $1.text) }
  }

  /// The text with the palette's escape sequences.
  package func painted(with palette: Palette) -> String {
    runs.map { palette.paint($0.text, as: $0.style) }.joined()
  }

  /// The text cut to a number of cells, an ellipsis at its end when something was cut.
  package func shortened(to cells: Int) -> StyledText {
    guard width > cells else { return self }
    var result = StyledText("")
    var room = cells
    for run in runs {
      // One cell is kept for the ellipsis of the run that does not fit, be it at the run's very start.
      let runWidth = TerminalText.width(of: run.text)
      if runWidth < room {
        result.runs.append(run)
        room -= runWidth
      } else {
        result.runs.append(Run(text: TerminalText.cut(run.text, cells: room), style: run.style))
        break
      }
    }
    return result
  }
}

extension StyledText: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) {
    self.init(text)
  }
}
