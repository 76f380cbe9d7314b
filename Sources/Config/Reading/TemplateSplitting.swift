import JSONPath

/// A segment of a string with placeholders: the text between them, or the content of one.
enum TemplateStretch {
  /// With doubled braces unescaped.
  case text(String)
  /// - Parameter offset: the offset of the first character after the brace, in UTF-8 of the whole text.
  case placeholder(Substring, offset: Int)

  /// Splits a text at its placeholders. `{{` stands for a brace.
  static func stretches(of text: String) throws(SyntaxError) -> [TemplateStretch] {
    let openBrace = UInt8(ascii: "{")
    guard text.utf8.contains(openBrace) else { return text.isEmpty ? [] : [.text(text)] }
    var stretches: [TemplateStretch] = []
    var literal = ""
    var rest = Substring(text)
    func offset(of index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }

    while let brace = rest.utf8.firstIndex(of: openBrace) {
      literal.append(contentsOf: rest[..<brace])
      let inside = rest.utf8.index(after: brace)
      if rest.utf8[inside...].first == openBrace {
        literal += "{"
        rest = rest[rest.utf8.index(after: inside)...]
        continue
      }
      guard let end = rest.utf8[inside...].firstIndex(of: UInt8(ascii: "}")) else {
        throw SyntaxError(offset: offset(of: brace), message: "unclosed '{'; write {{ for a brace")
      }
      if !literal.isEmpty { stretches.append(.text(literal)) }
      literal = ""
      stretches.append(.placeholder(rest[inside..<end], offset: offset(of: inside)))
      rest = rest[rest.utf8.index(after: end)...]
    }
    literal.append(contentsOf: rest)
    return literal.isEmpty ? stretches : stretches + [.text(literal)]
  }

  static func unnamed(at offset: Int) -> SyntaxError {
    SyntaxError(offset: offset, message: "a placeholder without a name; write {{ for a brace")
  }
}
