/// A set of Unicode scalars as a character class describes it: ranges, and general categories.
struct ScalarSet: Hashable, Sendable {
  private var ranges: [ClosedRange<UInt32>] = []
  private var categories: UInt32 = 0
  private var isComplement = false

  /// What "." matches: all but line feed and carriage return (RFC 9485 §4).
  static let dot: ScalarSet = {
    var set = ScalarSet()
    set.insert("\n"..."\n")
    set.insert("\r"..."\r")
    set.complement()
    return set
  }()

  init() {}

  init(_ scalar: Unicode.Scalar) {
    insert(scalar...scalar)
  }

  mutating func insert(_ range: ClosedRange<Unicode.Scalar>) {
    ranges.append(range.lowerBound.value...range.upperBound.value)
  }

  /// Inserts the scalars of general categories, a bit for each: see `GeneralCategories`.
  mutating func insert(_ categories: GeneralCategories) {
    self.categories |= categories.rawValue
  }

  /// Turns the set into that of all other scalars.
  mutating func complement() {
    isComplement.toggle()
  }

  /// The member of a set that was made of a single scalar.
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
