/// The set of Unicode scalars of a character class: ranges and general categories.
struct ScalarSet: Hashable, Sendable {
  private var ranges: [ClosedRange<UInt32>] = []
  private var categories: UInt32 = 0
  private var isComplement = false

  /// The scalars that "." matches: all but line feed and carriage return (RFC 9485 §4).
  static let dot: ScalarSet = {
    var set = ScalarSet()
    set.insert("\n"..."\n")
    set.insert("\r"..."\r")
    set.complement()
    return set
  }()

  init() {}

  init(_ scalar: Unicode.Scalar) { insert(scalar...scalar) }

  mutating func insert(_ range: ClosedRange<Unicode.Scalar>) {
    ranges.append(range.lowerBound.value...range.upperBound.value)
  }

  /// Inserts the scalars of general categories.
  mutating func insert(_ categories: GeneralCategories) { self.categories |= categories.rawValue }

  /// Replaces the set by its complement.
  mutating func complement() { isComplement.toggle() }

  /// The only member of a set created from a single scalar.
  var onlyScalar: UInt32? {
    guard ranges.count == 1, categories == 0, !isComplement, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }

  func contains(_ scalar: UInt32) -> Bool {
    if ranges.contains(where: { $0.contains(scalar) }) { return !isComplement }
    guard categories != 0, let scalar = Unicode.Scalar(scalar) else { return isComplement }
    return (categories & GeneralCategories(of: scalar).rawValue != 0) != isComplement
  }
}

/// A set of ASCII characters as 128 bits.
struct ASCIISet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Creates the set of a set's members below U+0080.
  init(_ set: ScalarSet) {
    for bit in 0..<UInt32(64) {
      if set.contains(bit) { low |= 1 << UInt64(bit) }
      if set.contains(bit + 64) { high |= 1 << UInt64(bit) }
    }
  }

  /// - Parameter scalar: Below 0x80.
  func contains(_ scalar: UInt32) -> Bool { (scalar < 64 ? low : high) & (1 << UInt64(scalar & 63)) != 0 }
}

/// A set of Unicode general categories. Every scalar belongs to exactly one.
struct GeneralCategories: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates the categories for a name in `\p{…}` (RFC 9485 §3, IsCategory): one, `Lu`, or all with the same first
  /// letter, `L`. Returns nil for other names; surrogates, `Cs`, are excluded as they are not scalars.
  init?(named name: some StringProtocol) {
    let matching = Self.all.indices.filter { Self.all[$0].name.hasPrefix(name) }
    guard (1...2).contains(name.utf8.count), !matching.isEmpty else { return nil }
    rawValue = matching.reduce(0) { $0 | 1 << UInt32($1) }
  }

  /// Creates the set of a scalar's category; one that is new to Unicode counts as unassigned, the last.
  init(of scalar: Unicode.Scalar) {
    rawValue = Self.bits[scalar.properties.generalCategory] ?? 1 << UInt32(Self.all.count - 1)
  }

  /// All other categories.
  var complement: GeneralCategories {
    GeneralCategories(rawValue: ~rawValue & (1 << UInt32(Self.all.count) - 1))
  }

  /// The categories and their names, each at the index of its bit.
  private static let all: [(category: Unicode.GeneralCategory, name: String)] = [
    (.uppercaseLetter, "Lu"), (.lowercaseLetter, "Ll"), (.titlecaseLetter, "Lt"), (.modifierLetter, "Lm"),
    (.otherLetter, "Lo"), (.nonspacingMark, "Mn"), (.spacingMark, "Mc"), (.enclosingMark, "Me"),
    (.decimalNumber, "Nd"), (.letterNumber, "Nl"), (.otherNumber, "No"), (.connectorPunctuation, "Pc"),
    (.dashPunctuation, "Pd"), (.openPunctuation, "Ps"), (.closePunctuation, "Pe"), (.initialPunctuation, "Pi"),
    (.finalPunctuation, "Pf"), (.otherPunctuation, "Po"), (.mathSymbol, "Sm"), (.currencySymbol, "Sc"),
    (.modifierSymbol, "Sk"), (.otherSymbol, "So"), (.spaceSeparator, "Zs"), (.lineSeparator, "Zl"),
    (.paragraphSeparator, "Zp"), (.control, "Cc"), (.format, "Cf"), (.privateUse, "Co"), (.unassigned, "Cn"),
  ]

  private static let bits: [Unicode.GeneralCategory: UInt32] = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.category, 1 << UInt32($0)) })
}
