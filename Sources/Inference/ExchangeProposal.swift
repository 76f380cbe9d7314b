import JSON
import JSONPath
package import Quotes

/// A mapping that a sample suggests.
package struct ExchangeProposal: Sendable {
  /// JSONPath of the rows.
  package var rows: String
  /// What the rows are, in words.
  package var shape: String
  package var rowCount: Int
  /// Rows beyond so many are not looked at.
  package static let mostExamined = SampleRows.rowLimit
  /// The names of the members that led to the rows; empty where nothing is named.
  package var keys: [String]
  /// Whether the response is about one pair only.
  package var isSingle: Bool
  /// What the rows are, `object` or `array`, where some members beside them are none and have to be passed over.
  package var rowKind: String?
  package var symbol: SymbolProposal?
  /// In the order of `Role.allCases`; those without any candidate are absent.
  package var roles: [RoleProposal]
  package var success: SuccessProposal
  /// Other places that look like rows, best first.
  package var otherRows: [String]
  /// Numbers of the sample that contradict each other: it is written by hand, and proves nothing.
  package var contradictions: [String]

  /// The columns that play no part, each with its first value that says something.
  package var unused: [(path: String, example: String)]
  /// Columns that play no part and say of each pair in which state it is, where not all are in the same.
  package var states: [PairStates] = []

  /// What says that the rows are futures, in words: an ending of all symbols, or a member that only they have.
  package var futuresSign: String?

  package subscript(_ role: Role) -> RoleProposal? { roles.first { $0.role == role } }

  /// A sample of a documentation has the right names, and numbers that never were.
  package var looksInvented: Bool { !contradictions.isEmpty }
}

/// The words of a column that tells pairs that are traded from others, most frequent first.
package struct PairStates: Sendable, Hashable {
  package let path: String
  package let words: [String]
  /// How many rows have each of the words.
  package let counts: [Int]

  private static let names: Set<String> = [
    "state", "status", "active", "enabled", "enable", "frozen", "delisted", "halted", "suspended", "tradable",
    "tradeable", "trading", "listed", "online",
  ]

  /// nil where the column is none, or says the same of all pairs.
  init?(_ column: SampleColumn) {
    guard FieldName.chunks(of: column.title).contains(where: { Self.names.contains($0.lowercased()) }) else {
      return nil
    }
    var counts: [String: Int] = [:]
    for text in column.texts { if let text, !text.isEmpty { counts[text, default: 0] += 1 } }
    guard (2...6).contains(counts.count) else { return nil }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    path = column.path.text
    words = sorted.map(\.key)
    self.counts = sorted.map(\.value)
  }
}

/// What a field of the ticker block would be, and how sure that is.
package struct RoleProposal: Sendable {
  package struct RunnerUp: Hashable, Sendable {
    package let path: String
    package let confidence: Double
  }

  package let role: Role
  package var path: String
  /// The value is read from the response, not from the row.
  package var isFromResponse = false
  /// The first value that says something, as the exchange writes it.
  package var example: String
  /// 0…1.
  package var confidence: Double
  package var runnerUp: RunnerUp?
  package var evidence: [String]
  /// 100 for a change that is a ratio.
  package var scale: Decimal?
  /// Of a change, a high or a low: only where the name says so.
  package var basis: ChangeBasis?
  package var isTradeTime = false
  package var timeForm: TimeRole.Form?
  /// Characters to take out before it is a number.
  package var strip = ""
  /// Texts that stand for "no value", beyond those the language knows.
  package var missing: [String] = []

  /// At and above this a role is taken without a question.
  package static let threshold = 0.75

  /// A place that somebody gives.
  package init(role: Role, path: String) {
    self.init(role: role, path: path, example: "", confidence: 1, runnerUp: nil, evidence: [])
  }

  init(
    role: Role, path: String, example: String, confidence: Double, runnerUp: RunnerUp? = nil, evidence: [String]
  ) {
    self.role = role
    self.path = path
    self.example = example
    self.confidence = confidence
    self.runnerUp = runnerUp
    self.evidence = evidence
  }

  package var isSure: Bool { confidence >= Self.threshold }
}

/// How a good answer is told from an error that comes with a good status.
package struct SuccessProposal: Hashable, Sendable {
  package enum Test: Hashable, Sendable {
    /// The exact JSON text of the value.
    case equals(String)
    case absent
    case empty
  }

  /// nil where nothing tells: then any answer with rows is good.
  package var path: String?
  package var test: Test = .absent
  package var message: String?

  /// Words that a good answer has in its envelope, as texts.
  private static let good: Set<String> = [
    "0", "00000", "0000", "200", "200000", "1", "ok", "success", "suc", "succ", "successful", "true", "1000", "10000",
  ]
  private static let codes = [
    "code", "ret_code", "retCode", "retcode", "status", "success", "result", "errno", "err_no", "error_code",
    "errorCode",
    "err-code", "rc", "stat", "resultCode", "returnCode", "state", "ok", "isSuccess",
  ]
  private static let messages = [
    "message", "msg", "ret_msg", "retMsg", "error_msg", "errorMessage", "err-msg", "errmsg", "error_message", "detail",
    "description", "reason", "statusText",
  ]
  private static let errors = ["error", "errors", "err"]

  /// - Parameter taken: the member that holds the rows, which is no envelope.
  init(_ root: JSONNode, taken: String?) {
    guard root.kind == .object else { return }
    for name in Self.messages where root[name]?.kind == .string && name != taken {
      message = SamplePath([.member(name)]).text
      break
    }
    for name in Self.codes where name != taken {
      guard let node = root[name], let text = node.scalarText, Self.good.contains(text.lowercased()) else { continue }
      path = SamplePath([.member(name)]).text
      test = .equals(node.text)
      return
    }
    for name in Self.errors where name != taken {
      guard let node = root[name] else { continue }
      path = SamplePath([.member(name)]).text
      if node.isNull || node.kind == .false {
        test = node.isNull ? .absent : .equals("false")
        return
      }
      if node.count == 0, node.kind == .array || node.kind == .object || node.string == "" {
        test = .empty
        return
      }
      if node.numberText == "0" {
        test = .equals("0")
        return
      }
      path = nil
    }
  }

  /// What an answer without a ticker says of itself, where that is an error.
  static func errorText(of root: JSONNode) -> String? {
    guard root.kind == .object else { return nil }
    for name in errors + messages {
      guard let node = root[name] else { continue }
      if let text = errorText(in: node) { return text }
      if node.kind == .object,
        let text = (messages + ["name", "code"]).lazy.compactMap({ node[$0] }).first?.scalarText,
        !text.isEmpty
      {
        return text
      }
      if node.kind == .array, let text = node[0]?.scalarText { return text }
    }
    // A code, a status or a name may be that of an error, and may be anything.
    for name in ["name"] + codes {
      guard let text = root[name].flatMap(errorText(in:)) else { continue }
      let lower = text.lowercased()
      let isNumber = Int(text) != nil
      if text == "false" || isNumber && ["code", "errno", "errorcode"].contains(PlainName(name).text)
        || badWords.contains(where: lower.contains)
      {
        return "\(name) \(text)"
      }
    }
    return nil
  }

  /// Whether the envelope says in so many words that the request failed, whatever stands beside it.
  static func saysFailure(_ root: JSONNode) -> Bool {
    guard root.kind == .object else { return false }
    let isFailed = ["success", "ok", "isSuccess", "succeeded"].contains { name in
      root[name].map { $0.kind == .false || $0.string?.lowercased() == "false" } ?? false
    }
    let bad: Set = ["error", "fail", "failed", "failure"]
    let isBad = ["status", "result", "state"].contains { bad.contains(root[$0]?.string?.lowercased() ?? "") }
    let hasError = errors.contains { name in
      guard let node = root[name] else { return false }
      if let text = node.string { return !text.isEmpty && !good.contains(text.lowercased()) && text != "false" }
      return node.kind == .true || [.array, .object].contains(node.kind) && node.count > 0
    }
    return isFailed || isBad || hasError
  }

  private static let badWords = [
    "err", "fail", "denied", "invalid", "forbid", "limit", "exceed", "unauth", "not found", "notfound", "bad", "reject",
    "restrict", "unavailable", "too many", "missing", "illegal", "exception",
  ]

  private static func errorText(in node: JSONNode) -> String? {
    guard let text = node.scalarText, !text.isEmpty, !good.contains(text.lowercased()) else { return nil }
    return ["none", "null", "[]"].contains(text.lowercased()) ? nil : text
  }
}
