import Config
import JSON
import Quotes

/// The values at the same place of every row.
package struct SampleColumn: Sendable {
  let path: SamplePath
  /// The text of each row's value; nil if it is missing, null or not a scalar.
  private(set) var texts: [String?]
  /// Those of the rows that have one.
  var presentTexts: [String] { texts.compactMap(\.self) }
  /// The same as numbers, for comparisons only: votes over rows need no exact digits.
  private(set) var numbers: [Double?]
  var presentNumbers: [Double] { numbers.compactMap(\.self) }
  /// Whether commas are or may be decimal points, in which case there are no numbers.
  let hasDecimalCommas: Bool
  /// Whether points separate thousands, as in much of Europe.
  private let hasThousandsPoints: Bool
  /// Whether points may separate thousands: there are always three digits after them, and never more before them.
  let mayHaveThousandsPoints: Bool
  /// Whether any value is true or false as JSON has them, so that its text is no code.
  let hasFlags: Bool
  /// Whether all values end with a percent sign.
  let isPercentText: Bool
  /// The names on the path from the row, each by itself.
  let partNames: [FieldName]
  /// The last of them.
  let leafName: FieldName
  /// All of them as one.
  let wholeName: FieldName
  /// Whether a name on the path before the last is of another window than 24 hours: `1h.volume`, `today.volume`,
  /// `yesterday.high`. The last name alone then says too little.
  private let isInOtherWindow: Bool
  /// Whether it is in a list of offers: `bids[0].price`.
  private let isInBook: Bool
  /// Whether a name on the path before the last is of all time: `all.high`, `total.volume`.
  private let isInTotal: Bool
  /// The last name as written; empty for an element of a list.
  let title: String
  /// The significance of a single-letter name, from 0 to 1.
  var letterTrust = 1.0
  /// Whether the currency in the name is the pairs' payment currency; nil if the name has none or the pairs are
  /// unknown.
  var namesPayment: Bool?

  /// - Parameter name: the meaning of the names on the path; nil if they say it themselves.
  init(path: SamplePath, nodes: [JSONNode?], name: String? = nil) {
    self.path = path
    texts = nodes.map { $0?.scalarText }
    let present = texts.compactMap(\.self)
    let hasDecimalCommas = DigitGroups.haveDoubtfulCommas(present)
    self.hasDecimalCommas = hasDecimalCommas
    let isText = nodes.allSatisfy { $0?.kind != .number }
    let points = isText ? present.compactMap { DigitGroups($0, by: ".") } : []
    let areThousands = !points.isEmpty && points.allSatisfy(\.areThousands)
    let hasThousandsPoints = areThousands && points.contains(where: \.areSurelyThousands)
    self.hasThousandsPoints = hasThousandsPoints
    mayHaveThousandsPoints = areThousands && !hasThousandsPoints && points.count >= 5
    numbers = zip(nodes, texts).map { node, text in
      guard !hasDecimalCommas, node?.kind == .number || node?.kind == .string else { return nil }
      return (hasThousandsPoints ? text?.replacing(".", with: "") : text).flatMap(Self.number)
    }
    hasFlags = nodes.contains { $0?.kind == .true || $0?.kind == .false }
    isPercentText = !present.isEmpty && present.allSatisfy { $0.hasSuffix("%") }
    let names = name.map { [$0] } ?? path.names
    title = names.last ?? ""
    partNames = names.map { FieldName($0) }
    let (leafName, wholeName) = (FieldName(title), FieldName(names.joined(separator: "_")))
    (self.leafName, self.wholeName) = (leafName, wholeName)
    func isAbove(_ words: [NameWord]) -> Bool { wholeName.hasAny(words) && !leafName.hasAny(words) }
    isInOtherWindow = isAbove([.otherWindow, .today, .previous])
    isInTotal = isAbove([.total, .accumulated])
    isInBook = path.isInList && isAbove([.bid, .ask, .buy, .sell])
  }

  /// Whether an amount with these names is that of another span than 24 hours.
  var isOfOtherSpan: Bool { FieldLexicon.isOfOtherSpan(wholeName) || wholeName.has(.previous) || isInTotal }

  /// The day that the names say a figure is of; nil if they say none. Today is the exchange's own day so far, wherever
  /// it begins.
  var namedBasis: ChangeBasis? { wholeName.dayBasis ?? (saysWindow ? .rolling24h : nil) }

  /// Whether the names say that it is of the last 24 hours, and so not of a day of its own.
  var saysWindow: Bool { wholeName.has(.rolling) }

  private static let rolesOfWindow: Set<Role> = [.high, .low, .open, .change, .volume, .turnover]

  /// Scores how strongly the name suggests a role. Meaningful parent names count: `bid.price` is not a last price.
  func nameScore(_ role: Role) -> Double {
    let trust = leafName.letter == nil ? 1 : letterTrust
    let isPrice = PriceRoles.roles.contains(role)
    func score(_ name: FieldName, _ parts: [FieldName]) -> Double {
      FieldLexicon.score(role, isPrice && namesPayment == true ? name.withoutCodes : name, parts: parts)
    }
    if isInTotal, Self.rolesOfWindow.contains(role) { return 0.05 }
    if isInBook, role == .price { return 0 }
    let leaf = score(leafName, [leafName]) * trust
    let best = wholeName == leafName ? leaf : max(isInOtherWindow ? 0 : leaf * 0.75, score(wholeName, partNames))
    // A price in another currency than the payment currency is not the pair's price.
    return isPrice && namesPayment == false ? min(best, 0.2) : best
  }

  /// Returns the column interpreted in the context of its rows' pairs.
  func beside(_ pairs: [Pair?]) -> SampleColumn {
    guard let code = wholeName.code else { return self }
    let payments = pairs.compactMap { $0?.payment.uppercased() }
    guard !payments.isEmpty else { return self }
    var column = self
    column.namesPayment = payments.allSatisfy { $0 == code }
    return column
  }

  /// Returns the column with only some of its rows.
  func kept(_ rows: [Int]) -> SampleColumn {
    var column = self
    (column.texts, column.numbers) = (rows.map { texts[$0] }, rows.map { numbers[$0] })
    return column
  }

  /// The word for futures that ends all texts, with the separator before it; empty if there is none.
  var futuresEnding: String {
    let present = presentTexts
    guard let first = present.first, let start = first.lastIndex(where: { "-_/:.".contains($0) }) else { return "" }
    let ending = first[start...]
    guard Self.futuresWords.contains(ending.dropFirst().uppercased()), present.allSatisfy({ $0.hasSuffix(ending) })
    else { return "" }
    return String(ending)
  }

  static let futuresWords: Set = ["PERP", "SWAP", "PERPETUAL", "FUTURES"]

  /// Returns the column with texts that lack their common ending.
  func dropping(_ ending: String) -> SampleColumn {
    var column = self
    column.texts = texts.map { $0.map { String($0.dropLast(ending.count)) } }
    return column
  }

  /// Returns one unit of the last digit of a row's number as written; half of it is the maximum rounding error.
  func lastDigit(_ row: Int) -> Double {
    let digits = (texts[row] ?? "").filter { $0.isNumber || $0 == "." || $0 == "e" || $0 == "E" }
    guard !digits.contains("e"), !digits.contains("E") else { return 0 }
    guard let point = digits.firstIndex(of: ".") else { return 1 }
    let places = min(15, digits.distance(from: point, to: digits.endIndex) - 1)
    return (0..<places).reduce(1) { unit, _ in unit / 10 }
  }

  /// The share of numbers among the values that are present; 0 if some have digits that are not read: those of falling
  /// coins may be in parentheses.
  var numericShare: Double {
    let found = numbers.count { $0 != nil }
    if found == 0 || unreadNumbers * 50 > texts.count { return 0 }
    let present = texts.count { $0.map { !ValueSpec.defaultMissing.contains($0) } ?? false }
    return present == 0 ? 0 : Double(found) / Double(present)
  }

  private var unreadNumbers: Int {
    zip(texts, numbers).count { text, number in number == nil && text.map(Self.hasDigit) == true }
  }

  private static func hasDigit(_ text: String) -> Bool {
    // Nearly all texts are ASCII, whose characters need not be put together.
    text.utf8.contains(where: \.isDigit)
      || text.utf8.contains { $0 >= 0x80 } && text.contains(where: \.isNumber)
  }

  /// The share of rows with a number.
  var filledShare: Double {
    numbers.isEmpty ? 0 : Double(numbers.count { $0 != nil }) / Double(numbers.count)
  }

  var hasNumbers: Bool { numbers.contains { $0 != nil } }

  /// Whether there is any number but zero.
  var hasValues: Bool { numbers.contains { $0.map { $0 != 0 } ?? false } }

  /// Whether several rows all have the same number, even if others have zero.
  var isConstant: Bool {
    let present = presentNumbers
    return present.count >= 2 && Set(present.filter { $0 != 0 }).count <= 1
  }

  /// Whether every row has a value.
  var isFull: Bool { texts.allSatisfy { $0 != nil } }

  /// Whether any number is below zero, so that they are neither prices nor amounts. A few of the same one, such as -1,
  /// mean "no value".
  var hasNegatives: Bool {
    let negative = presentNumbers.filter { $0 < 0 }
    guard let first = negative.first else { return false }
    let isMarker = first == first.rounded() && negative.allSatisfy { $0 == first }
    return !isMarker || negative.count * 5 > presentNumbers.count
  }

  /// The first representative value: not empty and, if possible, not zero.
  var example: String? {
    for (text, number) in zip(texts, numbers) where number != nil && number != 0 { return text }
    return texts.first { $0?.isEmpty == false } ?? nil
  }

  /// Texts among the numbers that mean "no value".
  var missingMarkers: [String] {
    guard numericShare > 0.5 else { return [] }
    var markers: [String] = []
    for (text, number) in zip(texts, numbers) where number == nil {
      guard let text, text.utf8.count <= 12, !markers.contains(text), !text.contains(where: \.isNumber) else {
        continue
      }
      markers.append(text)
    }
    return markers
  }

  /// The signs of currencies before or after a number.
  private static let currencySigns = "$€£¥₩₹₽₺฿₫₱₴"

  /// Parses a number, for comparisons only. Accepts `1.2%`, `1,234.5`, `$5` and `+3`; the config needs `strip` for the
  /// first three.
  package static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 64 else { return nil }
    guard let first = text.utf8.first, let last = text.utf8.last else { return nil }
    // Nearly every text begins and ends with a digit.
    let mayHaveSign = !first.isDigit || !last.isDigit
    if mayHaveSign, let sign = [text.first, text.last].compactMap(\.self).first(where: currencySigns.contains) {
      let rest = text.filter { $0 != sign }
      return rest.count + 1 == text.count && !rest.isEmpty ? number(rest) : nil
    }
    guard first.isDigit || "-+.".utf8.contains(first) else { return nil }
    // Swift reads hexadecimal numbers, which no exchange sends.
    guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }) else { return nil }
    if let number = Double(text) { return number.isFinite ? number : nil }
    if let groups = DigitGroups(text, by: ","), !groups.areThousands { return nil }
    let digits = text.filter { $0 != "," && $0 != "%" && $0 != " " }
    return Double(digits).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Whether every value says that something rose, fell or stayed the same.
  var namesDirections: Bool {
    let words = Set(texts.compactMap { $0?.lowercased() })
    // `"isUp": true`
    let isNamed = FieldName.chunks(of: title).contains { Self.directions.contains($0.lowercased()) }
    return !words.isEmpty && (words.isSubset(of: Self.directions) || isNamed && words.isSubset(of: ["true", "false"]))
  }

  private static let directions: Set = [
    "rise", "fall", "even", "up", "down", "flat", "+", "-", "plus", "minus", "increase", "decrease", "rising",
    "falling", "gain", "loss", "unchanged", "bull", "bear", "positive", "negative",
  ]

  /// The characters that must be stripped to parse the text as a number.
  var strip: String {
    var found = hasThousandsPoints ? "." : ""
    for (text, number) in zip(texts, numbers) where number != nil {
      for character in "%, " + Self.currencySigns where text?.contains(character) == true && !found.contains(character)
      {
        found.append(character)
      }
    }
    return found
  }
}

/// The digits of a number between commas, which are thousands separators or, as in much of Europe, a decimal comma; or
/// between points, where it is the other way round.
struct DigitGroups {
  private let groups: [Substring]
  private let fraction: Substring?

  /// Returns nil if the text is not a number with such a separator.
  ///
  /// - Parameter separator: A comma, which a fraction after a point may follow, or a point.
  init?(_ text: String, by separator: Character) {
    guard text.utf8.count <= 64, text.contains(separator) else { return nil }
    var digits = Substring(text.filter { $0 != "%" && $0 != " " })
    if let sign = digits.first, sign == "-" || sign == "+" { digits.removeFirst() }
    guard digits.utf8.first?.isDigit == true,
      digits.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") })
    else { return nil }
    let point = separator == "." ? nil : digits.firstIndex(of: ".")
    fraction = point.map { digits[digits.index(after: $0)...] }
    groups = (point.map { digits[..<$0] } ?? digits).split(separator: separator, omittingEmptySubsequences: false)
  }

  /// Whether the commas may separate thousands: groups of three, or in India groups of two before the last one.
  var areThousands: Bool {
    guard groups.count > 1, let first = groups.first, !first.isEmpty, first.count <= 3, first.first != "0",
      groups.last?.count == 3, fraction.map({ !$0.contains(",") && !$0.contains(".") }) ?? true
    else { return false }
    let middle = groups.dropFirst().dropLast()
    return middle.allSatisfy { $0.count == 3 } || first.count <= 2 && middle.allSatisfy { $0.count == 2 }
  }

  /// Whether they must be thousands separators.
  var areSurelyThousands: Bool { areThousands && (groups.count > 2 || fraction != nil) }

  /// Returns whether a column's numbers have or may have decimal commas: if all are like `1,234`, it is ambiguous.
  static func haveDoubtfulCommas(_ texts: [String]) -> Bool {
    let found = texts.compactMap { DigitGroups($0, by: ",") }
    guard !found.isEmpty else { return false }
    if !found.allSatisfy(\.areThousands) { return true }
    if found.contains(where: \.areSurelyThousands) { return false }
    let plain = texts.filter { Double($0) != nil }
    return plain.isEmpty
  }
}
