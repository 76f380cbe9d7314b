import JSON
import Quotes

@testable import Config

/// Classifies each character of a config: part of the language, or data that only an exchange can judge.
struct ConfigMap {
  enum Part: String, CaseIterable {
    /// Brackets, commas, colons, quotes.
    case structure
    case key
    /// Words of the language: enumerated values, durations, placeholders, references by name, true and false.
    case keyword
    case path
    case regex
    /// Addresses, member names, symbols, numbers.
    case data
  }

  /// The part of each byte; nil for whitespace and prose.
  private(set) var parts: [Part?]
  /// The byte ranges of the language's keys, without quotes.
  private(set) var keys: [Range<Int>] = []
  private let bytes: [UInt8]

  init(_ document: JSONDocument) {
    bytes = document.bytes
    parts = Array(repeating: nil, count: bytes.count)
    read(document.root, as: .object(.config))
  }

  private mutating func mark(_ range: Range<Int>, _ part: Part?) {
    for index in range { parts[index] = part }
  }

  private mutating func markBrackets(of node: JSONNode) {
    let range = node.byteRange
    var end = range.lowerBound
    let children =
      node.kind == .object ? node.members.map { [$0.key, $0.value] }.flatMap(\.self) : Array(node.elements)
    for child in children + [nil] {
      let next = child?.byteRange.lowerBound ?? range.upperBound
      for index in end..<next where bytes[index] > 0x20 { parts[index] = .structure }
      end = child?.byteRange.upperBound ?? next
    }
  }

  private mutating func markText(_ node: JSONNode, _ part: Part?) {
    let range = node.byteRange
    mark(range, part)
    mark(range.lowerBound..<(range.lowerBound + 1), .structure)
    mark((range.upperBound - 1)..<range.upperBound, .structure)
  }

  private mutating func read(_ node: JSONNode, as shape: ValueShape, named name: String = "") {
    switch node.kind {
    case .object: readObject(node, as: shape)
    case .array:
      markBrackets(of: node)
      let element = shape.element ?? .anything
      for child in node.elements { read(child, as: element, named: name) }
    case .string: readText(node, as: shape, named: name)
    case .number: mark(node.byteRange, .data)
    case .true, .false, .null: mark(node.byteRange, .keyword)
    }
  }

  private mutating func readObject(_ node: JSONNode, as shape: ValueShape) {
    markBrackets(of: node)
    let object = shape.objectShape
    for member in node.members {
      if let key = object?.keys.first(where: { $0.name == member.name }) {
        markText(member.key, .key)
        keys.append((member.key.byteRange.lowerBound + 1)..<(member.key.byteRange.upperBound - 1))
        read(member.value, as: key.value, named: member.name)
      } else {
        markText(member.key, .data)
        read(member.value, as: shape.member ?? .anything, named: "")
      }
    }
  }

  private mutating func readText(_ node: JSONNode, as shape: ValueShape, named name: String) {
    let text = node.string ?? ""
    switch name {
    case "note", "docs", "names", "badge", "reason", "name": return markText(node, nil)
    case "match" where !text.hasPrefix("$"), "capture": return markGrammar(node, .regex)
    case "from", "use", "of", "order", "is", "at": return markText(node, .keyword)
    case "split" where text == "payment", "symbol" where text == "request": return markText(node, .keyword)
    case "per" where text.first?.isNumber == true, "every", "ttl", "staleAfter", "timeout", "refresh":
      return markGrammar(node, .keyword, isData: { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
    default: break
    }
    if case .text(pattern: ValueShape.pathPattern) = shape { return markGrammar(node, .path) }
    if text.hasPrefix("$") { return markGrammar(node, .path) }
    if shape.isChoice(text) { return markText(node, .keyword) }
    markText(node, .data)
    // The text in braces belongs to the language.
    var isInside = false
    for index in node.byteRange {
      if bytes[index] == UInt8(ascii: "{") { isInside = true }
      if isInside { parts[index] = .keyword }
      if bytes[index] == UInt8(ascii: "}") { isInside = false }
    }
  }

  private mutating func markGrammar(_ node: JSONNode, _ part: Part, isData: (UInt8) -> Bool = isWord) {
    markText(node, part)
    for index in node.byteRange.dropFirst().dropLast() where isData(bytes[index]) { parts[index] = .data }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    let character = Character(Unicode.Scalar(byte))
    return byte >= 0x80 || character.isLetter || character.isNumber || character == "_"
  }
}

extension ValueShape {
  fileprivate var objectShape: ObjectShape? {
    alternatives.lazy.compactMap { if case .members(let shape) = $0 { shape() } else { nil } }.first
  }

  fileprivate var element: ValueShape? {
    alternatives.lazy.compactMap { if case .list(let element, _) = $0 { element } else { nil } }.first
  }

  fileprivate var member: ValueShape? {
    alternatives.lazy.compactMap { if case .map(let member, _) = $0 { member } else { nil } }.first
  }

  fileprivate func isChoice(_ word: String) -> Bool {
    alternatives.contains { if case .choice(let words) = $0 { words.contains(word) } else { false } }
  }
}
