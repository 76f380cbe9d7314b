import Config
import JSON

/// What was sent on a recorded connection about its pairs, as the config says it of any pair.
///
///     {"params": ["ticker@btc_usdt", "ticker@eth_usdt"], "id": "m2"}
///     becomes  {"params": ["ticker@{symbol}"], "id": "m{id}"}
struct RecordedSubscription {
  /// The templates of all symbols, by what may have been sent instead.
  private let templates: [String: String]
  /// The lengths of these texts, the longest first.
  private let lengths: [Int]

  /// The shortest symbol that is looked for: a shorter one may be any word.
  private static let leastLength = 5

  /// Names of members with the number of their message.
  private static let numberNames: Set = [
    "id", "reqid", "requestid", "msgid", "messageid", "rid", "cid", "seq", "nonce", "ticket",
  ]

  /// - Parameter symbols: as the table spells the pairs.
  init(_ symbols: some Sequence<String>) {
    let known = Set(symbols).filter { $0.count >= Self.leastLength }.sorted()
    var templates: [String: String] = [:]
    // The table's own spelling of one pair is never taken for another one's.
    for symbol in known { templates[symbol] = "{symbol}" }
    for symbol in known {
      for (text, template) in [
        (symbol.lowercased(), "{symbol|lower}"), (symbol.uppercased(), "{symbol|upper}"),
      ] where templates[text] == nil {
        templates[text] = template
      }
    }
    self.templates = templates
    lengths = Set(templates.keys.map(\.count)).sorted(by: >)
  }

  /// Returns the first message about pairs, with templates in their place; nil if there is none, or if a text of it
  /// names several pairs, which no template does.
  ///
  /// - Parameter sent: all messages of the connection.
  func template(of sent: [String]) -> ConfigValue? {
    for (index, text) in sent.enumerated() {
      // The address counts as 1.
      let number = "\(index + 2)"
      let document = try? JSONDocument(parsing: Array(text.utf8))
      let value = document.map { ConfigValue($0.root) } ?? .text(text)
      for isWord in [true, false] {
        let found = generalized(value, number: number, isWord: isWord)
        let names = found.texts.map { $0.ranges(of: "{symbol").count }
        guard let most = names.max(), most > 0 else { continue }
        return most == 1 ? found : nil
      }
    }
    return nil
  }

  /// - Parameters:
  ///   - name: that of the member whose value it is.
  ///   - number: that of the message.
  ///   - isWord: whether letters and digits beside a symbol make it another word.
  private func generalized(
    _ value: ConfigValue, named name: String? = nil, number: String, isWord: Bool
  ) -> ConfigValue {
    switch value {
    case .object(let members):
      return .object(
        members.map { ($0.name, generalized($0.value, named: $0.name, number: number, isWord: isWord)) })
    case .list(let values):
      let all = values.map { generalized($0, number: number, isWord: isWord) }
      // An element that names the pair is repeated for each one.
      var known: Set<String> = []
      return .list(
        all.filter { element in
          let text = element.text()
          return !text.contains("{symbol") || known.insert(text).inserted
        })
    case .number(let text) where Self.isNumber(name) && text == number: return .text("{id}")
    case .null, .bool, .number, .raw: return value
    case .text(let text):
      if Self.isNumber(name), text.hasSuffix(number) {
        let lead = text.dropLast(number.count)
        // Alone, the template would be sent as a number.
        if (1...3).contains(lead.count), lead.allSatisfy({ $0.isLetter || $0 == "-" || $0 == "_" }) {
          return .text("\(lead){id}")
        }
      }
      return .text(generalized(text, isWord: isWord))
    }
  }

  private static func isNumber(_ name: String?) -> Bool {
    name.map { numberNames.contains(Spelling.folded($0)) } ?? false
  }

  /// Returns a text with templates in place of the symbols in it.
  private func generalized(_ text: String, isWord: Bool) -> String {
    let characters = Array(text)
    func isPartOfWord(_ place: Int) -> Bool {
      characters.indices.contains(place) && (characters[place].isLetter || characters[place].isNumber)
    }
    var result = ""
    var place = 0
    while place < characters.count {
      let start = place
      let ends = isWord && isPartOfWord(start - 1) ? [] : lengths.map { start + $0 }
      let found = ends.lazy.compactMap { end -> (end: Int, template: String)? in
        guard end <= characters.count, !isWord || !isPartOfWord(end),
          let template = templates[String(characters[start..<end])]
        else { return nil }
        return (end, template)
      }.first
      result += found?.template ?? String(characters[start])
      place = found?.end ?? start + 1
    }
    return result
  }
}

extension ConfigValue {
  /// All texts within.
  fileprivate var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .null, .bool, .number, .raw: []
    case .list(let values): values.flatMap(\.texts)
    case .object(let members): members.flatMap(\.value.texts)
    }
  }
}
