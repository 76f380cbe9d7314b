package import Config
package import JSON

/// Why a sample yields no proposal, in one plain sentence.
package enum SampleProblem: Error, Hashable, Sendable {
  case empty
  /// A web page.
  case html
  /// No answer of an API at all, where one of this kind is wanted, and what it is instead.
  case unreadable(BlockKind, String)
  case notJSON(JSONSyntaxError)
  /// Not text, or not UTF-8: what it is, and what to do.
  case encoded(String)
  /// Several JSON values in succession: socket messages, log lines.
  case severalValues
  case nestedTooDeep
  /// The answer's own error message, shortened.
  case errorAnswer(String)
  case emptyAnswer
  /// There are no rows where they should be.
  case emptyList(String)
  /// No possible price, and no sign of what it is instead.
  case noTicker(String)
  /// A table of tickers at a path, of whose members none is known to be the last price.
  case noPrice(rows: String)
  /// No possible order book, trades or candles, and what prevents it.
  case noBlock(BlockKind, String)
  /// Nothing like the levels of an order book.
  case noLevels
  /// An order book whose side at a path has no levels.
  case emptySide(path: String)
  /// Stream messages without any of the table's pairs.
  case noStream(String)
  /// Numbers with what is or may be a decimal comma: the path and the first of them.
  case decimalCommas(path: String, example: String)
  /// Rows of something else, and the sign of it.
  case otherKind(AnswerKind, String)
  /// A single row at a path: there is no other to compare it with, and its pair is not given.
  case oneRow(path: String)
  case nothingAt(what: String, path: String)
}

extension SampleProblem: CustomStringConvertible {
  /// What the sample looks like and, after a semicolon, what to provide instead.
  package var description: String {
    switch self {
    case .empty: "the sample is empty; \(Self.remedy)"
    case .html: "the sample is \(Self.page); \(Self.remedy)"
    case .unreadable(let kind, let text): "the sample is \(text); give the answer with the \(kind.singular) of a pair"
    case .notJSON(let error): "the sample is not valid JSON: \(error.problem) at byte \(error.offset)"
    case .encoded(let text): "the sample is \(text)"
    case .severalValues: "the sample is several JSON values, one after another; give one whole answer"
    case .nestedTooDeep: "the sample is nested too deeply to be a table of tickers"
    case .errorAnswer(let text): "the sample is an error answer: \(text)"
    case .emptyAnswer: "the sample has no rows; \(Self.remedy)"
    case .emptyList(let path): "the sample has no rows: \(path) is an empty list"
    case .noTicker(let reason): "the sample has no tickers: \(reason); \(Self.remedy)"
    case .noPrice(let rows):
      "no field of \(rows) is known to be the last price, beside bid and ask; give its path with --price PATH"
    case .noBlock(let kind, let reason): "the sample has no \(kind.singular): \(reason)"
    case .noLevels: "the sample has no order book: it does not have two lists of levels"
    case .emptySide(let path):
      "the sample has no whole order book: \(path) is empty; give the answer of a pair with bids and asks"
    case .noStream(let reason): "the messages do not belong to a channel of rows: \(reason)"
    case .decimalCommas(let path, let example):
      "the sample has numbers with a decimal comma, or something like it: '\(example)' at \(path); the config "
        + "cannot read such numbers"
    case .otherKind(let kind, let reason):
      "the sample looks like \(kind.rawValue), not tickers: \(reason); \(Self.remedy)"
    case .oneRow(let path):
      "the sample has only one row, at \(path), and nothing to compare it with; \(Self.remedy), or say which "
        + "pair it is about"
    case .nothingAt(let what, let path): "the sample has no \(what) at '\(path)'"
    }
  }

  static let page = "an HTML page, not an answer of an API"

  private static let remedy = "give the answer that lists all pairs with their last prices"
}
