import Config
import JSON
import JSONPath
import Quotes

/// The values that stand in one place of every row.
struct SampleColumn: Sendable {
  let path: SamplePath
  /// The text of each row's value; nil where there is none, or null, or no scalar.
  let texts: [String?]
  /// The same as numbers, for comparisons only: votes over rows need no exact digits.
  let numbers: [Double?]
  /// Whether commas stand where a decimal point would, or where nothing tells the one from the other: then there are no
  /// numbers.
  let hasDecimalCommas: Bool
  /// Whether all values end with a percent sign.
  let isPercentText: Bool
  let leafName: FieldName
  /// The names on the way from the row as well.
  let wholeName: FieldName
  /// Whether a name of one letter says anything here.
  var trustsLetters = true
  /// Whether the currency that the name speaks of is the one that the pairs are paid in; nil where it names none, or
  /// nothing is known of the pairs.
  var namesPayment: Bool?

  init(path: SamplePath, nodes: [JSONNode?]) {
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
    let names = path.names
    leafName = FieldName(names.last ?? "")
    wholeName = FieldName(names.joined(separator: "_"))
  }

  /// How sure the name is of a role. The names above count where they say something: `bid.price` is no last price.
  func nameScore(_ role: Role) -> Double {
    let trust = leafName.letter == nil || trustsLetters ? 1.0 : 0
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

  /// `1.2%`, `1,234.5` and `+3` are numbers here; the language needs `strip` for the first two.
  static func number(_ text: String) -> Double? {
    guard let first = text.utf8.first, text.utf8.count <= 64 else { return nil }
    guard (0x30...0x39).contains(first) || first == 0x2D || first == 0x2B || first == 0x2E else { return nil }
    if let number = Double(text) { return number.isFinite ? number : nil }
    if let groups = CommaGroups(text), !groups.areThousands { return nil }
    let digits = text.filter { $0 != "," && $0 != "%" && $0 != " " }
    return Double(digits).flatMap { $0.isFinite ? $0 : nil }
  }

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

/// Where a value stands below the root or below a row: names and indexes only.
struct SamplePath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case member(String)
    case index(Int)
    /// Every element or member.
    case all
  }

  var steps: [Step] = []
  /// A path that somebody wrote, where it is more than names and indexes.
  var written: String?

  init(steps: [Step] = []) { self.steps = steps }

  /// A path of the config language; nil where it is none.
  init?(_ text: String) {
    guard let query = try? JSONPathQuery(text) else { return nil }
    guard let singular = query.singularSteps else {
      written = text
      return
    }
    steps = singular.map { step in
      switch step {
      case .member(let name): .member(name)
      case .index(let index): .index(index)
      }
    }
    if self.text != text { written = text }
  }

  func appending(_ step: Step) -> SamplePath { SamplePath(steps: steps + [step]) }

  /// The names of the members on the way.
  var names: [String] {
    steps.compactMap { step in
      if case .member(let name) = step { name } else { nil }
    }
  }

  /// Whether this place lies in the container that another one's rows stand in, or is that place.
  func isBelow(_ rows: SamplePath) -> Bool {
    let container = rows.steps.last == .all ? Array(rows.steps.dropLast()) : rows.steps
    return steps.starts(with: container)
  }

  /// As JSONPath, in the short form where a name allows it: `$.data[0]['24h']`.
  var text: String {
    if let written { return written }
    return steps.reduce("$") { text, step in
      switch step {
      case .member(let name):
        Self.isPlain(name) ? "\(text).\(name)" : text + SingularStep.member(name).description
      case .index(let index): "\(text)[\(index)]"
      case .all: "\(text)[*]"
      }
    }
  }

  /// Whether a name can stand behind a point (RFC 9535 §2.5.1.1, the ASCII part of it).
  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
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

  init(_ columns: [SampleColumn]) {
    let lettered = columns.indices.filter { columns[$0].leafName.letter != nil }
    let letters = Set(lettered.compactMap { columns[$0].leafName.letter?.lowercased().unicodeScalars.first?.value })
    func column(_ letter: Character) -> Int? {
      lettered.first { columns[$0].leafName.letter == letter && columns[$0].hasNumbers }
    }
    guard !Self.followEachOther(letters), let high = column("h"), let low = column("l") else {
      areUsual = false
      return
    }
    let relations = RowRelations(columns: columns)
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
