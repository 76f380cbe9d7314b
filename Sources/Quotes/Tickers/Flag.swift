/// Something about a row that the reader has to know.
package struct Flag: Sendable, Hashable {
  /// What was checked. The raw value is printed and written to JSON: it never changes.
  package enum Kind: String, Sendable {
    case range, change, turnover, stale, identity, duplicate
    case bidAsk = "bid-ask"
  }

  /// What may have gone wrong, or would put it right.
  package enum Advice: Sendable, Hashable {
    /// The change fits when its point is moved by so many places.
    case scale(power: Int)
    case otherSign
    case otherOpen
    /// Volume and turnover stand in each other's place.
    case swapped
    case otherUnit(factor: Decimal)
    case otherCurrency
    case timeUnit

    package var text: String {
      switch self {
      case .scale(let power): "scale it by \(Decimal(1).scaledByPowerOfTen(power).shortest)"
      case .otherSign: "its sign is the wrong way round"
      case .otherOpen: "is it measured from another open?"
      case .swapped: "volume and turnover look swapped"
      case .otherUnit(let factor): "off by a factor of \(factor), a slip of the unit or the contract size"
      case .otherCurrency: "contract size, or another currency?"
      case .timeUnit: "check unit and zone"
      }
    }
  }

  package var kind: Kind
  /// What was found, with the numbers.
  package var fact: String
  package var advice: Advice?
  /// Whether the row is left out of every headline (largest premium, disparity).
  package var excludes: Bool

  package init(_ kind: Kind, _ fact: String, advice: Advice? = nil, excludes: Bool = true) {
    self.kind = kind
    self.fact = fact
    self.advice = advice
    self.excludes = excludes
  }

  /// The stable name of the finding: `range`, `bid-ask`.
  package var code: String { kind.rawValue }

  /// One sentence, in lower case and without a full stop.
  package var message: String { fact + (advice.map { ": \($0.text)" } ?? "") }
}
