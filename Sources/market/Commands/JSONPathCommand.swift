/// `market jsonpath QUERY [FILE]`
enum JSONPathCommand {
  static let query = Argument("QUERY", help: "a JSONPath query (RFC 9535)")
  static let file = Argument("FILE", help: "the JSON text; '-' or nothing reads standard input", isOptional: true)
  static let paths = Option("paths", short: "p", help: "print where the values are (normalized paths), not the values")

  static let command = Command(
    name: "jsonpath",
    summary: "print what a JSONPath query finds in a JSON text",
    examples: [
      .init("market jsonpath '$[*].symbol' tickers.json", "every symbol, one a line"),
      .init("market jsonpath '$..last' - --paths < ticker.json", "where a member is"),
    ],
    arguments: [query, file],
    options: [paths],
    work: .immediate { _, _ in throw CommandError.noAnswer("not built yet") })
}
