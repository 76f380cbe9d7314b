import Config
import Quotes

/// Parses the text of an alert.
///
///     rule       = [pair] condition ["for" duration] ["then" action *("," action)]
///     condition  = conjunct *("or" conjunct)
///     conjunct   = part *("and" part)
///     part       = "(" condition ")" / operand ("<" / "<=" / ">" / ">=") operand
///     operand    = field ["@" exchange] / number ["k" / "M" / "B" / "만" / "억"] ["%"]
///     action     = "bell" / "desktop" / "exec" the rest of the text
struct AlertParser {
  private let text: [Character]
  private let names: AlertNames
  private var place = 0
  private var depth = 0

  /// No sensible alert is longer.
  private static let maximumLength = 500
  private static let deepest = 20

  init(_ text: String, _ names: AlertNames) {
    self.text = Array(text)
    self.names = names
  }

  // MARK: Rules

  mutating func rule() throws(AlertProblem) -> AlertRule {
    try checkLength()
    let pair = leadingPair()
    let condition = try condition()
    var hold = 0
    var actions: [AlertAction] = [.bell]
    if takeWord("for") { hold = try duration() }
    if takeWord("then") { actions = try self.actions() }
    guard isAtEnd else { throw problem(.rest(rest, isRule: true)) }
    let blanks: (Character) -> Bool = { $0.isWhitespace }
    let trimmed = text.drop(while: blanks).reversed().drop(while: blanks).reversed()
    return AlertRule(
      text: String(trimmed), pair: pair, condition: condition, holdMilliseconds: hold, actions: actions)
  }

  mutating func wholeCondition() throws(AlertProblem) -> AlertCondition {
    try checkLength()
    let condition = try condition()
    guard isAtEnd else { throw problem(.rest(rest, isRule: false)) }
    return condition
  }

  private func checkLength() throws(AlertProblem) {
    if text.count > Self.maximumLength {
      throw problem(.tooLong(maximum: Self.maximumLength), at: Self.maximumLength)
    }
  }

  /// Parses a leading `BTC/KRW`, with the program's names for both.
  private mutating func leadingPair() -> Pair? {
    let start = wordStart()
    let word = takeRun { !$0.isWhitespace }
    if let pair = Pair(word) {
      return Pair(asset: names.aliases[pair.asset] ?? pair.asset, payment: names.aliases[pair.payment] ?? pair.payment)
    }
    place = start
    return nil
  }

  private mutating func duration() throws(AlertProblem) -> Int {
    let start = wordStart()
    let word = takeRun { !$0.isWhitespace }
    guard !word.isEmpty else { throw problem(.missingDuration, at: start) }
    guard let milliseconds = DurationText.milliseconds(word) else {
      throw problem(.notDuration(word), at: start)
    }
    return milliseconds
  }

  private mutating func actions() throws(AlertProblem) -> [AlertAction] {
    var actions: [AlertAction] = []
    repeat {
      let start = wordStart()
      let word = takeRun { !$0.isWhitespace && $0 != "," }
      switch word.lowercased() {
      case "": throw problem(.missingAction, at: start)
      case "bell": actions.append(.bell)
      case "desktop": actions.append(.desktop)
      case "exec":
        skipBlanks()
        let command = String(text[place...])
        guard !command.isEmpty else { throw problem(.missingCommand) }
        place = text.count
        return actions + [.command(command)]
      default: throw problem(.unknownAction(word), at: start)
      }
    } while take(",")
    return actions
  }

  // MARK: Conditions

  private mutating func condition() throws(AlertProblem) -> AlertCondition {
    var parts = [try conjunct()]
    while takeWord("or") { parts.append(try conjunct()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunct() throws(AlertProblem) -> AlertCondition {
    var parts = [try part()]
    while takeWord("and") { parts.append(try part()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func part() throws(AlertProblem) -> AlertCondition {
    if take("(") {
      depth += 1
      guard depth <= Self.deepest else { throw problem(.tooDeep(maximum: Self.deepest)) }
      let inner = try condition()
      guard take(")") else { throw problem(.missingParenthesis) }
      depth -= 1
      return inner
    }
    let start = wordStart()
    let (left, leftPercent) = try operand()
    let sign = try sign()
    let rightStart = wordStart()
    let (right, rightPercent) = try operand()
    switch (left, right) {
    case (.number, .number): throw problem(.noField, at: start)
    case (.value(let value), .number) where rightPercent && !value.field.isPercent:
      throw problem(.notPercentage(value.field), at: rightStart)
    case (.number, .value(let value)) where leftPercent && !value.field.isPercent:
      throw problem(.notPercentage(value.field), at: start)
    default: return .comparison(left, sign, right)
    }
  }

  private mutating func sign() throws(AlertProblem) -> AlertCondition.Sign {
    let start = wordStart()
    let found = takeRun { "<>=".contains($0) }
    guard let sign = AlertCondition.Sign(rawValue: found) else {
      throw problem(found.isEmpty ? .missingComparison : .unknownComparison(found), at: start)
    }
    return sign
  }

  /// Parses an operand; also returns whether a `%` follows it.
  private mutating func operand() throws(AlertProblem) -> (AlertCondition.Operand, isPercent: Bool) {
    let start = wordStart()
    guard let first = character else { throw problem(.missingOperand) }
    if first.isASCII, first.isNumber || "+-.".contains(first) { return try number(from: start) }
    let name = takeRun { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" || $0 == "-" }
    guard !name.isEmpty else { throw problem(.notOperand(first), at: start) }
    guard let field = AlertField(named: name) else { throw problem(.unknownField(name), at: start) }
    return (.value(AlertValue(field, of: try exchange(of: field))), false)
  }

  /// `@Upbit`
  private mutating func exchange(of field: AlertField) throws(AlertProblem) -> String? {
    guard character == "@" else { return nil }
    let sign = place
    place += 1
    let start = place
    let name = takeRun { !$0.isWhitespace && !"()<>=,%@".contains($0) }
    guard field.isOfExchange else {
      throw problem(.notOfExchange(field), at: sign)
    }
    let folded = Spelling.folded(name)
    if let known = names.exchanges.first(where: { Spelling.folded($0) == folded }) { return known }
    if let known = names.others[folded], names.exchanges.contains(known) { return known }
    let suggestion = Spelling.suggestion(for: name, among: names.exchanges)
    throw problem(name.isEmpty ? .missingExchange : .unknownExchange(name, suggestion: suggestion), at: start)
  }

  private mutating func number(
    from start: Int
  ) throws(AlertProblem) -> (AlertCondition.Operand, isPercent: Bool) {
    let isPart = { (character: Character) in character.isASCII && (character.isNumber || "+-._,".contains(character)) }
    var digits = takeRun(isPart)
    if let exponent = character, "eE".contains(exponent), place + 1 < text.count, isPart(text[place + 1]) {
      place += 1
      digits += "e" + takeRun(isPart)
    }
    digits = digits.filter { $0 != "_" }
    let end = place
    let unit = takeRun { $0.isLetter }
    // In an alert, `m` could be minutes.
    let power = unit.isEmpty ? 0 : AmountText.power(of: unit)
    guard let number = AmountText.number(digits, power: power ?? 0) else {
      throw problem(.notNumber(digits), at: start)
    }
    if power == nil { throw problem(.unknownUnit(unit), at: end) }
    let isPercent = take("%")
    return (.number(number, text: digits + unit + (isPercent ? "%" : "")), isPercent)
  }

  // MARK: Characters

  private var character: Character? { place < text.count ? text[place] : nil }

  /// The remaining text, shortened for a message.
  private var rest: String { String(text[place...].prefix(20)) }

  private var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return place == text.count
    }
  }

  private mutating func skipBlanks() {
    while let character, character.isWhitespace { place += 1 }
  }

  /// Skips blanks, and returns where what follows begins.
  private mutating func wordStart() -> Int {
    skipBlanks()
    return place
  }

  private mutating func take(_ wanted: Character) -> Bool {
    skipBlanks()
    guard character == wanted else { return false }
    place += 1
    return true
  }

  private mutating func takeRun(_ isPart: (Character) -> Bool) -> String {
    let start = place
    while let character, isPart(character) { place += 1 }
    return String(text[start..<place])
  }

  /// Takes a word, ignoring case, unless it is only the start of a longer one.
  private mutating func takeWord(_ wanted: String) -> Bool {
    let start = wordStart()
    if takeRun({ $0.isLetter }).lowercased() == wanted, character.map({ $0.isWhitespace || $0 == "(" }) ?? true {
      return true
    }
    place = start
    return false
  }

  private func problem(_ mistake: AlertMistake, at column: Int? = nil) -> AlertProblem {
    AlertProblem(column: (column ?? place) + 1, mistake: mistake)
  }
}
