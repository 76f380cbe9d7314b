/// Why a futures row has no disparity.
package enum DisparityAbsence: Error, Sendable, Hashable, CustomStringConvertible {
  /// The exchange has no spot row of the pair.
  case noSpot
  /// Its spot row is not usable.
  case spot(HeadlineObjection)
  /// The futures row itself is not usable.
  case futures(HeadlineObjection)

  /// `no spot`, `spot stale`, `futures mark`.
  package var description: String {
    switch self {
    case .noSpot: "no spot"
    case .spot(let objection): "spot \(objection.code)"
    case .futures(let objection): "futures \(objection.code)"
    }
  }
}
