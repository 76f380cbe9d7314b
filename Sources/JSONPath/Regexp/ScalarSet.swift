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
    let matching = Self.names.indices.filter { Self.names[$0].hasPrefix(name) }
    guard (1...2).contains(name.utf8.count), !matching.isEmpty else { return nil }
    rawValue = matching.reduce(0) { $0 | 1 << UInt32($1) }
  }

  /// Creates the set of a scalar's category.
  init(of scalar: Unicode.Scalar) { rawValue = 1 << Self.index(of: scalar.properties.generalCategory) }

  /// All other categories.
  var complement: GeneralCategories {
    GeneralCategories(rawValue: ~rawValue & (1 << UInt32(Self.names.count) - 1))
  }

  /// The names, each at the index of its bit.
  private static let names = [
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm",
    "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn",
  ]

  private static func index(of category: Unicode.GeneralCategory) -> UInt32 {
    switch category {
    case .uppercaseLetter: 0
    case .lowercaseLetter: 1
    case .titlecaseLetter: 2
    case .modifierLetter: 3
    case .otherLetter: 4
    case .nonspacingMark: 5
    case .spacingMark: 6
    case .enclosingMark: 7
    case .decimalNumber: 8
    case .letterNumber: 9
    case .otherNumber: 10
    case .connectorPunctuation: 11
    case .dashPunctuation: 12
    case .openPunctuation: 13
    case .closePunctuation: 14
    case .initialPunctuation: 15
    case .finalPunctuation: 16
    case .otherPunctuation: 17
    case .mathSymbol: 18
    case .currencySymbol: 19
    case .modifierSymbol: 20
    case .otherSymbol: 21
    case .spaceSeparator: 22
    case .lineSeparator: 23
    case .paragraphSeparator: 24
    case .control: 25
    case .format: 26
    case .privateUse: 27
    case .unassigned, .surrogate: 28
    @unknown default: 28
    }
  }
}
