import Config
import JSON

/// What tells the messages with a whole book from those that change it: a value, or a member that only they have.
struct WholeBookMark {
  let path: String
  let condition: ConfigValue
  /// The values in messages of the channel, that of whole books first; empty if only these have the member.
  let texts: [String]
  let isText: Bool
  /// By row.
  let isWhole: [Int: Bool]
  /// Whether a word says so.
  let isNamed: Bool

  private static let words: Set<String> = ["snapshot", "partial", "full", "subscribed", "init", "whole", "all"]
  private static let changeWords = ["update", "delta", "change", "diff", "increment"]

  /// In how many changes a value that nothing names must be another one, if a single message has it: by chance, it is
  /// so in one or two.
  private static let leastChanges = 3

  /// Returns whether a name is one for whole books: `snapshot`, `is_full`.
  static func isName(_ name: String) -> Bool {
    let name = Spelling.folded(name)
    return words.contains(name) || name.hasPrefix("is") && words.contains(String(name.dropFirst(2)))
  }

  /// Returns whether a name is one for changes of a book: `update`, `is_delta`.
  static func isNameOfChanges(_ name: String) -> Bool {
    let name = Spelling.folded(name)
    return changeWords.contains { [$0, $0 + "s", "is" + $0].contains(name) }
  }

  private static func isWord(_ text: String) -> Bool { words.contains { text.lowercased().contains($0) } }

  /// The messages of a book's rows, as far as marks are concerned.
  struct Messages {
    let rows: StreamRowsOfPairs
    /// The rows of each pair, in order.
    let byPair: [[Int]]
    /// The rows that cannot be whole books.
    let changes: Set<Int>

    var all: [Int] { byPair.flatMap(\.self) }

    /// Returns whether each pair begins with a whole book, and no change is one.
    func allow(_ isWhole: [Int: Bool]) -> Bool {
      byPair.allSatisfy { isWhole[$0[0]] == true } && all.allSatisfy { isWhole[$0] != true || !changes.contains($0) }
    }

    func nodes(of column: ScalarColumn) -> [JSONNode?] { all.map { column.nodes[rows.table.messages[$0]] } }

    /// Returns in how many messages the rows are, or are not, whole books.
    func count(of isWhole: [Int: Bool]) -> (whole: Int, changes: Int) {
      func count(_ wanted: Bool) -> Int {
        Set(all.filter { isWhole[$0] == wanted }.map { rows.table.messages[$0] }).count
      }
      return (count(true), count(false))
    }
  }

  /// Returns what some of the messages have, starting with each pair's first; nil if nothing tells them apart.
  static func distinguishing(_ messages: Messages) -> Self? {
    if let mark = ofSiblings(messages) { return mark }
    let marks =
      messages.rows.columns.compactMap { ofValue($0, messages) }
      + messages.rows.columns.compactMap { ofPresence($0, messages) }
    return marks.first(where: \.isNamed) ?? marks.first
  }

  /// Returns the word for whole books that all messages have; nil if there is none.
  static func common(to messages: Messages) -> Self? {
    messages.rows.columns.lazy.compactMap { column -> Self? in
      let nodes = messages.nodes(of: column)
      guard nodes.allSatisfy({ $0?.kind == .string }), let text = nodes.first.flatMap({ $0?.scalarText }),
        isWord(text), nodes.allSatisfy({ $0?.scalarText == text })
      else { return nil }
      let isWhole = Dictionary(uniqueKeysWithValues: messages.all.map { ($0, true) })
      guard messages.allow(isWhole) else { return nil }
      return Self(column.steps.pathText, [text], isText: true, isWhole, isNamed: true)
    }.first
  }

  private init(
    _ path: String, _ texts: [String], isText: Bool, _ isWhole: [Int: Bool], isNamed: Bool
  ) {
    (self.path, self.texts, self.isText, self.isWhole, self.isNamed) = (path, texts, isText, isWhole, isNamed)
    if let text = texts.first {
      condition = .object([("path", .text(path)), ("equals", isText ? .text(text) : ConfigValue(word: text))])
    } else {
      condition = .object([("path", .text(path)), ("is", .text("present"))])
    }
  }

  /// A text, or true or false, that is another one in changes.
  private static func ofValue(_ column: ScalarColumn, _ messages: Messages) -> Self? {
    let nodes = messages.nodes(of: column)
    let isText = nodes.allSatisfy { $0?.kind == .string }
    guard isText || nodes.allSatisfy({ $0?.kind == .true || $0?.kind == .false }),
      let text = nodes.first.flatMap({ $0?.scalarText })
    else { return nil }
    let texts = Set(nodes.compactMap { $0?.scalarText })
    guard (2...3).contains(texts.count) else { return nil }
    let isWhole = Dictionary(uniqueKeysWithValues: zip(messages.all, nodes.map { $0?.scalarText == text }))
    guard messages.allow(isWhole) else { return nil }
    let others = texts.subtracting([text])
    let isWord = isWord(text)
    if !isWord {
      // A time or a checksum is another one in each message.
      guard !isText || !texts.contains(where: isNumberOrTime) else { return nil }
      let count = messages.count(of: isWhole)
      let isOfKind = !isText && column.steps.names.last.map { isName($0) || isNameOfChanges($0) } == true
      guard isOfKind || count.whole > 1 || texts.count == 2 && count.changes >= leastChanges else { return nil }
    }
    let isNamed = isWord && others.allSatisfy { other in changeWords.contains { other.lowercased().contains($0) } }
    return Self(column.steps.pathText, [text] + others.sorted(), isText: isText, isWhole, isNamed: isNamed)
  }

  private static func isNumberOrTime(_ text: String) -> Bool {
    SampleColumn.number(text) != nil || TimeRole.form(of: [text]) != nil
  }

  /// A member that changes do not have.
  private static func ofPresence(_ column: ScalarColumn, _ messages: Messages) -> Self? {
    let place = messages.rows.table.place
    // What is at an index depends on how many there are, and what is named after a pair is of this one.
    guard !place.isNamed || !place.holds(column.steps),
      column.steps.dropFirst().allSatisfy({ if case .member = $0 { true } else { false } }),
      let name = column.steps.names.last
    else { return nil }
    let isThere = messages.nodes(of: column).map { $0.map { !$0.isNull } ?? false }
    let isWhole = Dictionary(uniqueKeysWithValues: zip(messages.all, isThere))
    let count = messages.count(of: isWhole)
    guard count.changes > 0, messages.allow(isWhole) else { return nil }
    guard isName(name) || count.whole > 1 && count.changes >= leastChanges else { return nil }
    return Self(column.steps.pathText, [], isText: false, isWhole, isNamed: isName(name))
  }

  /// A member that leads to the rows, where changes have another one: `snapshot` and `update`.
  private static func ofSiblings(_ messages: Messages) -> Self? {
    let table = messages.rows.table
    guard let name = table.place.siblings.first(where: isName) else { return nil }
    let isWhole = Dictionary(uniqueKeysWithValues: messages.all.map { ($0, table.siblings[$0] == name) })
    guard messages.count(of: isWhole).changes > 0, messages.allow(isWhole) else { return nil }
    let path = (table.place.steps + [SingularStep.member(name)]).pathText
    return Self(path, [], isText: false, isWhole, isNamed: true)
  }
}
