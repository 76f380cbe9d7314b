package import Quotes

/// The meaning of a response column in a ticker.
package enum Role: String, CaseIterable, Sendable {
  case price, high, low, bid, ask, open, volume, turnover, change, time

  package var field: TickerField {
    switch self {
    case .price: .price
    case .high: .high
    case .low: .low
    case .bid: .bid
    case .ask: .ask
    case .open: .open
    case .volume: .volume24
    case .turnover: .turnover24
    case .change: .changePricePercent24
    case .time: .time
    }
  }
}

/// A sign that numbers count a small unit: the remedy is a scale, not another place.
package struct UnitDoubt: Hashable, Sendable {
  /// It is among the doubts of its role, too.
  package let reason: String
  /// The path of the member that may say how many digits are decimals.
  package var decimals: String?
  /// What the numbers are multiplied by, according to the name; nil if it does not say.
  package var scale: Decimal?
  /// The confidence in the role once the unit is known.
  package fileprivate(set) var otherwise = 0.0

  init(reason: String, decimals: String? = nil, scale: Decimal? = nil) {
    (self.reason, self.decimals, self.scale) = (reason, decimals, scale)
  }
}

/// A role, its likely column, and why.
struct RoleFinding: Sendable {
  struct Other: Sendable {
    let column: Int
    let confidence: Double
    /// Whether the numbers speak for it and against the chosen column, and its name not against it.
    var isLikelier = false
  }

  let role: Role
  var column: Int
  var confidence: Double
  var runnerUp: Other?
  /// Short phrases, the strongest reason first.
  var evidence: [String]
  /// What speaks against it, which is in the evidence too.
  private(set) var doubts: [String] = []
  private(set) var unitDoubt: UnitDoubt?

  /// Lowers the confidence to a limit, for a reason.
  mutating func doubt(_ limit: Double = 0.5, because reason: String) {
    confidence = min(confidence, limit)
    evidence.append(reason)
    doubts.append(reason)
  }

  /// Says what has lowered the confidence, which is in the evidence already.
  mutating func admit(_ reason: String) { doubts.append(reason) }

  /// Lowers the confidence in numbers that seem to count a small unit.
  mutating func doubt(_ unit: UnitDoubt) {
    guard let known = unitDoubt else {
      unitDoubt = unit
      unitDoubt?.otherwise = confidence
      return doubt(because: unit.reason)
    }
    evidence.append(unit.reason)
    unitDoubt?.scale = known.scale ?? unit.scale
  }

  /// Takes it as given, whatever was found.
  mutating func confirm(_ evidence: [String]) {
    (confidence, runnerUp) = (1, nil)
    self.evidence = evidence
  }
}

extension [RoleFinding] {
  subscript(_ role: Role) -> RoleFinding? { first { $0.role == role } }

  /// The column of each role.
  var columns: [Role: Int] { Dictionary(map { ($0.role, $0.column) }) { first, _ in first } }
}
