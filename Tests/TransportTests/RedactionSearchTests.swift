import HTTP
import TestSupport
import Testing

/// How `Redaction` searches: everything that a simple search finds, in one pass, and only while there is time.
@Suite struct RedactionSearchTests {
  @Test(arguments: [
    Array("abAB%2561u0\\x&amp;#+ "), Array("%25\\u006+ "), Array("abc"), Array("aé한ßÉſs%\\uACE9;"), Array("\\x78%&"),
    Array("secretkyXYZ019+/=&;%\\"),
  ])
  func findsWhatTheReferenceFinds(_ letters: [Character]) {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<(Effort.isComplete ? 10_000 : 300) {
      let secrets = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        Self.text(of: letters, Int.random(in: 1...9, using: &generator), &generator)
      }
      var text = ""
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let secret = secrets[Int.random(in: 0..<secrets.count, using: &generator)]
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: text += Self.text(of: letters, Int.random(in: 0...6, using: &generator), &generator)
        case 1: text += String(secret.prefix(Int.random(in: 0...secret.count, using: &generator)))
        case 2: text += Self.spelling(of: String(secret.dropFirst()), &generator)
        case 3: text += secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        default: text += Self.spelling(of: secret, &generator)
        }
      }
      #expect(Redaction(secrets)(text) == ReferenceRedaction(secrets)(text), "\(secrets) in \(text)")
    }
  }

  private static func text(of letters: [Character], _ count: Int, _ generator: inout SeededGenerator) -> String {
    String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
  }

  /// Returns the text with each character written in one of many ways.
  private static func spelling(of text: String, _ generator: inout SeededGenerator) -> String {
    text.unicodeScalars.map { character in
      let own = String(character)
      func escaped(_ digits: Int, _ values: [Int], _ mark: String) -> String {
        values.map { value in
          let number = String(value, radix: 16)
          return mark + String(repeating: "0", count: max(0, digits - number.count)) + number
        }.joined()
      }
      return switch Int.random(in: 0..<10, using: &generator) {
      case 0: escaped(2, own.utf8.map(Int.init), "%")
      case 1: escaped(4, own.utf16.map(Int.init), "\\u")
      case 2: escaped(2, own.utf8.map(Int.init), "\\x")
      case 3: "\\" + own
      case 4: "&#\(character.value);"
      case 5: escaped(1, [Int(character.value)], "&#x") + ";"
      case 6: own.uppercased()
      case 7: own == " " ? "+" : own == "&" ? "&amp;" : own
      default: own
      }
    }.joined()
  }

  static let secret = "NpqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j"

  private static func digits(of text: some StringProtocol, behind mark: String) -> String {
    text.utf8.map { mark + String($0, radix: 16) }.joined()
  }

  /// Texts that look like a secret for as long as possible, wherever one begins to read.
  static let nearMatches: [String] =
    ["%55%70", "\\u0055", "\\x55", "&#85;", "&#x55;", "&amp;", "&", "%", "\\", "+", "Np", "N%70", "N\\u0070"]
    + ["4e70", "TnA"]
    + ["", "%", "\\u00", "\\x", "&#x"].map { digits(of: secret.dropLast(), behind: $0) }
    + [secret, String(secret.dropLast())]

  @Test(arguments: nearMatches)
  func workGrowsWithTheLength(_ unit: String) {
    let redaction = Redaction([Self.secret, "another key: Np?"])
    let looks = [4, 16].map { size in
      var looks = 0
      let body = Array(String(repeating: unit, count: (size << 16) / unit.utf8.count).utf8)
      _ = redaction(body) {
        looks += 1
        return false
      }
      return looks
    }
    // A look at the time is due after each 64 KiB, and each 65,536 comparisons.
    #expect(looks[0] < 4 * 4)
    #expect(looks[1] <= looks[0] * 4 + 4)
  }

  /// Nothing is returned of what was not searched.
  @Test(arguments: [
    (1000, 1, true), (1 << 16, 1, true), (1 << 16 + 1, 1, false),
    (1 << 20, 15, false), (1 << 20, 16, true),
  ])
  func stopsWhenTimeIsUp(_ bytes: Int, _ last: Int, _ isSearched: Bool) {
    var looks = 0
    let body = [UInt8](repeating: UInt8(ascii: "-"), count: bytes)
    let shown = Redaction(["hush-hush"])(body) {
      looks += 1
      return looks == last
    }
    #expect(shown == (isSearched ? body : nil))
  }
}
