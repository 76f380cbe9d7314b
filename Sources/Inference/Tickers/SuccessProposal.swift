import Config
import JSON
import JSONPath
import Quotes

/// How to tell a good answer from an error with a success status.
package struct SuccessProposal: Hashable, Sendable {
  package enum Test: Hashable, Sendable {
    /// The exact JSON text of the value.
    case equals(String)
    case absent
    case empty
  }

  /// nil if there is nothing to test, so that any answer with rows is good.
  package var path: String?
  package var test: Test = .absent
  package var message: String?

  /// Values in the envelope of a good answer, as text.
  private static let good: Set<String> = [
    "0", "00000", "0000", "200", "200000", "1", "ok", "success", "suc", "succ", "successful", "true", "1000", "10000",
  ]
  private static let codes = [
    "code", "ret_code", "retCode", "retcode", "status", "success", "result", "errno", "err_no", "error_code",
    "errorCode", "err-code", "rc", "stat", "resultCode", "returnCode", "state", "ok", "isSuccess",
  ]
  private static let messages = [
    "message", "msg", "ret_msg", "retMsg", "error_msg", "errorMessage", "err-msg", "errmsg", "error_message", "detail",
    "description", "reason", "statusText",
  ]
  private static let errors = ["error", "errors", "err"]

  /// - Parameter taken: the member that contains the rows, which is not part of the envelope.
  init(_ root: JSONNode, taken: String?) {
    guard root.kind == .object else { return }
    func path(_ name: String) -> String { SamplePath([.member(name)]).text }
    message = Self.messages.first { root[$0]?.kind == .string && $0 != taken }.map(path)
    for (names, test) in [(Self.codes, Self.test(ofCode:)), (Self.errors, Self.test(ofError:))] {
      for name in names where name != taken {
        guard let test = root[name].flatMap(test) else { continue }
        (self.path, self.test) = (path(name), test)
        return
      }
    }
  }

  /// Returns the test that a code passes; nil if it does not say that all is well.
  private static func test(ofCode node: JSONNode) -> Test? {
    node.scalarText.flatMap { good.contains($0.lowercased()) ? .equals(node.text) : nil }
  }

  /// Returns the test that a place for errors passes; nil if it has one.
  private static func test(ofError node: JSONNode) -> Test? {
    switch node.kind {
    case .null: .absent
    case .false: .equals("false")
    case .array, .object: node.count == 0 ? .empty : nil
    case .string: node.string == "" ? .empty : nil
    case .number: node.numberText == "0" ? .equals("0") : nil
    case .true: nil
    }
  }

  /// Returns whether a member is for errors or warnings: that it is empty says that there are none, not that rows are
  /// missing.
  static func isRemark(_ name: String) -> Bool {
    (errors + messages).contains(name) || ["warning", "warnings", "messages", "notices"].contains(name.lowercased())
  }

  /// Returns the problem of an answer whose envelope says that the request failed, whatever else it contains.
  static func failure(of root: JSONNode) -> SampleProblem? { saysFailure(root) ? errorAnswer(root) : nil }

  /// Returns the problem of an answer without rows, if it is an error.
  static func errorAnswer(_ root: JSONNode) -> SampleProblem? {
    errorText(of: root).map { .errorAnswer($0.shortened(to: 120)) }
  }

  private static func errorText(of root: JSONNode) -> String? {
    guard root.kind == .object else { return nil }
    for name in errors + messages {
      guard let node = root[name] else { continue }
      if let text = errorText(in: node) { return text }
      let inner = (messages + ["name", "code"]).lazy.compactMap { node[$0] }.first?.scalarText
      if node.kind == .object, let inner, !inner.isEmpty { return inner }
      if node.kind == .array, let text = node[0]?.scalarText { return text }
    }
    // A code, status or name may belong to an error, but may be anything.
    for name in ["name"] + codes {
      guard let text = root[name].flatMap(errorText(in:)) else { continue }
      let lower = text.lowercased()
      let isNumber = Int(text) != nil
      if text == "false" || isNumber && ["code", "errno", "errorcode"].contains(Spelling.folded(name))
        || badWords.contains(where: lower.contains)
      {
        return "\(name) \(text)"
      }
    }
    return nil
  }

  private static func saysFailure(_ root: JSONNode) -> Bool {
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
