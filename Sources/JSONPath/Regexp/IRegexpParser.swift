/// A parser from an I-Regexp (RFC 9485 §3) to a tree, with the grammar's rules as methods.
///
/// An unescaped `^` or `$` outside a class is an anchor: RFC 9485's grammar lists them as normal characters, but every
/// mapping of §5 passes them on to a dialect in which they are anchors, and RFC 9535's compliance suite agrees.
struct IRegexpParser {
  /// The maximum nesting of groups.
  static let maximumNesting = 64
  /// The largest number in `{…}`: more copies than the compiler allows anyway.
  static let maximumCount = 10_000

  private let scalars: [Unicode.Scalar]
  /// The index of the current scalar, and its UTF-8 offset.
  private var position = 0
  private var offset = 0
  private var nesting = 0
  private let allowsNamedGroups: Bool
  private(set) var groupNames: [String] = []

  init(_ pattern: String, allowingNamedGroups: Bool) {
    scalars = Array(pattern.unicodeScalars)
    allowsNamedGroups = allowingNamedGroups
  }

  mutating func parse() throws(SyntaxError) -> RegexpNode {
    let node = try parseAlternatives()
    // Before the end of the pattern, only a parenthesis ends the alternatives.
    guard current == nil else { throw error("')' without '(' before it; to match it literally, write '\\)'") }
    return node
  }

  // MARK: Steps

  private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func advance() {
    offset += UTF8.width(scalars[position])
    position += 1
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    advance()
    return true
  }

  private func error(_ message: String, at offset: Int? = nil) -> SyntaxError {
    SyntaxError(offset: offset ?? self.offset, message: message)
  }

  // MARK: Branches and pieces

  /// i-regexp = branch *( "|" branch )
  private mutating func parseAlternatives() throws(SyntaxError) -> RegexpNode {
    let first = try parseBranch()
    var branches = [first]
    while take("|") { branches.append(try parseBranch()) }
    return branches.count == 1 ? first : .alternatives(branches)
  }

  /// branch = *piece; piece = atom [ quantifier ]
  private mutating func parseBranch() throws(SyntaxError) -> RegexpNode {
    var pieces: [RegexpNode] = []
    while let next = current, next != "|", next != ")" {
      pieces.append(try parseQuantifier(after: try parseAtom(next)))
    }
    return .sequence(pieces)
  }

  private mutating func parseAtom(_ first: Unicode.Scalar) throws(SyntaxError) -> RegexpNode {
    switch first {
    case "(":
      return try parseGroup()
    case "[":
      return .scalar(try parseClass())
    case "\\":
      return .scalar(try parseEscape().set)
    case ".":
      advance()
      return .scalar(.dot)
    case "^":
      advance()
      return .textStart
    case "$":
      advance()
      return .textEnd
    case "?" where position > 0 && ["*", "+", "?", "}"].contains(scalars[position - 1]):
      throw error(
        "'?' after a repetition is unknown, as each matches all it can; write what it may match, such as [^,]*")
    case "*", "+", "?":
      throw error("'\(first)' has nothing to repeat; to match it literally, write '\\\(first)'")
    case "{", "}", "]":
      throw error("'\(first)' is out of place; to match it literally, write '\\\(first)'")
    default:
      advance()
      return .scalar(ScalarSet(first))
    }
  }

  /// quantifier = "*" / "+" / "?" / "{" QuantExact [ "," [ QuantExact ] ] "}"
  private mutating func parseQuantifier(after node: RegexpNode) throws(SyntaxError) -> RegexpNode {
    let start = offset
    if take("*") { return .repeated(node, minimum: 0, maximum: nil, offset: start) }
    if take("+") { return .repeated(node, minimum: 1, maximum: nil, offset: start) }
    if take("?") { return .repeated(node, minimum: 0, maximum: 1, offset: start) }
    guard take("{") else { return node }

    let minimum = try parseCount()
    var maximum: Int? = minimum
    if take(",") { maximum = current == "}" ? nil : try parseCount() }
    guard take("}") else { throw error("expected '}'") }
    if let maximum, maximum < minimum { throw error("the second count is less than the first", at: start) }
    return .repeated(node, minimum: minimum, maximum: maximum, offset: start)
  }

  private mutating func parseCount() throws(SyntaxError) -> Int {
    let start = offset
    var count: Int?
    while let digit = current, digit.isDigit {
      // Stays just above the limit, however many digits follow.
      count = min((count ?? 0) * 10 + Int(digit.value - 0x30), Self.maximumCount + 1)
      advance()
    }
    guard let count else { throw error("expected a digit") }
    guard count <= Self.maximumCount else { throw error("a count above \(Self.maximumCount)", at: start) }
    return count
  }

  // MARK: Groups

  private mutating func parseGroup() throws(SyntaxError) -> RegexpNode {
    let start = offset
    guard nesting < Self.maximumNesting else {
      throw error("groups nested more than \(Self.maximumNesting) levels deep")
    }
    nesting += 1
    defer { nesting -= 1 }

    advance()
    let group = current == "?" ? try parseGroupName() : nil
    let node = try parseAlternatives()
    guard take(")") else { throw error("unclosed group", at: start) }
    return group.map { .captured(node, group: $0) } ?? node
  }

  /// Parses `?<name>` and returns the number of the new group.
  private mutating func parseGroupName() throws(SyntaxError) -> Int {
    guard allowsNamedGroups else { throw error("'?' has nothing to repeat; to match it literally, write '\\?'") }
    advance()
    guard take("<") else { throw error("expected '<' and a group's name") }

    let start = offset
    var name = ""
    // A name does not start with a digit.
    while let next = current, next.isASCII, next.properties.isAlphabetic || next == "_" || next.isDigit && name != "" {
      name.unicodeScalars.append(next)
      advance()
    }
    guard !name.isEmpty else { throw error("expected a group's name: letters, digits and '_'") }
    guard take(">") else { throw error("expected '>'") }
    guard !groupNames.contains(name) else { throw error("duplicate group '\(name)'", at: start) }
    groupNames.append(name)
    return groupNames.count - 1
  }

  // MARK: Escapes and classes

  /// The meaning of an escape: one scalar, or a whole category.
  private enum Escape {
    case scalar(Unicode.Scalar)
    case categories(GeneralCategories)

    var set: ScalarSet {
      switch self {
      case .scalar(let scalar): return ScalarSet(scalar)
      case .categories(let categories):
        var set = ScalarSet()
        set.insert(categories)
        return set
      }
    }
  }

  /// What other dialects have escapes for.
  private static let classes: [Unicode.Scalar: String] = [
    "d": "[0-9]", "D": "[^0-9]", "w": "[A-Za-z0-9_]", "W": "[^A-Za-z0-9_]", "s": "[ \\n\\r\\t]", "S": "[^ \\n\\r\\t]",
  ]

  /// SingleCharEsc, catEsc and complEsc, with the parser at the backslash.
  private mutating func parseEscape() throws(SyntaxError) -> Escape {
    let start = offset
    advance()
    guard let escaped = current else { throw error("nothing follows '\\'", at: start) }
    advance()
    switch escaped {
    case "n": return .scalar("\n")
    case "r": return .scalar("\r")
    case "t": return .scalar("\t")
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return .scalar(escaped)
    case "p": return .categories(try parseCategory())
    case "P": return .categories(try parseCategory().complement)
    case "$": throw error("'\\$' is not a valid escape in I-Regexp; to match it literally, write '[$]'", at: start)
    case let letter where Self.classes[letter] != nil:
      throw error("unknown escape '\\\(letter)'; write \(Self.classes[letter] ?? "")", at: start)
    default: throw error("unknown escape; I-Regexp has \\n \\r \\t \\p{…} \\P{…} and punctuation", at: start)
    }
  }

  /// "{" IsCategory "}"
  private mutating func parseCategory() throws(SyntaxError) -> GeneralCategories {
    guard take("{") else { throw error("expected '{' and a general category, such as \\p{Lu}") }
    let start = offset
    var name = ""
    while let next = current, next != "}" {
      name.unicodeScalars.append(next)
      advance()
    }
    guard let categories = GeneralCategories(named: name) else {
      throw error("unknown general category; known are L, Lu, Ll, N, Nd, …", at: start)
    }
    guard take("}") else { throw error("expected '}'") }
    return categories
  }

  /// charClassExpr = "[" [ "^" ] ( "-" / CCE1 ) *CCE1 [ "-" ] "]"
  private mutating func parseClass() throws(SyntaxError) -> ScalarSet {
    let start = offset
    advance()
    let isComplement = take("^")
    var set = ScalarSet()
    if take("-") {
      set.insert("-"..."-")
    } else if current == "]" {
      throw error("empty class; to match the bracket literally, write '\\]'")
    }

    while let next = current, next != "]" {
      if next == "-" {
        advance()
        guard current == "]" || current == nil else {
          throw error("put '-' first or last in a class, or write '\\-'", at: offset - 1)
        }
        set.insert("-"..."-")
      } else {
        try parseClassItem(into: &set)
      }
    }
    guard take("]") else { throw error("unclosed class", at: start) }
    if isComplement { set.complement() }
    return set
  }

  /// CCE1 = ( CCchar [ "-" CCchar ] ) / charClassEsc
  private mutating func parseClassItem(into set: inout ScalarSet) throws(SyntaxError) {
    let start = offset
    switch try parseClassCharacter() {
    case .categories(let categories):
      set.insert(categories)
    case .scalar(let first):
      // A '-' before the end of the class is literal; any other makes a range.
      guard current == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        set.insert(first...first)
        return
      }
      advance()
      let endOffset = offset
      guard case .scalar(let last) = try parseClassCharacter() else {
        throw error("a category cannot end a range", at: endOffset)
      }
      guard first <= last else { throw error("the range ends before it begins", at: start) }
      set.insert(first...last)
    }
  }

  /// CCchar, or an escape.
  private mutating func parseClassCharacter() throws(SyntaxError) -> Escape {
    switch current {
    case "\\": return try parseEscape()
    case .some(let scalar) where scalar != "[" && scalar != "-":
      advance()
      return .scalar(scalar)
    default: throw error("in a class, write '[' and '-' as '\\[' and '\\-'")
    }
  }
}
