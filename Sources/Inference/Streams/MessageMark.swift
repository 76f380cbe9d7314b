import Config
import JSON
import JSONPath
import Quotes

/// A text or code shared by all messages of a kind, whatever their pair and interval.
struct MessageMark {
  private let path: String
  private let name: String
  /// The text; nil for the parts that vary between messages.
  private let pieces: [String?]
  /// Alternative texts, one per message; empty if `pieces` applies.
  private var choices: [String] = []
  /// Whether it is a number, such as the code of a kind.
  private var isNumber = false

  /// Names of members that identify the kind of a message, the most common first.
  static let names = [
    "e", "type", "channel", "topic", "event", "ch", "stream", "table", "method", "subject", "dataType", "action", "arg",
    "feed", "subscription", "id", "kind", "t", "c", "T",
  ]

  /// Those among them that say as well what each row of a list is about, such as the type of an order.
  private static let namesOfRows: Set<String> = ["type", "id", "kind", "t", "c", "action", "arg"]

  /// Names of members that may have the code of a kind.
  private static let codeNames: Set<String> = [
    "e", "type", "channel", "topic", "event", "ch", "stream", "table", "method", "dataType", "feed", "kind",
  ]
  /// Parts of words for kinds of messages.
  private static let kindWords = [
    "ticker", "trade", "deal", "book", "depth", "kline", "candle", "ohlc", "quote", "instrument", "summary", "stats",
  ]

  /// - Parameters:
  ///   - hasInterval: whether the text may contain an interval.
  ///   - isInRow: whether it is beside the numbers of a pair, where a text may be about the pair.
  ///   - isInList: whether there may be several such rows, so that what the first says may be about it alone.
  ///   - hasSeveralPairs: whether the messages are about several pairs; otherwise, a number may be the pair's.
  ///   - isCurrency: returns whether a text is a currency of the table.
  ///   - pair: returns where a text contains a pair.
  init?(
    _ column: ScalarColumn, _ taken: Set<Int>, hasInterval: Bool, isInRow: Bool, isInList: Bool,
    hasSeveralPairs: Bool, isCurrency: (String) -> Bool, pair: (String) -> Range<String.Index>?
  ) {
    let nodes = taken.map { column.nodes[$0] }
    let texts = Set(nodes.compactMap { $0?.scalarText })
    (path, name) = (column.steps.pathText, column.steps.names.last ?? "")
    if hasSeveralPairs, nodes.allSatisfy({ $0?.kind == .number }) {
      guard let code = Self.code(among: texts, at: column.steps, isInRow: isInRow) else { return nil }
      (pieces, isNumber) = ([code], true)
      return
    }
    guard nodes.allSatisfy({ $0?.kind == .string }), texts.allSatisfy({ $0.utf8.count <= 100 }) else { return nil }
    let isListed = Self.names.contains(name)
    // A currency is what the message is about, whatever its place is called.
    guard !texts.contains(where: { isCurrency($0) || !isListed && CurrencyCode.isKnown($0.uppercased()) }),
      !isInRow || isListed && !(isInList && Self.namesOfRows.contains(name)) || texts.allSatisfy(Self.namesKind)
    else { return nil }
    let all = Set(texts.map { Self.pieces(of: $0, pair($0), hasInterval: hasInterval) })
    if (2...3).contains(all.count), isListed, all.allSatisfy({ $0.count == 1 && $0 != [nil] }) {
      choices = texts.sorted()
      pieces = [choices[0]]
    } else {
      pieces = all.count > 1 ? Self.lead(of: all) : all.first ?? []
    }
    let known = pieces.compactMap(\.self).joined()
    guard known.count(where: \.isLetter) >= (pieces.count == 1 ? 1 : 2) else { return nil }
    // Under any other name, a text with digits may be an order number.
    guard isListed || isOfKind || !known.contains(where: \.isNumber) else { return nil }
  }

  /// Returns the code of a kind; nil if it may be another number.
  private static func code(among texts: Set<String>, at steps: [SingularStep], isInRow: Bool) -> String? {
    let isNamed = codeNames.contains(steps.names.last ?? "") && (!isInRow || steps.count == 1)
    guard texts.count == 1, let code = texts.first, steps == [.index(0)] || isNamed,
      Int(code).map({ 0..<1_000_000 ~= $0 }) == true
    else { return nil }
    return code
  }

  private static func namesKind(_ text: String) -> Bool { kindWords.contains(where: text.lowercased().contains) }

  /// Returns the common prefix of texts in pieces, up to the last punctuation, and a gap.
  private static func lead(of all: Set<[String?]>) -> [String?] {
    let leads = all.map { ($0.first ?? nil) ?? "" }
    let common = leads.dropFirst().reduce(leads[0]) { $0.commonPrefix(with: $1) }
    let end = common.lastIndex { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return [end.map { String(common[...$0]) } ?? "", nil]
  }

  /// Splits a text into pieces, with those of a pair and an interval left open.
  private static func pieces(of text: String, _ pair: Range<String.Index>?, hasInterval: Bool) -> [String?] {
    var pieces: [String?] = [text]
    if let pair { pieces = [String(text[..<pair.lowerBound]), nil, String(text[pair.upperBound...])] }
    if hasInterval { pieces = pieces.flatMap { $0.map(withoutInterval) ?? [nil] } }
    // Without letters, a piece next to an open one belongs to it.
    let isOpen = pieces.contains(nil)
    let telling = pieces.filter { !isOpen || $0.map { $0.contains(where: \.isLetter) } ?? true }
    return telling.reduce(into: []) { merged, piece in
      if piece != nil || merged.last != .some(nil) { merged.append(piece) }
    }
  }

  /// Returns `kline.60.` with a gap for the number, `candle1m` with one after the word.
  static func withoutInterval(_ text: String) -> [String?] {
    var pieces: [String?] = []
    var rest = text[...]
    var literal = ""
    while let start = rest.firstIndex(where: { $0.isLetter || $0.isNumber }) {
      literal += rest[..<start]
      let word = rest[start...].prefix { $0.isLetter || $0.isNumber }
      rest = rest[word.endIndex...]
      let lead = word.prefix { $0.isLetter }
      let isInterval = RecordWords.intervals.contains(word.lowercased())
      guard isInterval || lead.endIndex < word.endIndex else {
        literal += word
        continue
      }
      if !isInterval, lead.count >= 3, !RecordWords.intervals.contains(lead.lowercased()) { literal += lead }
      pieces += [literal, nil]
      literal = ""
    }
    return pieces + [literal + rest]
  }

  func holds(_ text: String?) -> Bool {
    guard var rest = text?[...] else { return false }
    if !choices.isEmpty { return choices.contains(String(rest)) }
    if pieces.count == 1 { return text == pieces[0] }
    for (index, piece) in pieces.enumerated() {
      guard let piece else { continue }
      if index == 0 {
        guard rest.hasPrefix(piece) else { return false }
        rest = rest.dropFirst(piece.count)
      } else if index == pieces.count - 1 {
        return rest.hasSuffix(piece)
      } else {
        guard let found = rest.firstRange(of: piece) else { return false }
        rest = rest[found.upperBound...]
      }
    }
    return true
  }

  /// Whether it says how a message relates to the one before, which is no kind.
  var isPhase: Bool { (choices.isEmpty ? pieces : choices).allSatisfy { Self.phases.contains($0?.lowercased() ?? "") } }

  private static let phases: Set<String> = [
    "snapshot", "partial", "full", "init", "update", "delta", "insert", "change", "diff",
  ]

  /// Whether its text names a kind, wherever it is.
  private var isOfKind: Bool { pieces.contains { $0.map(Self.namesKind) ?? false } }

  /// Lower is more likely: a listed name, a word for a kind, a code, which may be that of a connection's channel, and any
  /// other text.
  var rank: Int {
    let last = Self.names.count
    if isNumber { return last + 1 }
    return (Self.names.firstIndex(of: name) ?? last + (isOfKind ? 0 : 2)) + (choices.isEmpty ? 0 : last + 2)
  }

  var value: ConfigValue {
    if !choices.isEmpty {
      return .object([("path", .text(path)), ("in", .list(choices.map { .text($0) }))])
    }
    let (word, text): (String, String) =
      switch pieces.map({ $0 ?? "" }) {
      case let one where one.count == 1: ("equals", one[0])
      case let two where two.count == 2 && pieces[1] == nil: ("prefix", two[0])
      case let two where two.count == 2: ("suffix", two[1])
      default: ("match", Self.pattern(of: pieces))
      }
    return .object([("path", .text(path)), (word, isNumber ? .number(text) : .text(text))])
  }

  /// Returns an I-Regexp for a text in pieces (RFC 9485).
  ///
  /// - Parameter hole: the pattern for open pieces.
  static func pattern(of pieces: [String?], hole: String = ".+") -> String {
    pieces.map { $0.map(StreamInference.escaped) ?? hole }.joined()
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
