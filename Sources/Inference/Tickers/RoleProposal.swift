package import Quotes

/// A field of the ticker block, and how certain it is.
package struct RoleProposal: Sendable {
  package struct RunnerUp: Hashable, Sendable {
    package let path: String
    package let confidence: Double
    /// Whether the numbers speak for it and against the proposed path, and its name not against it.
    package var isLikelier = false
  }

  package let role: Role
  package var path: String
  /// Whether the value is read from the response instead of the row.
  package var isFromResponse = false
  /// The first meaningful value, as written by the exchange.
  package var example: String
  /// 0…1.
  package var confidence: Double
  package var runnerUp: RunnerUp?
  package var evidence: [String]
  /// What speaks against it, which is in the evidence too.
  package var doubts: [String] = []
  package var unitDoubt: UnitDoubt?
  /// Whether it is a change that is computed from the open at `path`.
  package var isFromOpen = false
  /// 100 for a change that is a ratio.
  package var scale: Decimal?
  /// Whether a change is as likely a percentage as a ratio.
  package var isUnitOpen = false
  /// For a change that is rather the price by its open: what it is times that, 1 or 100. No scale makes it a change.
  package var priceRatio: Decimal?
  /// For a change, high or low: only if the name reveals it.
  package var basis: ChangeBasis?
  /// For a price, only if it is not that of the last trade.
  package var priceBasis: PriceBasis?
  package var isTradeTime = false
  package var timeForm: TimeRole.Form?
  /// For a time without a zone, the offset of the clock that its numbers are of.
  package var zone: String?
  /// Characters to strip before parsing the number.
  package var strip = ""
  /// Texts that mean "no value", in addition to the built-in ones.
  package var missing: [String] = []

  /// The confidence from which a role is accepted without asking.
  package static let threshold = 0.75

  /// Why a change is rather the price by its open.
  package static func nearOne(_ unit: Decimal) -> String { "all values are near \(unit), as of a price by another" }

  package var isSure: Bool { confidence >= Self.threshold }
}

extension RoleProposal {
  package init(role: Role, path: String) {
    self.init(role: role, path: path, example: "", confidence: 1, evidence: [])
  }
}
