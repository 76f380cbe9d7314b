import Quotes

/// The manual page of a program in man(7) macros, generated from its commands.
package struct ManPage {
  private let program: Program

  package init(_ program: Program) { self.program = program }

  package var text: String {
    let title = Self.quoted(program.name.uppercased())
    var lines = [".TH \(title) 1 \"\" \(Self.quoted("\(program.name) \(Version.number)")) \"User Commands\""]
    lines += [".SH NAME", Self.escaped("\(program.name) - \(program.summary)", keepingDashes: false)]
    lines += [".SH SYNOPSIS", ".B \(Self.escaped(program.name))", "COMMAND [ARGUMENTS] [OPTIONS]"]
    lines.append(".SH DESCRIPTION")
    lines += paragraphs(program.discussion)
    lines.append(".SH OPTIONS OF EVERY COMMAND")
    lines += Option.common.flatMap(entry)
    lines += program.groups.flatMap { group, commands in
      [".SH \(Self.escaped(group.rawValue.uppercased()))"] + commands.flatMap(section)
    }
    lines.append(".SH ENVIRONMENT")
    lines += program.environment.flatMap { entry($0.name, $0.meaning) }
    lines.append(".SH FILES")
    lines += program.files.flatMap { entry($0.name, $0.meaning) }
    lines.append(".SH EXIT STATUS")
    lines += ExitCode.allCases.flatMap { entry("\($0.rawValue)", $0.meaning) }
    lines += entry("130, 131, 143", "Ctrl-C, Ctrl-\\ or SIGTERM ended it")
    lines.append(".SH EXAMPLES")
    lines += program.examples.flatMap { entry($0.line, $0.meaning) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ command: Command) -> [String] {
    var lines = [".SS \(Self.quoted("\(program.name) \(command.usage)"))"]
    lines += [Self.escaped(Self.sentence(command.summary))]
    lines += command.arguments.flatMap { entry($0.name, $0.help) }
    lines += command.options.filter { !Option.common.contains($0) }.flatMap(entry)
    if !command.discussion.isEmpty { lines += [".PP"] + paragraphs(command.discussion) }
    if !command.examples.isEmpty { lines += [".PP", "Examples:"] }
    return lines + command.examples.flatMap { entry($0.line, $0.meaning) }
  }

  private func entry(_ option: Option) -> [String] {
    entry((option.short.map { "-\($0), " } ?? "") + option.usage, option.explanation)
  }

  private func entry(_ term: String, _ meaning: String) -> [String] {
    [".TP", "\\fB\(Self.escaped(term))\\fR", Self.escaped(meaning)]
  }

  private func paragraphs(_ texts: [String]) -> [String] {
    Array(texts.map { [Self.escaped($0)] }.joined(separator: [".PP"]))
  }

  private static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }

  /// Returns a macro argument in which spaces are preserved.
  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// Escapes text so that roff prints it literally: characters it would replace, and one that starts a request.
  ///
  /// - Parameter keepingDashes: false if dashes are not part of what is typed.
  private static func escaped(_ text: String, keepingDashes: Bool = true) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "\"": result += "\\(dq"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "-" where keepingDashes: result += "\\-"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        result += "\\[u\(scalar.value.hexadecimal(digits: 4, uppercase: true))]"
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
