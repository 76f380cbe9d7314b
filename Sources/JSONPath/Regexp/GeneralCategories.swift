/// Unicode's general categories as a set: every scalar is in exactly one of them.
struct GeneralCategories: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The categories that a name in `\p{…}` stands for (RFC 9485 §3, IsCategory): one, `Lu`, or all with a first
  /// letter, `L`. nil for other names; surrogates, `Cs`, have none as they are no scalars.
  init?(named name: some StringProtocol) {
    let matching = Self.names.indices.filter { Self.names[$0].hasPrefix(name) }
    guard (1...2).contains(name.utf8.count), !matching.isEmpty else { return nil }
    rawValue = matching.reduce(0) { $0 | 1 << UInt32($1) }
  }

  /// The one category of a scalar.
  init(of scalar: Unicode.Scalar) {
    rawValue = 1 << Self.index(of: scalar.properties.generalCategory)
  }

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
