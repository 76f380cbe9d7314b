import Terminal

/// Help pages, generated from the data of the commands: examples first, at most 80 cells wide.
package struct HelpPage {
  private static let width = 80
  private let program: String

  package init(program: String) { self.program = program }

  package func page(of program: Program) -> String {
    var sections = ["\(program.name) - \(program.summary)\n"]
    sections.append(examples(program.examples))
    sections.append("Usage: \(program.name) COMMAND [ARGUMENTS] [OPTIONS]\n")
    // The summaries of all groups are in one column.
    let column = 4 + (program.shownCommands.map(\.name.count).max() ?? 0)
    sections += program.groups.map { group, commands in
      section(group.rawValue, commands.map { ($0.name, $0.summary) }, column: column)
    }
    sections += program.discussion.map { TerminalText.wrapped($0, cells: Self.width).map { $0 + "\n" }.joined() }
    sections.append(
      "Run '\(program.name) help COMMAND' or '\(program.name) COMMAND --help' for a command's own page.\n")
    return sections.joined(separator: "\n")
  }

  package func page(of command: Command) -> String {
    var sections = ["\(program) \(command.name) - \(command.summary)\n"]
    if !command.examples.isEmpty { sections.append(examples(command.examples)) }
    sections.append("Usage: \(program) \(command.usage)\n")
    if !command.arguments.isEmpty {
      sections.append(section("Arguments", command.arguments.map { ($0.name, $0.help) }))
    }
    for category in Option.Category.allCases {
      let options = command.options.filter { $0.category == category }
      if !options.isEmpty { sections.append(section(category.rawValue, options.map(entry))) }
    }
    sections += command.discussion.map { TerminalText.wrapped($0, cells: Self.width).map { $0 + "\n" }.joined() }
    return sections.joined(separator: "\n")
  }

  private func examples(_ examples: [Command.Example]) -> String {
    section("Examples", examples.map { ($0.line, $0.meaning) }, widestTerm: 48)
  }

  private func entry(_ option: Option) -> (String, String) {
    let short = option.short.map { "-\($0), " } ?? "    "
    return (short + option.usage, option.explanation)
  }

  /// Returns a heading and a list of terms with their meanings in a second column; a term that is too wide has its
  /// meaning on the next line.
  ///
  /// - Parameter column: that of the meanings; nil for the first that has room for every term that is not too wide.
  private func section(
    _ title: String, _ entries: [(term: String, meaning: String)], widestTerm: Int = 30, column: Int? = nil
  ) -> String {
    let widths = entries.map { TerminalText.width(of: $0.term) }
    let column = column ?? 2 + (widths.filter { $0 <= widestTerm }.max() ?? widestTerm) + 2
    var text = title + ":\n"
    for (entry, width) in zip(entries, widths) {
      let lines = TerminalText.wrapped(entry.meaning, cells: Self.width - column)
      let margin = String(repeating: " ", count: column)
      text += "  " + entry.term
      if 2 + width + 2 <= column {
        text += String(repeating: " ", count: column - 2 - width)
      } else {
        text += "\n" + margin
      }
      text += lines.joined(separator: "\n" + margin) + "\n"
    }
    return text
  }
}
