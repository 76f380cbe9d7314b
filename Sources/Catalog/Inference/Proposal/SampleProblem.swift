package import JSON

/// Why a sample gives no proposal, in one plain sentence.
package enum SampleProblem: Error, Hashable, Sendable {
  case empty
  /// A page for people.
  case html
  case notJSON(JSONSyntaxError)
  case nestedTooDeep
  /// What the answer says of itself, shortened.
  case errorAnswer(String)
  case emptyAnswer
  /// Where the rows would be, there are none.
  case emptyList(String)
  /// Rows, but of what is no ticker: what they are, as far as one can tell.
  case noTicker(String)
  /// What somebody says stands at a path does not.
  case nothingAt(what: String, path: String)
}

extension SampleProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "the sample is empty"
    case .html: "the sample is an HTML page, no answer of an API"
    case .notJSON(let error): "the sample is no JSON: \(error.problem) at byte \(error.offset)"
    case .nestedTooDeep: "the sample is nested too deeply to be a table of tickers"
    case .errorAnswer(let text): "the sample is an error answer: \(text)"
    case .emptyAnswer: "the sample has no rows at all"
    case .emptyList(let path): "the sample has no rows: \(path) is an empty list"
    case .noTicker(let reason): "the sample is no ticker: \(reason)"
    case .nothingAt(let what, let path): "the sample has no \(what) at '\(path)'"
    }
  }
}
