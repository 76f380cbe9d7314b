package import JSONPath
package import Quotes

/// A text with placeholders: `/ticker/{asset|lower}_{payment|lower}`. `{{` stands for a brace.
package struct Template: Sendable {
  package enum Letters: String, Sendable { case lower, upper }

  /// A part of the requested pair's name, by its placeholder. The symbol is the whole name, as in the table of all pairs.
  package enum PairPart: String, Sendable, CaseIterable {
    case asset, payment, symbol

    package static let names = allCases.map(\.rawValue)
  }

  package enum Placeholder: Sendable, Hashable {
    case pair(PairPart)
    /// `{keys}`: those of a batch.
    case keys
    /// `{count}`: how many rows are wanted.
    case count
    /// A name from `set`, or one that only its context knows.
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
  package enum MomentText: Sendable, Hashable {
    case seconds
    case milliseconds
    case format(TimeFormat, offsetSeconds: Int)
  }

  package enum Piece: Sendable {
    case text(String)
    case placeholder(Placeholder, Letters?)
  }

  package let pieces: [Piece]

  /// Whether it is one placeholder with `|number`: in JSON its value is written as a number.
  package let isNumber: Bool

  package var placeholders: [Placeholder] {
    pieces.compactMap { if case .placeholder(let placeholder, _) = $0 { placeholder } else { nil } }
  }

  /// The names to check against those known in context, each with its UTF-8 offset in the text.
  package let plainNames: [(name: String, offset: Int)]

  /// Whether it uses the pair's name from the table of all pairs.
  package var namesSymbol: Bool { placeholders.contains(.pair(.symbol)) }

  /// Whether it uses any name of the pair.
  var namesPair: Bool { placeholders.contains(where: \.namesPair) }

  /// The names that a path may use.
  package static let pairPlaceholders = [PairPart.asset, .payment].map(\.rawValue)

  /// Creates a template without placeholders.
  init(text: String) {
    pieces = [.text(text)]
    isNumber = false
    plainNames = []
  }

  package init(_ text: String) throws(SyntaxError) {
    var pieces: [Piece] = []
    var names: [(name: String, offset: Int)] = []
    var isNumber = false
    let stretches = try TemplateStretch.stretches(of: text)
    for stretch in stretches {
      switch stretch {
      case .text(let literal): pieces.append(.text(literal))
      case .placeholder(var inside, let offset):
        if inside.hasSuffix(Self.numberFilter) {
          inside = inside.dropLast(Self.numberFilter.count)
          isNumber = true
          if stretches.count > 1 {
            let message = "'number' is only for a placeholder that is the whole string"
            throw SyntaxError(offset: offset + inside.utf8.count + 1, message: message)
          }
        }
        let (placeholder, letters) = try Self.placeholder(inside, offset: offset)
        if let name = placeholder.checkedName { names.append((name, offset)) }
        pieces.append(.placeholder(placeholder, letters))
      }
    }
    self.pieces = pieces
    self.isNumber = isNumber
    plainNames = names
  }

  private static let numberFilter = "|number"

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
        throw SyntaxError(
          offset: offset + parts[0].utf8.count + 1, message: "expected 'lower', 'upper' or 'number' after '|'")
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
    case "keys": return (.keys, letters)
    case "count": return (.count, letters)
    case _ where name.hasPrefix("secret:"): return (.secret(String(name.dropFirst(7))), letters)
    default: return (PairPart(rawValue: name).map { .pair($0) } ?? .name(name), letters)
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

  /// The first name in it, also of a secret, for messages: a value may be secret.
  package var anyName: String { plainNames.first?.name ?? secretNames.first ?? "" }

  /// The names of the secrets in the filled-in text.
  package var secretNames: [String] {
    pieces.compactMap {
      if case .placeholder(.secret(let name), _) = $0 { name } else { nil }
    }
  }
}

extension Template {
  /// The placeholder that is all of the text; nil if there is more, or less.
  package var onlyPlaceholder: Placeholder? {
    guard pieces.count == 1, case .placeholder(let placeholder, _) = pieces[0] else { return nil }
    return placeholder
  }

  /// Returns the text filled in. What a value is escaped to does not change with its letters.
  ///
  /// - Parameters:
  ///   - literal: escapes the text between the placeholders.
  ///   - escape: escapes the value of a placeholder; `before` is the text so far.
  ///   - value: returns the value of a placeholder.
  package func filled<Failure>(
    literal: (String) -> String = { $0 },
    escape: (_ value: String, _ placeholder: Placeholder, _ before: String) -> String = { value, _, _ in value },
    value: (Placeholder) throws(Failure) -> String
  ) throws(Failure) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let plain): text += literal(plain)
      case .placeholder(let placeholder, let letters):
        text += escape(letters.applied(to: try value(placeholder)), placeholder, text)
      }
    }
    return text
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
  /// Returns a moment in this form.
  package func text(of moment: Instant) -> String {
    switch self {
    case .seconds: String(moment.nanoseconds / Instant.second)
    case .milliseconds: String(moment.nanoseconds / 1_000_000)
    case .format(let format, let offset): format.format(moment, offsetSeconds: offset)
    }
  }

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
  /// Whether it is a name of the pair.
  package var namesPair: Bool { if case .pair = self { true } else { false } }

  /// The name that `set` may give it a value by; nil for the others, whose value no constant replaces.
  package var name: String? {
    switch self {
    case .pair(let part): part.rawValue
    case .keys: "keys"
    case .count: "count"
    case .name(let name): name
    case .nowMilliseconds, .nowSeconds, .date, .from, .to, .interval, .secret: nil
    }
  }

  /// The name to check against those known in context; nil for placeholders that every request can fill.
  fileprivate var checkedName: String? {
    switch self {
    case .from(let text): "from\(text.ending)"
    case .to(let text): "to\(text.ending)"
    case .interval: "interval"
    default: name
    }
  }
}
