/// A set of Unicode scalars as a character class describes it: ranges, and general categories.
struct ScalarSet: Hashable, Sendable {
  private var ranges: [ClosedRange<UInt32>] = []
  private var categories: UInt32 = 0
  private var isComplement = false
  /// The members below U+0080 as bits, complement and all: most text is ASCII.
  private var ascii: (low: UInt64, high: UInt64) = (0, 0)

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
    updateASCII()
  }

  /// Inserts the scalars of general categories, a bit for each: see `GeneralCategories`.
  mutating func insert(_ categories: GeneralCategories) {
    self.categories |= categories.rawValue
    updateASCII()
  }

  /// Turns the set into that of all other scalars.
  mutating func complement() {
    isComplement.toggle()
    updateASCII()
  }

  func contains(_ scalar: UInt32) -> Bool {
    if scalar < 64 { return ascii.low & (1 << UInt64(scalar)) != 0 }
    if scalar < 128 { return ascii.high & (1 << UInt64(scalar - 64)) != 0 }
    return search(scalar)
  }

  /// The member of a set that was made of a single scalar.
  var onlyScalar: UInt32? {
    guard ranges.count == 1, categories == 0, !isComplement, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }

  private func search(_ scalar: UInt32) -> Bool {
    if ranges.contains(where: { $0.contains(scalar) }) { return !isComplement }
    guard categories != 0, let scalar = Unicode.Scalar(scalar) else { return isComplement }
    return (categories & GeneralCategories(of: scalar).rawValue != 0) != isComplement
  }

  private mutating func updateASCII() {
    ascii = (0, 0)
    for bit in 0..<UInt32(64) {
      if search(bit) { ascii.low |= 1 << UInt64(bit) }
      if search(bit + 64) { ascii.high |= 1 << UInt64(bit) }
    }
  }

  static func == (left: ScalarSet, right: ScalarSet) -> Bool {
    left.ranges == right.ranges && left.categories == right.categories && left.isComplement == right.isComplement
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ranges)
    hasher.combine(categories)
    hasher.combine(isComplement)
  }
}
