package import JSONPath
package import Quotes

/// A text with placeholders: `/ticker/{asset|lower}_{payment|lower}`. `{{` stands for a brace.
package struct Template: Sendable {
  package enum Letters: String, Sendable { case lower, upper }

  package enum Placeholder: Sendable {
    /// `asset`, `payment`, `keys` or a name from `set`.
    case name(String)
    case nowMilliseconds
    case nowSeconds
    /// `{date:yyyyMMdd@+09:00}`: the requested day, at an offset in seconds.
    case date(TimeFormat, offsetSeconds: Int)
    /// `{from.ms}`, `{from:yyyyMMdd@+09:00}`: the start of the first requested candle.
    case from(MomentText)
    /// `{to.s}`: the last moment of the last requested candle.
    case to(MomentText)
    /// `{interval}`: the exchange's word, inserted unescaped since it comes from the config.
    case interval
    case secret(String)
  }

  /// The format of a moment.
  package enum MomentText: Sendable {
    case seconds
    case milliseconds
    case format(TimeFormat, offsetSeconds: Int)
  }

  package enum Piece: Sendable {
    case text(String)
    case placeholder(Placeholder, Letters?)
  }

  package let pieces: [Piece]

  package var placeholders: [Placeholder] {
    pieces.compactMap { if case .placeholder(let placeholder, _) = $0 { placeholder } else { nil } }
  }

  /// The names to check against those known in context, each with its UTF-8 offset in the text.
  package let plainNames: [(name: String, offset: Int)]

  /// Whether it uses the pair's name from the table of all pairs.
  package var namesSymbol: Bool { plainNames.contains { $0.name == "symbol" } }

  /// Whether it uses any name of the pair.
  var namesPair: Bool { plainNames.contains { ["symbol", "asset", "payment"].contains($0.name) } }

  /// The names that a path may use.
  package static let pairPlaceholders = ["asset", "payment"]

  /// Creates a template without placeholders.
  init(text: String) {
    pieces = [.text(text)]
    plainNames = []
  }

  package init(_ text: String) throws(SyntaxError) {
    var pieces: [Piece] = []
    var names: [(name: String, offset: Int)] = []
    for stretch in try TemplateStretch.stretches(of: text) {
      switch stretch {
      case .text(let literal): pieces.append(.text(literal))
      case .placeholder(let inside, let offset):
        let (placeholder, letters) = try Self.placeholder(inside, offset: offset)
        if let name = placeholder.checkedName { names.append((name, offset)) }
        pieces.append(.placeholder(placeholder, letters))
      }
    }
    self.pieces = pieces
    plainNames = names
  }

  private static func placeholder(_ text: Substring, offset: Int) throws(SyntaxError) -> (Placeholder, Letters?) {
    for name in ["date", "from", "to"] where text.utf8.starts(with: "\(name):".utf8) {
      let length = name.utf8.count + 1
      let (format, seconds) = try moment(text.dropFirst(length), offset: offset + length)
      switch name {
      case "from": return (.from(.format(format, offsetSeconds: seconds)), nil)
      case "to": return (.to(.format(format, offsetSeconds: seconds)), nil)
      default: return (.date(format, offsetSeconds: seconds), nil)
      }
    }
    let parts = text.utf8.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map { Substring($0) }
    var letters: Letters?
    if parts.count > 1 {
      letters = Letters(rawValue: String(parts[1]))
      guard letters != nil, parts.count == 2 else {
        throw SyntaxError(offset: offset + parts[0].utf8.count + 1, message: "expected 'lower' or 'upper' after '|'")
      }
    }
    let name = String(parts[0])
    switch name {
    case "": throw TemplateStretch.unnamed(at: offset)
    case "now.ms": return (.nowMilliseconds, letters)
    case "now.s": return (.nowSeconds, letters)
    case "from.ms": return (.from(.milliseconds), letters)
    case "from.s": return (.from(.seconds), letters)
    case "to.ms": return (.to(.milliseconds), letters)
    case "to.s": return (.to(.seconds), letters)
    case "interval": return (.interval, letters)
    case _ where name.hasPrefix("secret:"): return (.secret(String(name.dropFirst(7))), letters)
    default: return (.name(name), letters)
    }
  }

  /// Parses a format and the zone offset, in seconds, that it is filled in with.
  static func moment(_ text: Substring, offset: Int) throws(SyntaxError) -> (TimeFormat, offsetSeconds: Int) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard let format = try? TimeFormat(String(parts[0])) else {
      throw SyntaxError(offset: offset, message: "invalid date format '\(parts[0])'")
    }
    guard parts.count > 1 else { return (format, 0) }
    guard parts.count == 2, let seconds = UTCOffset.seconds(parts[1]) else {
      throw SyntaxError(
        offset: offset + 1 + parts[0].utf8.count, message: "expected an offset such as +09:00 after '@'")
    }
    return (format, seconds)
  }

  /// The names of the secrets in the filled-in text.
  package var secretNames: [String] {
    pieces.compactMap {
      if case .placeholder(.secret(let name), _) = $0 { name } else { nil }
    }
  }
}

extension Template.Letters? {
  /// Returns a text in these letters; without any, as it is.
  package func applied(to text: String) -> String {
    switch self {
    case .lower: text.lowercased()
    case .upper: text.uppercased()
    case nil: text
    }
  }
}

extension Template.MomentText {
  /// What follows the name of a placeholder of this form, with `FORMAT` for any format.
  fileprivate var ending: String {
    switch self {
    case .seconds: ".s"
    case .milliseconds: ".ms"
    case .format: ":FORMAT"
    }
  }
}

extension Template.Placeholder {
  /// The name to check against those known in context; nil for placeholders that every request can fill.
  fileprivate var checkedName: String? {
    switch self {
    case .name(let name): name
    case .from(let text): "from\(text.ending)"
    case .to(let text): "to\(text.ending)"
    case .interval: "interval"
    case .nowMilliseconds, .nowSeconds, .date, .secret: nil
    }
  }
}

/// Offsets from UTC as written in configs and templates.
package enum UTCOffset {
  /// Returns the seconds east of UTC of `+09:00`, `-05:30`, `Z` or `UTC`; nil for anything else or beyond 14 hours.
  package static func seconds(_ text: some StringProtocol) -> Int? {
    if text == "Z" || text == "UTC" { return 0 }
    let bytes = Array(text.utf8)
    // `Int` would also read a sign.
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), [1, 2, 4, 5].allSatisfy({ 0x30...0x39 ~= bytes[$0] }),
      let hours = Int(String(decoding: bytes[1...2], as: UTF8.self)),
      let minutes = Int(String(decoding: bytes[4...5], as: UTF8.self)), hours <= 14, minutes < 60
    else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "+"): return hours * 3600 + minutes * 60
    case UInt8(ascii: "-"): return -(hours * 3600 + minutes * 60)
    default: return nil
    }
  }
}
