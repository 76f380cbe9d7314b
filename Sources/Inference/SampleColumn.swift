import Config
import JSON
import Quotes

/// The values that stand in one place of every row.
package struct SampleColumn: Sendable {
  let path: SamplePath
  /// The text of each row's value; nil where there is none, or null, or no scalar.
  private(set) var texts: [String?]
  /// The same as numbers, for comparisons only: votes over rows need no exact digits.
  private(set) var numbers: [Double?]
  /// Whether commas stand where a decimal point would, or where nothing tells the one from the other: then there are no
  /// numbers.
  let hasDecimalCommas: Bool
  /// Whether all values end with a percent sign.
  let isPercentText: Bool
  let leafName: FieldName
  /// The names on the way from the row as well.
  let wholeName: FieldName
  /// The last name as it is written; empty for an element of a list.
  let title: String
  /// How much a name of one letter says here, from 0 to 1.
  var letterTrust = 1.0
  /// Whether the currency that the name speaks of is the one that the pairs are paid in; nil where it names none, or
  /// nothing is known of the pairs.
  var namesPayment: Bool?

  /// - Parameter name: what the names on the way mean, where they have templates.
  init(path: SamplePath, nodes: [JSONNode?], name: String? = nil) {
    self.path = path
    texts = nodes.map { $0?.scalarText }
    let present = texts.compactMap(\.self)
    let hasDecimalCommas = CommaGroups.areDoubtful(in: present)
    self.hasDecimalCommas = hasDecimalCommas
    numbers = zip(nodes, texts).map { node, text in
      guard !hasDecimalCommas, node?.kind == .number || node?.kind == .string else { return nil }
      return text.flatMap(Self.number)
    }
    isPercentText = !present.isEmpty && present.allSatisfy { $0.hasSuffix("%") }
    let names = name.map { [$0] } ?? path.names
    title = names.last ?? ""
    leafName = FieldName(title)
    wholeName = FieldName(names.joined(separator: "_"))
  }

  /// How sure the name is of a role. The names above count where they say something: `bid.price` is no last price.
  func nameScore(_ role: Role) -> Double {
    let trust = leafName.letter == nil ? 1 : letterTrust
    let isPrice = PriceRoles.roles.contains(role)
    func score(_ name: FieldName) -> Double {
      FieldLexicon.score(role, isPrice && namesPayment == true ? name.withoutCodes : name)
    }
    let leaf = score(leafName) * trust
    let best = wholeName == leafName ? leaf : max(leaf * 0.75, score(wholeName))
    // A price in another currency than the pair's is none of the pair.
    return isPrice && namesPayment == false ? min(best, 0.2) : best
  }

  /// The column as it reads beside the pairs of its rows.
  func beside(_ pairs: [Pair?]) -> SampleColumn {
    guard let code = wholeName.code else { return self }
    let payments = pairs.compactMap { $0?.payment.uppercased() }
    guard !payments.isEmpty else { return self }
    var column = self
    column.namesPayment = payments.allSatisfy { $0 == code }
    return column
  }

  /// The column of some of its rows.
  func kept(_ rows: [Int]) -> SampleColumn {
    var column = self
    (column.texts, column.numbers) = (rows.map { texts[$0] }, rows.map { numbers[$0] })
    return column
  }

  /// Values that are numbers, of those that are anything at all.
  var numericShare: Double {
    let present = texts.reduce(0) { $0 + ($1.map(ValueSpec.defaultMissing.contains) ?? true ? 0 : 1) }
    guard present > 0 else { return 0 }
    return Double(numbers.reduce(0) { $0 + ($1 == nil ? 0 : 1) }) / Double(present)
  }

  /// Rows that have a number here, of all.
  var filledShare: Double {
    numbers.isEmpty ? 0 : Double(numbers.reduce(0) { $0 + ($1 == nil ? 0 : 1) }) / Double(numbers.count)
  }

  var hasNumbers: Bool { numbers.contains { $0 != nil } }

  /// The first value that stands for the column: not empty and, where there is one, not zero.
  var example: String? {
    for (text, number) in zip(texts, numbers) where number != nil && number != 0 { return text }
    return texts.first { $0?.isEmpty == false } ?? nil
  }

  /// Texts among the numbers that stand for "no value".
  var missingMarkers: [String] {
    guard numericShare > 0.5 else { return [] }
    var markers: [String] = []
    for (text, number) in zip(texts, numbers) where number == nil {
      guard let text, text.utf8.count <= 12, !markers.contains(text) else { continue }
      markers.append(text)
    }
    return markers
  }

  /// A number, for comparisons only. `1.2%`, `1,234.5` and `+3` are numbers here; the language needs `strip` for the first two.
  package static func number(_ text: String) -> Double? {
    guard let first = text.utf8.first, text.utf8.count <= 64 else { return nil }
    guard (0x30...0x39).contains(first) || first == 0x2D || first == 0x2B || first == 0x2E else { return nil }
    if let number = Double(text) { return number.isFinite ? number : nil }
    if let groups = CommaGroups(text), !groups.areThousands { return nil }
    let digits = text.filter { $0 != "," && $0 != "%" && $0 != " " }
    return Double(digits).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Whether every value says that something rose, fell or stood still.
  var namesDirections: Bool {
    let words = Set(texts.compactMap { $0?.lowercased() })
    return !words.isEmpty && words.isSubset(of: Self.directions)
  }

  private static let directions: Set = [
    "rise", "fall", "even", "up", "down", "flat", "+", "-", "plus", "minus", "increase", "decrease", "rising",
    "falling", "gain", "loss", "unchanged", "bull", "bear", "positive", "negative",
  ]

  /// The characters that must be stripped before the text is a number.
  var strip: String {
    var found = ""
    for (text, number) in zip(texts, numbers) where number != nil {
      for character in "%, " where text?.contains(character) == true && !found.contains(character) {
        found.append(character)
      }
    }
    return found
  }
}

/// The digits of a number between its commas: thousands, or a decimal comma as much of Europe writes it.
struct CommaGroups {
  private let groups: [Substring]
  private let fraction: Substring?

  /// nil where the text is no number with a comma.
  init?(_ text: String) {
    guard text.utf8.count <= 64, text.utf8.contains(UInt8(ascii: ",")) else { return nil }
    var digits = Substring(text.filter { $0 != "%" && $0 != " " })
    if let sign = digits.first, sign == "-" || sign == "+" { digits.removeFirst() }
    guard digits.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") })
    else { return nil }
    let point = digits.firstIndex(of: ".")
    fraction = point.map { digits[digits.index(after: $0)...] }
    groups = (point.map { digits[..<$0] } ?? digits).split(separator: ",", omittingEmptySubsequences: false)
  }

  /// Whether the commas can part thousands: groups of three, or of two before the last as India writes them.
  var areThousands: Bool {
    guard groups.count > 1, let first = groups.first, !first.isEmpty, first.count <= 3, first.first != "0",
      groups.last?.count == 3, fraction.map({ !$0.contains(",") && !$0.contains(".") }) ?? true
    else { return false }
    let middle = groups.dropFirst().dropLast()
    return middle.allSatisfy { $0.count == 3 } || first.count <= 2 && middle.allSatisfy { $0.count == 2 }
  }

  /// Whether they can be nothing else.
  private var areSurelyThousands: Bool { areThousands && (groups.count > 2 || fraction != nil) }

  /// Whether numbers of a column are written with a decimal comma, or may be: `1,234` in every row is either.
  static func areDoubtful(in texts: [String]) -> Bool {
    let found = texts.compactMap { CommaGroups($0) }
    guard !found.isEmpty else { return false }
    if !found.allSatisfy(\.areThousands) { return true }
    if found.contains(where: \.areSurelyThousands) { return false }
    let plain = texts.filter { Double($0) != nil }
    return plain.isEmpty
  }
}

/// Whether columns that are called by single letters mean the usual: `h` is the high, `c` the close.
///
/// An exchange that shortens its names does so for the range of the day as well, and its `h` and `l` keep their word in all
/// rows. Letters that follow each other like those of the alphabet are numbers of columns, not names.
struct LetterNames {
  let areUsual: Bool
  /// Whether `b` and `a` behave like bid and ask: enough to propose them, and not to take them.
  private let areOffers: Bool

  func trust(_ column: SampleColumn) -> Double {
    areUsual ? 1 : areOffers && ["a", "b"].contains(column.leafName.letter) ? 0.6 : 0
  }

  init(_ columns: [SampleColumn]) {
    let lettered = columns.indices.filter { columns[$0].leafName.letter != nil }
    let letters = Set(lettered.compactMap { columns[$0].leafName.letter?.lowercased().unicodeScalars.first?.value })
    func column(_ letter: Character) -> Int? {
      lettered.first { columns[$0].leafName.letter == letter && columns[$0].hasNumbers }
    }
    let relations = RowRelations(columns: columns)
    areOffers =
      !Self.followEachOther(letters)
      && column("b").flatMap { bid in
        column("a").map { ask in
          let vote = relations.isNeverAbove(bid, ask)
          return vote.rows >= 5 && vote.share >= 0.95 && relations.areNear(bid, ask, factor: 1.1).share >= 0.95
        }
      } ?? false
    guard !Self.followEachOther(letters), let high = column("h"), let low = column("l") else {
      areUsual = false
      return
    }
    func isNearHigh(_ index: Int) -> Bool {
      guard columns[index].hasNumbers, !["h", "l"].contains(columns[index].leafName.letter) else { return false }
      let near = relations.areNear(index, high, factor: 2)
      return near.rows > 0 && near.share >= 0.8
    }
    func isWithin(_ index: Int, _ share: Double) -> Bool {
      relations.isAtMost(low, index).share >= share && relations.isAtMost(index, high).share >= share
    }
    let others = lettered.filter(isNearHigh)
    let hasPrices =
      others.isEmpty
      ? columns.indices.contains { $0 != low && isNearHigh($0) && isWithin($0, 0.95) }
      : others.allSatisfy { isWithin($0, 0.5) } && others.contains { isWithin($0, 0.95) }
    areUsual = hasPrices && relations.isAtMost(low, high).share >= 0.95
  }

  /// Six letters in a row, such as `a` to `f`.
  private static func followEachOther(_ letters: Set<UInt32>) -> Bool {
    letters.contains { first in (0..<6).allSatisfy { letters.contains(first + $0) } }
  }
}
