/// A styled piece of text that is safe to show, as its contents are sanitized.
///
///     StyledText("1234.50", .up) + StyledText(" mid", .dim)
package struct StyledText: Hashable, Sendable {
  /// A run of text in one style.
  package struct Run: Hashable, Sendable {
    package let text: String
    package let style: Style
    /// Whether it is bold on a live screen, or underlined if that has no colours: digits that have just changed.
    package let isStrong: Bool
    /// The link target on a live screen.
    package let link: Hyperlink?
    /// The width in cells, measured once as it is needed at every step of a table.
    package let width: Int

    fileprivate init(text: String, style: Style, isStrong: Bool, link: Hyperlink? = nil) {
      self.text = text
      self.style = style
      self.isStrong = isStrong
      self.link = link
      width = TerminalText.width(of: text)
    }

    /// Returns a run of other text, or a part of this one, in the same style.
    fileprivate func saying(_ text: String) -> Run { Run(text: text, style: style, isStrong: isStrong, link: link) }
  }

  package private(set) var runs: [Run]
  /// The width in cells.
  package private(set) var width: Int

  /// Creates text, sanitized with `TerminalText.sanitized`.
  package init(_ text: String, _ style: Style = .neutral, isStrong: Bool = false) {
    self.init(runs: text.isEmpty ? [] : [Run(text: TerminalText.sanitized(text), style: style, isStrong: isStrong)])
  }

  /// Creates a link whose text is its address, for terminals without link support.
  package init(_ link: Hyperlink, _ style: Style = .neutral) {
    self.init(runs: [Run(text: link.address, style: style, isStrong: false, link: link)])
  }

  private init(runs: [Run]) {
    self.runs = runs
    width = runs.reduce(0) { $0 + $1.width }
  }

  package var plainText: String { runs.map(\.text).joined() }

  /// Creates blanks; none for a number below one.
  package init(blanks cells: Int) { self.init(String(repeating: " ", count: max(0, cells))) }

  /// Appends blanks up to the given width in cells.
  mutating func pad(to cells: Int) {
    guard width < cells else { return }
    runs.append(Run(text: String(repeating: " ", count: cells - width), style: .neutral, isStrong: false))
    width = cells
  }

  /// Returns the text padded with trailing blanks to the given width in cells.
  package func padded(to cells: Int) -> StyledText {
    var padded = self
    padded.pad(to: cells)
    return padded
  }

  /// Returns the text padded with leading blanks to the given width in cells.
  package func aligned(to cells: Int) -> StyledText { StyledText(blanks: cells - width) + self }

  package static func += (left: inout StyledText, right: StyledText) {
    left.runs += right.runs
    left.width += right.width
  }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum += right
    return sum
  }

  /// Returns the text with the palette's escape sequences.
  package func painted(with palette: Palette) -> String {
    runs.reduce(into: "") { $0 += palette.paint($1.text, as: $1.style) }
  }

  /// The widths in cells of a number before its point and from the point on; nil if it is not a number.
  var decimalParts: (whole: Int, fraction: Int)? {
    guard runs.count == 1,
      let first = runs[0].text.utf8.first(where: { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }),
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
    else { return nil }
    let whole = runs[0].text.prefix { $0 != "." }.count
    return (whole, width - whole)
  }

  /// Returns the text cut to a number of cells, with an ellipsis at its end if anything was cut.
  package func shortened(to cells: Int) -> StyledText {
    guard width > cells, cells > 0 else { return cells > 0 ? self : "" }
    // Cut as one text: a number may have several runs, such as the digits that have just changed.
    var rest = TerminalText.cutSparingNumbers(runs.map(\.text).joined(), cells: cells).dropLast()
    var kept: [Run] = []
    for run in runs {
      let own = rest.prefix(run.text.count)
      rest = rest.dropFirst(own.count)
      guard own.count == run.text.count else {
        kept.append(run.saying(own + "…"))
        break
      }
      kept.append(run)
    }
    return StyledText(runs: kept)
  }
}

// MARK: - Lines

extension StyledText {
  /// Returns the text as lines of at most `cells` cells, wrapped at blanks; a wider word gets its own line. All lines
  /// but the first are indented by two.
  ///
  ///     StyledText("max premium 0.19 %  Upbit over Kraken").wrapped(to: 24)
  ///     // "max premium 0.19 %", "  Upbit over Kraken"
  ///
  /// - Parameter cells: nil for a single line.
  package func wrapped(to cells: Int?) -> [StyledText] {
    guard let cells, width > cells else { return [self] }
    var lines: [StyledText] = []
    var line = StyledText("")
    var blanks = StyledText("")
    var isAtStart = true
    for word in words {
      if word.isBlank {
        blanks += word.text
        continue
      }
      if !isAtStart, line.width + blanks.width + word.text.width > cells {
        lines.append(line)
        line = StyledText("  ")
      } else {
        line += blanks
      }
      line += word.text
      blanks = StyledText("")
      isAtStart = false
    }
    return lines + [line]
  }

  /// Alternating stretches of blanks and of other text. A word may have several styles.
  private var words: [(text: StyledText, isBlank: Bool)] {
    var words: [(text: StyledText, isBlank: Bool)] = []
    for run in runs {
      var rest = run.text[...]
      while let first = rest.first {
        let isBlank = first == " "
        let piece = rest.prefix { ($0 == " ") == isBlank }
        rest = rest.dropFirst(piece.count)
        let text = StyledText(runs: [run.saying(String(piece))])
        if words.last?.isBlank == isBlank {
          words[words.count - 1].text += text
        } else {
          words.append((text, isBlank))
        }
      }
    }
    return words
  }
}

extension StyledText: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}
