import Quotes
import Terminal

// What lays out styled text: cells, lines, and blocks of lines side by side.

extension StyledText {
  /// The cell of a missing value.
  static let nothing = StyledText("-", .dim)

  /// Creates a percentage with a sign, in the color of its direction.
  init(percent: Decimal?, unit: String = "") {
    self = percent.map { StyledText($0.signedPercentText + unit, Style(ofChange: $0)) } ?? .nothing
  }

  /// A dimmed copy for column titles, which matter less than the content.
  var dimmed: StyledText { StyledText(plainText, .dim) }
}

// MARK: - Lines

extension StyledText {
  /// Aligns two texts to the ends of a line. If space is short, the right one is dropped, then the left one is cut.
  static func spread(_ left: StyledText, _ right: StyledText, _ width: Int) -> StyledText {
    let room = width - left.width - right.width
    guard right.width > 0, room >= 1 else { return left.shortened(to: width) }
    return left + StyledText(blanks: room) + right
  }

  /// Joins as many whole pieces as fit, so that no number is cut. A piece that does not fit is skipped; the first is
  /// always included, up to the last word that fits with a mark behind it.
  init(whole pieces: [StyledText], cells: Int) {
    var first = pieces.first ?? ""
    if first.width > cells { first = (first.wrapped(to: max(1, cells - 2)).first ?? "") + " …" }
    self = pieces.dropFirst().reduce(first) { $0.width + $1.width <= cells ? $0 + $1 : $0 }
  }

  /// Joins as many whole pieces as fit before what says how many more there are. The first is always included, up to the
  /// last word that fits.
  ///
  /// - Parameter rest: returns what follows that many pieces.
  static func counting(
    _ pieces: [StyledText], cells: Int, _ rest: (_ shown: Int) -> StyledText
  ) -> (line: StyledText, shown: Int) {
    for count in stride(from: pieces.count, to: 1, by: -1) {
      let line = pieces.prefix(count).reduce(StyledText(""), +) + rest(count)
      if line.width <= cells { return (line, count) }
    }
    let last = rest(1)
    return (StyledText(whole: Array(pieces.prefix(1)), cells: max(1, cells - last.width)) + last, 1)
  }

  /// Joins parts on as many lines as needed, indenting all but the first; no part is truncated.
  static func flow(
    _ parts: [StyledText], _ separator: StyledText = "  ", width: Int, indent: Int = 0
  ) -> [StyledText] {
    var lines: [StyledText] = []
    for part in parts where part.width > 0 {
      if let last = lines.last, last.width + separator.width + part.width <= width {
        lines[lines.count - 1] = last + separator + part
      } else {
        lines.append(lines.isEmpty ? part : StyledText(blanks: indent) + part)
      }
    }
    return lines
  }
}

extension [StyledText] {
  /// Joins the texts that are not empty.
  func joined(separator: StyledText = " ") -> StyledText {
    filter { $0.width > 0 }.reduce("") { $0.width == 0 ? $1 : $0 + separator + $1 }
  }
}

/// A part of a line with a source's status.
struct StatusPart {
  /// The forms from longest to shortest; empty to show nothing.
  let forms: [StyledText]
  /// Whether some form of it is shown at any width.
  let isNeeded: Bool

  /// Creates a part that is shown if there is room.
  init(_ text: StyledText) { (forms, isNeeded) = ([text], false) }

  init(_ text: String, _ style: Style) { self.init(StyledText(text, style)) }

  init(needed forms: [StyledText]) { (self.forms, isNeeded) = (forms, true) }
}

extension StyledText {
  /// Joins the parts in order: first the required ones, shortened from the left until they fit, then as many others as
  /// fit. None is truncated, since a truncated number would be a different number.
  ///
  /// - Parameter isMirrored: whether the first part goes last.
  /// - Returns: one line, or if even the shortest forms of the required parts have no room on it, as many as these need:
  ///   a figure without its remarks would pass for a sound one, and remarks without their figure say nothing.
  static func fitting(
    _ parts: [StatusPart], _ separator: String, width: Int, isMirrored: Bool = false
  ) -> [StyledText] {
    let separator = StyledText(separator, .dim)
    var chosen: [StyledText?] = parts.map { $0.isNeeded ? $0.forms.first : nil }
    func line() -> StyledText {
      let shown = chosen.compactMap(\.self)
      return (isMirrored ? shown.reversed() : shown).joined(separator: separator)
    }
    for (place, part) in parts.enumerated() where part.isNeeded {
      for form in part.forms where line().width > width { chosen[place] = form }
    }
    if line().width > width { return flow(chosen.compactMap(\.self), separator, width: width) }
    for (place, part) in parts.enumerated() where !part.isNeeded {
      chosen[place] = part.forms.first
      if line().width > width { chosen[place] = nil }
    }
    return [line()]
  }
}

// MARK: - Blocks

extension StyledText {
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
}
