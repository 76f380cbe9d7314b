package import Config
package import HTTP
package import JSON
import JSONPath
import Quotes

/// The distinction of valid responses from errors.
package enum AnswerReader {
  /// Returns the body as JSON text, converted by the hook if the config names one.
  package static func json(_ answer: HTTPResponse, hook name: String?, hooks: HookRegistry) throws(AnswerFailure)
    -> [UInt8]
  {
    // A saved or recorded response has not been subject to the network limit.
    guard answer.body.count <= AnswerLimit.bytes else { throw tooLarge("\(AnswerLimit.bytes) bytes") }
    guard let name else { return answer.body }
    guard let hook = hooks[name] else { throw AnswerFailure(.hookMissing, name) }
    do {
      return try hook.json(from: answer.body)
    } catch {
      throw unreadable(answer, error.reason)
    }
  }

  /// - Parameter limit: the limit that was exceeded: `30000 rows`.
  static func tooLarge(_ limit: String) -> AnswerFailure {
    AnswerFailure(.noAnswer(.tooLarge), "the answer has more than \(limit)")
  }

  /// Returns the body as a tree; nil if it is not JSON or is too large.
  package static func document(_ body: [UInt8]) -> JSONDocument? {
    try? JSONDocument(parsing: body, maximumValues: AnswerLimit.values)
  }

  static func document(
    _ answer: HTTPResponse, _ body: [UInt8], success: SuccessSpec, isForPair: Bool
  ) throws(AnswerFailure) -> JSONDocument {
    do {
      return try JSONDocument(parsing: body, maximumValues: AnswerLimit.values)
    } catch {
      throw unreadable(answer, error, in: body, success: success, isForPair: isForPair)
    }
  }

  /// Returns the body as a tree, converted by the hook if the config names one.
  static func tree(
    _ answer: HTTPResponse, hook: String?, hooks: HookRegistry, success: SuccessSpec
  ) throws(AnswerFailure) -> JSONDocument {
    try document(answer, json(answer, hook: hook, hooks: hooks), success: success, isForPair: false)
  }

  /// Returns the reason why a body is not JSON.
  static func unreadable(
    _ answer: HTTPResponse, _ error: JSONSyntaxError, in body: [UInt8], success: SuccessSpec, isForPair: Bool
  ) -> AnswerFailure {
    switch error.problem {
    case .tooManyRows(let limit): return tooLarge("\(limit) rows")
    case .tooManyValues(let limit): return tooLarge("\(limit) values")
    default: break
    }
    if isForPair, let absence = absence(nil, status: answer.status, success: success) { return absence }
    return unreadable(answer, describe(error, in: body))
  }

  /// An error status is more informative than the fact that its page is HTML.
  private static func unreadable(_ answer: HTTPResponse, _ message: String) -> AnswerFailure {
    answer.isSuccessful ? AnswerFailure(.notJSON, message) : .status(answer.status)
  }

  private static func describe(_ error: JSONSyntaxError, in bytes: [UInt8]) -> String {
    guard let first = bytes.first(where: { $0 > 0x20 }) else { return "the answer is empty" }
    if first == UInt8(ascii: "<") { return "the answer is an HTML or XML page" }
    let place = SourceMap(bytes).position(of: error.offset)
    return "\(error.problem) at line \(place.line), column \(place.column)"
  }

  /// Returns why the response to a request for one pair is no answer of the exchange, whatever its rows would be: it is
  /// not JSON, or an error. nil if it is one, which may be that the exchange does not list or trade the pair.
  package static func objection(
    to answer: HTTPResponse, hook: String?, hooks: HookRegistry, success: SuccessSpec
  ) -> AnswerFailure? {
    do throws(AnswerFailure) {
      let body = try json(answer, hook: hook, hooks: hooks)
      let document = try document(answer, body, success: success, isForPair: true)
      try requireSuccess(of: answer, document, success, isForPair: true)
      return nil
    } catch {
      return error.reason.isAbsence ? nil : error
    }
  }

  /// Requires that an answer with a tree is successful.
  ///
  /// - Throws: the failure that it describes.
  static func requireSuccess(
    of answer: HTTPResponse, _ document: JSONDocument, _ success: SuccessSpec, isForPair: Bool = false
  ) throws(AnswerFailure) {
    let row = TreeRow(document.root)
    let isMet = success.conditions.allSatisfy { TreeCondition($0).holds(for: row) }
    try requireSuccess(of: answer, isMet: isMet, success, isForPair: isForPair) { document }
  }

  /// Does the same.
  ///
  /// - Parameters:
  ///   - isMet: whether the success conditions hold.
  ///   - document: returns the tree, which only a failure needs.
  static func requireSuccess(
    of answer: HTTPResponse, isMet: Bool, _ success: SuccessSpec, isForPair: Bool, document: () -> JSONDocument?
  ) throws(AnswerFailure) {
    guard isMet, answer.isSuccessful else {
      throw failure(document(), status: answer.status, isSuccess: isMet, success: success, isForPair: isForPair)
    }
  }

  /// Returns the failure described by an unsuccessful body.
  ///
  /// - Parameter isForPair: whether one pair was requested: only then can it be unlisted or halted.
  static func failure(
    _ document: JSONDocument?, status: Int, isSuccess: Bool, success: SuccessSpec, isForPair: Bool = false
  ) -> AnswerFailure {
    if isForPair, let absence = absence(document, status: status, success: success) { return absence }
    guard let document else { return .status(status) }
    let message = success.messages.lazy.compactMap { text($0, in: document) }.first
    let code = isSuccess ? nil : success.code.flatMap { TreeValue($0).text(of: TreeRow(document.root)) }
    if !isSuccess, !saysMoreThanTheBody(status),
      code != nil || message != nil || HTTPResponse.isSuccessful(status)
    {
      let reason = Missing.exchangeError(InternedText(code ?? ""))
      // Where an exchange has one text for both, it is said once.
      return message.map { AnswerFailure(reason, $0 == code ? nil : $0) }
        ?? adding(wordsOf: document, to: AnswerFailure(reason, ours: failedCondition(of: success, in: document)))
    }
    guard let message else { return adding(wordsOf: document, to: .status(status)) }
    // The status is the reason, but the exchange's documents explain its own code.
    guard let code, code != String(status), !message.begins(withWord: code) else {
      return AnswerFailure(.http(status), message)
    }
    return AnswerFailure(.http(status), "\(shortened(code)): \(message)")
  }

  /// Describes the success condition that failed, and what it found.
  private static func failedCondition(of success: SuccessSpec, in document: JSONDocument) -> String {
    let sentence = "the response does not meet the success conditions"
    let row = TreeRow(document.root)
    guard let condition = success.conditions.first(where: { !TreeCondition($0).holds(for: row) }),
      case .path(let path?, _) = condition.value.origin
    else { return sentence }
    let node = path.query.nodes(in: document.root).first
    let text = node?.scalarText.map { "'\(String($0.unicodeScalars.prefix(40)))'" }
    let found = text ?? node?.kind.article ?? "nothing"
    return "\(sentence); \(path.text): expected \(condition.test.expectation), found \(found)"
  }

  /// Returns that the exchange does not trade the pair, or does not list it, if that is what the answer means; nil if
  /// not. With a status that says more than the body, a condition on its shape is not a sign: an exchange that is down
  /// may answer with an empty list.
  ///
  /// - Parameter document: nil for a body that is not JSON, which only its status can explain.
  static func absence(_ document: JSONDocument?, status: Int, success: SuccessSpec) -> AnswerFailure? {
    if shows(success.halted, document, status) { return AnswerFailure(.halted) }
    return shows(success.unlisted, document, status) ? AnswerFailure(.notListed) : nil
  }

  private static func shows(_ all: [[SuccessSpec.PairSign]], _ document: JSONDocument?, _ status: Int) -> Bool {
    let needsWords = saysMoreThanTheBody(status)
    return all.contains { signs in
      var hasWords = false
      for sign in signs {
        switch sign {
        case .status(let expected):
          guard status == expected else { return false }
          hasWords = true
        case .body(let condition):
          guard let document, TreeCondition(condition).holds(for: TreeRow(document.root)) else { return false }
          if case .shape = condition.test {} else { hasWords = true }
        }
      }
      return !signs.isEmpty && (hasWords || !needsWords)
    }
  }

  private static func text(_ path: PathSpec, in document: JSONDocument) -> String? {
    let text = path.query.nodes(in: document.root).first?.scalarText.map(trimmed)
    return text?.isEmpty == true ? nil : text
  }

  static func shortened(_ text: String) -> String {
    let words = text.unicodeScalars.prefix(maximumMessageLength)
    return words.endIndex == text.endIndex ? text : String(words) + "…"
  }

  /// Returns a message without blanks and line feeds at its ends, shortened.
  private static func trimmed(_ message: String) -> String {
    var words = message.unicodeScalars.drop(while: \.properties.isWhitespace)
    while words.last?.properties.isWhitespace == true { words.removeLast() }
    return shortened(String(words))
  }

  // MARK: Words that no config names

  /// Returns the failure with what the answer says in a member that usually explains an error.
  static func adding(wordsOf body: [UInt8], to failure: AnswerFailure) -> AnswerFailure {
    // A table of all pairs is not an explanation.
    guard body.count <= maximumExplanationBytes, let document = document(body) else { return failure }
    return adding(wordsOf: document, to: failure)
  }

  private static func adding(wordsOf document: JSONDocument, to failure: AnswerFailure) -> AnswerFailure {
    words(document.root).map(failure.quoting) ?? failure
  }

  /// Returns the failure of an answer in which no row has a pair that a rule finds: an error, if the rows are not rows
  /// but the members of an object that explains one, or that the only row is the list of all.
  static func unsplit(_ body: [UInt8], rows: RowsSpec, _ failure: AnswerFailure) -> AnswerFailure {
    if rows.isOneRow, case .path(let path) = rows, let list = document(body).map({ path.query.nodes(in: $0.root) }),
      let row = list.first, row.kind == .array, row.count > 0,
      row.elements.allSatisfy({ [.object, .array].contains($0.kind) })
    {
      let text = "rows: \(path.text) is one array of \(row.count); write \"\(path.text)[*]\""
      return AnswerFailure(.unsplit, text)
    }
    guard body.count <= maximumExplanationBytes, case .path(let path) = rows, !rows.isOneRow,
      let document = document(body), let words = words(document.root),
      path.query.nodes(in: document.root).contains(where: { explanation(of: $0) == words })
    else { return failure }
    return AnswerFailure(.exchangeError(""), words)
  }

  private static func explanation(of row: JSONNode) -> String? {
    row.kind == .string ? row.scalarText.map(trimmed) : words(row, depth: 1)
  }

  /// Returns the text of the first of the members that usually explain an error, or of such a member of it.
  private static func words(_ node: JSONNode, depth: Int = 0) -> String? {
    guard node.kind == .object, depth < 2 else { return nil }
    return messageNames.lazy.compactMap { name -> String? in
      guard let value = node[name] else { return nil }
      guard value.kind == .string else { return words(value, depth: depth + 1) }
      return value.scalarText.flatMap { $0.contains(where: \.isLetter) ? trimmed($0) : nil }
    }.first
  }

  private static let messageNames = [
    "message", "msg", "error", "errors", "errorMessage", "error_message", "error_description", "err_msg", "errMsg",
    "description", "detail", "reason",
  ]
  private static let maximumExplanationBytes = 4096

  /// In Unicode scalars: a sentence or two, so that an exchange that sends a megabyte cannot flood the screen.
  private static let maximumMessageLength = 400

  /// Blocks, rate limits and server errors: these matter more than anything in the body.
  private static func saysMoreThanTheBody(_ status: Int) -> Bool {
    HTTPResponse.isDenial(status) || (500...599).contains(status)
  }
}

extension HTTPResponse {
  /// Whether its status says that the request was successful (RFC 9110 §15.3). A part of an answer, for which nobody has
  /// asked, is no success.
  package var isSuccessful: Bool {
    Self.isSuccessful(status) && (status != 206 || headers.first(named: "Content-Range") == nil)
  }

  fileprivate static func isSuccessful(_ status: Int) -> Bool { (200..<300).contains(status) }
}

extension String {
  /// Returns whether the text begins with a word, and not with a longer one.
  fileprivate func begins(withWord word: String) -> Bool {
    guard hasPrefix(word) else { return false }
    return dropFirst(word.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
  }
}
