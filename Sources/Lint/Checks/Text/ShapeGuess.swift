import Config
import JSON

/// Finds a bracket that is lost or too many by what the language allows: a key that cannot stand where it seems to stand
/// belongs to an object that was closed too early, or not at all. So a text of a single line tells the place, too.
enum ShapeGuess {
  /// A text has more strangers behind a mistake than are worth a try.
  private static let mostPlaces = 6

  /// Texts that can be read as a whole, each with the mistake that was put right.
  static func guesses(in text: SourceText, _ error: JSONSyntaxError) -> [BracketGuess.Guess] {
    guard let bytes = readablePart(of: text, before: min(error.offset, text.count)),
      let file = try? ConfigFile(name: "", bytes: bytes),
      let configuration = try? Configuration(file, builtin: { () throws(ConfigSyntaxError) in file })
    else { return [] }
    let strangers = configuration.allDiagnostics().filter { $0.code == .unknownKey || $0.code == .wrongType }
    let places = Set(strangers.compactMap(\.place?.range.lowerBound)).sorted()
    return places.prefix(mostPlaces).flatMap { guesses(at: $0, in: text) } + endTooEarly(in: text, error)
  }

  /// A bracket that ends the whole text, with more members behind it.
  private static func endTooEarly(in text: SourceText, _ error: JSONSyntaxError) -> [BracketGuess.Guess] {
    guard error.problem == .contentAfterValue, let end = text.endOfToken(before: error.offset) else { return [] }
    let patched = text.bytes[..<(end - 1)] + text.bytes[end...]
    guard (try? JSONDocument(parsing: Array(patched))) != nil else { return [] }
    let mistake = BrokenText.Mistake(
      range: end - 1..<end, message: "a '\(Character(Unicode.Scalar(text.bytes[end - 1])))' too many",
      help: "the text goes on behind it")
    return [(mistake, patched)]
  }

  /// The text up to where reading stopped, with the brackets closed that are open there.
  private static func readablePart(of text: SourceText, before limit: Int) -> [UInt8]? {
    guard var end = text.endOfToken(before: limit) else { return nil }
    if text.bytes[end - 1] == UInt8(ascii: ",") { end -= 1 }
    var open: [UInt8] = []
    BracketGuess.follow(text.bytes[..<end]) { _, byte in
      switch byte {
      case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
      case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
      default: _ = open.popLast()
      }
    }
    return text.bytes[..<end] + open.reversed()
  }

  private static func guesses(at place: Int, in text: SourceText) -> [BracketGuess.Guess] {
    guard let key = startOfKey(at: place, in: text), let comma = text.endOfToken(before: key).map({ $0 - 1 }),
      text.bytes[comma] == UInt8(ascii: ","), let end = text.endOfToken(before: comma)
    else { return [] }
    let name = text.string(key..<text.endOfName(at: key))
    var result: [BracketGuess.Guess] = []
    let last = text.bytes[end - 1]
    if last == UInt8(ascii: "}") || last == UInt8(ascii: "]") {
      let mistake = BrokenText.Mistake(
        range: end - 1..<end, message: "a '\(Character(Unicode.Scalar(last)))' too many",
        help: "\(name) cannot stand outside of what it closes")
      result.append((mistake, text.bytes[..<(end - 1)] + text.bytes[end...]))
    }
    for closers in ["}", "]", "}}", "]}"] {
      let mistake = BrokenText.Mistake(
        range: end..<end, message: "expected '\(closers)' before \(name)", help: "it cannot stand in what is open there"
      )
      result.append((mistake, text.bytes[..<end] + Array(closers.utf8) + text.bytes[end...]))
    }
    return result.filter { (try? JSONDocument(parsing: Array($0.text))) != nil }
  }

  /// Where the member begins that has a name or value at a place; of the first one of an object, where the object's own
  /// begins.
  private static func startOfKey(at place: Int, in text: SourceText) -> Int? {
    var key = place
    while let before = text.endOfToken(before: key) {
      switch text.bytes[before - 1] {
      case UInt8(ascii: ","): return text[key] == UInt8(ascii: "\"") ? key : nil
      case UInt8(ascii: "{"): key = before - 1
      case UInt8(ascii: ":"):
        guard let end = text.endOfToken(before: before - 1), text.bytes[end - 1] == UInt8(ascii: "\""),
          let start = text.bytes[..<(end - 1)].lastIndex(of: UInt8(ascii: "\""))
        else { return nil }
        key = start
      default: return nil
      }
    }
    return nil
  }
}
