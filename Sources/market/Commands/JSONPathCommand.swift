import Files
import JSON
import JSONPath
import Quotes
import Shell
import Terminal

/// `market jsonpath QUERY [FILE]`
enum JSONPathCommand {
  private static let query = Argument("QUERY", help: "a JSONPath query (RFC 9535)")
  private static let file = Argument(
    "FILE", help: "the JSON text; without it, or with '-', standard input is read", isOptional: true, kind: .file)
  private static let paths = Option(
    "paths", short: "p", help: "print the normalized paths of the values instead of the values")
  private static let raw = Option("raw", short: "r", help: "print strings as text, without quotes and escapes")

  static let command = Command(
    name: "jsonpath",
    summary: "print what a JSONPath query finds in a JSON text",
    examples: [
      .init("market jsonpath '$[*].symbol' tickers.json", "every symbol, one per line"),
      .init("market jsonpath --paths '$..last' tickers.json", "where prices are"),
      .init("market jsonpath -r '$[*].symbol' tickers.json", "the same without quotes, for a shell"),
      .init("curl -s https://api.example/tickers | market jsonpath '$.data[0]'", "the first row of an answer"),
    ],
    arguments: [query, file],
    options: [paths, raw],
    discussion: [
      "Prints one value per line, compact, with the digits of numbers unchanged. Exits with 1 if nothing is "
        + "found or the JSON is invalid, with 2 if the query is invalid.",
      "On a terminal, control characters and other invisible text in strings are shown as \\u escapes, which mean the "
        + "same; a pipe gets the original bytes, with --raw the decoded text, line breaks and all.",
    ],
    work: .now(run))

  private struct Options: CommandOptions {
    let query: String
    /// `-` is standard input.
    let file: String
    let showsPaths: Bool
    let isRaw: Bool

    init(_ words: Invocation) throws(UsageProblem) {
      query = words.text(of: JSONPathCommand.query)
      file = words.optionalText(of: JSONPathCommand.file) ?? "-"
      showsPaths = words.has(paths)
      isRaw = words.has(raw)
      if showsPaths, isRaw { throw .conflict("--paths", "--raw") }
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    let query = try parsedQuery(options.query)
    let document = try parsedDocument(options.file, in: context)
    var isEmpty = true
    func write(_ line: String, isJSON: Bool = true) {
      isEmpty = false
      var shown = line
      if context.terminal.outputIsTerminal {
        shown = isJSON ? TerminalText.sanitized(line, escaping: .json) : TerminalText.sanitizedLines(line)
      }
      context.output.write(shown + "\n")
    }
    do throws(QueryTooCostly) {
      if options.showsPaths {
        for (path, _) in try query.locatedNodes(in: document.root) { write("\(path)") }
      } else {
        for node in try query.nodes(in: document.root, keeping: .max) {
          let text = options.isRaw ? node.string : nil
          write(text ?? node.compactText, isJSON: text == nil)
        }
      }
    } catch {
      throw CommandError.noAnswer("cannot follow '\(options.query)': \(error); write a narrower query")
    }
    if let duplicate = document.root.duplicateMembers().first {
      context.note("duplicate member '\(duplicate.string ?? "")'; a name finds only the last")
    }
    return isEmpty ? .noAnswer : .answer
  }

  private static func parsedQuery(_ text: String) throws(CommandError) -> JSONPathQuery {
    do {
      return try JSONPathQuery(text)
    } catch {
      let diagnostic = SourceDiagnostic(
        source: "<query>", bytes: Array(text.utf8), offset: error.offset, message: error.message)
      throw .diagnostics([diagnostic], .usage)
    }
  }

  private static func parsedDocument(_ path: String, in context: Context) throws -> JSONDocument {
    let isInput = path == "-"
    let bytes = try (isInput ? context.input() : FileSystem.read(path, from: .anything)).withoutByteOrderMark
    do throws(JSONSyntaxError) {
      return try JSONDocument(parsing: bytes)
    } catch {
      let diagnostic = SourceDiagnostic(
        source: isInput ? "<stdin>" : path, bytes: bytes, offset: error.offset, message: "\(error.problem)")
      throw CommandError.diagnostics([diagnostic], .noAnswer)
    }
  }
}
