import Config
import JSON
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
