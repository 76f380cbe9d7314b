import MarketData
package import Terminal

// Editing of the input line.

extension WatchState {
  package mutating func type(_ key: Key, _ board: WatchBoard, page: Int) -> WatchEffect? {
    guard var line else { return nil }
    lastKey = board.time
    message = nil
    switch (key.code, line.kind) {
    case (.escape, .filter): (self.line, filter) = (nil, "")
    case (.escape, .alert), (.enter, .filter): self.line = nil
    case (.enter, .alert(let replaced)): return arm(line, replacing: replaced, board)
    case (.up, .filter): move(by: -1)
    case (.down, .filter): move(by: 1)
    case (.pageUp, .filter): move(by: -max(1, page))
    case (.pageDown, .filter): move(by: max(1, page))
    case (.tab, .filter):
      line.complete()
      take(line)
    case (.tab, .alert): self.line?.nextField(board.settings.language)
    default:
      guard line.editor.handle(key) != .ignored else { return nil }
      line.problem = nil
      take(line)
    }
    updateVisible(board)
    return nil
  }

  package mutating func paste(_ text: String, _ board: WatchBoard) {
    guard var line else { return }
    line.editor.insert(text)
    line.problem = nil
    take(line)
    updateVisible(board)
  }

  private mutating func take(_ new: OpenLine) {
    line = new
    if new.kind == .filter { filter = new.editor.text }
  }

  private mutating func arm(_ line: OpenLine, replacing replaced: String?, _ board: WatchBoard) -> WatchEffect? {
    guard !line.editor.text.allSatisfy(\.isWhitespace) else {
      self.line = nil
      return nil
    }
    do {
      let rule = try AlertRule(parsing: line.editor.text, board.alertNames)
      self.line = nil
      return .addAlert(rule, replacing: replaced)
    } catch {
      self.line?.problem = error.text(board.settings.language)
      return nil
    }
  }
}

extension WatchState.OpenLine {
  /// The word at the end that may be, or become, the name of a field; empty if there is none.
  private var word: String { String(editor.text.reversed().prefix { $0.isLetter || $0 == "." }.reversed()) }

  private mutating func replaceWord(by field: String) {
    editor = LineEditor(String(editor.text.dropLast(word.count)) + field)
    problem = nil
  }

  /// Completes the field name at the end.
  fileprivate mutating func complete() {
    guard !word.isEmpty, let field = AlertField.completion(of: word) else { return }
    replaceWord(by: field)
  }

  /// Whether a condition begins behind a text: at the start, after its pair, `and`, `or` or a parenthesis.
  private static func beginsCondition(after text: Substring) -> Bool {
    let words = text.split(separator: " ")
    guard let last = words.last else { return true }
    let isPair = words.count == 1 && last.contains("/")
    return last.last == "(" || text.last == " " && (isPair || ["and", "or"].contains(last.lowercased()))
  }

  /// Completes the field name at the end; a whole one gives way to the next field, and so does none where a condition
  /// begins. The name of an exchange is left alone.
  fileprivate mutating func nextField(_ language: Language) {
    let (word, names) = (word, AlertField.allCases.map { $0.name(language) })
    let before = editor.text.dropLast(word.count)
    if before.reversed().prefix(while: { $0 != " " && $0 != "(" }).contains("@") { return }
    if let field = AlertField.allCases.first(where: { ([$0.rawValue] + $0.koreanNames).contains(word) }) {
      replaceWord(by: names.next(after: field.name(language)))
    } else if word.isEmpty, Self.beginsCondition(after: before) {
      replaceWord(by: names[0])
    } else if !word.isEmpty, let field = AlertField.completion(of: word) {
      let first = names.first { $0.hasPrefix(field) }
      replaceWord(by: field == word ? first ?? field : field)
    }
  }
}

extension AlertField {
  /// Returns the longest common prefix of all fields that start with a word; nil if none does.
  fileprivate static func completion(of word: String) -> String? {
    let found = (allCases.map(\.rawValue) + allCases.flatMap(\.koreanNames)).filter { $0.hasPrefix(word.lowercased()) }
    return found.dropFirst().reduce(found.first) { common, name in
      common.map { String(zip($0, name).prefix { $0 == $1 }.map(\.0)) }
    }
  }
}
