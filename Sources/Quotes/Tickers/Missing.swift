/// Why a cell is empty. Plain bytes, as ``InternedText`` explains.
package enum Missing: Sendable, Hashable {
  /// The mapping has no such field.
  case notOffered
  /// The exchange does not list the pair; no failure.
  case notListed
  /// A symbol names the pair, and no rule of the config takes it apart.
  case unsplit
  /// The path led to nothing.
  case pathMiss
  /// The path led to several values.
  case pathMany
  /// The path led to a JSON null.
  case jsonNull
  /// The path led to something that is no number.
  case notANumber
  /// Zero or less, where only more than zero makes sense.
  case zero
  /// Too old to be shown as current.
  case stale
  /// The request needs a secret that the user has not given.
  case noSecret
  /// The lookup of that name could not be fetched.
  case lookupFailed(InternedText)
  /// The lookup does not have the row's key.
  case lookupMiss
  /// The lookup has the row's key more than once.
  case lookupAmbiguous
  /// The answer has not a single row.
  case emptyAnswer
  /// The answer is no JSON.
  case notJSON
  /// The answer has that HTTP status.
  case http(Int)
  /// No answer in time.
  case timeout
  /// No answer for another reason, in the words of the transport.
  case noAnswer(InternedText)
  /// The exchange reports an error, with its own code (which may be empty).
  case exchangeError(InternedText)
  /// The exchange needs a hook that is not compiled in.
  case hookMissing
  /// Nobody asked for the cell.
  case notAsked
  /// The exchange does not say whether the taker bought or sold.
  case sideUnknown
  /// The open of an exchange rate is not known, so neither is its change.
  case openUnknown
  /// The source's own figures contradict each other.
  case contradictory

  /// The code that is shown and written: `path-miss`, `http-451`, `lookup-failed contracts`.
  package var code: String {
    switch self {
    case .notOffered: "not-offered"
    case .notListed: "not-listed"
    case .unsplit: "unsplit"
    case .pathMiss: "path-miss"
    case .pathMany: "path-many"
    case .jsonNull: "json-null"
    case .notANumber: "not-a-number"
    case .zero: "zero"
    case .stale: "stale"
    case .noSecret: "no-secret"
    case .lookupFailed(let name): Missing.code("lookup-failed", name)
    case .lookupMiss: "lookup-miss"
    case .lookupAmbiguous: "lookup-ambiguous"
    case .emptyAnswer: "empty-answer"
    case .notJSON: "not-json"
    case .http(let status): "http-\(status)"
    case .timeout: "timeout"
    case .noAnswer(let reason): Missing.code("no-answer", reason)
    case .exchangeError(let code): Missing.code("venue-error", code)
    case .hookMissing: "hook-missing"
    case .notAsked: "not-asked"
    case .sideUnknown: "side-unknown"
    case .openUnknown: "open-unknown"
    case .contradictory: "contradictory"
    }
  }

  private static func code(_ name: String, _ detail: InternedText) -> String {
    detail == "" ? name : "\(name) \(detail)"
  }
}
