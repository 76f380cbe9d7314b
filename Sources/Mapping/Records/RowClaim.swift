import Config

/// What the conditions of tables say of a row.
enum RowClaim: Equatable {
  case taken
  /// It is of a kind that is left out on purpose.
  case declined
  /// It is of none of the kinds that are read: of this one.
  case unknown(kind: String)
}

extension ValueReader {
  /// Returns what tables that read the same rows say of one together.
  ///
  /// - Parameter claims: the conditions of each table.
  func claim(ofAll claims: [[ConditionPlan]], at place: RowPlace) -> RowClaim {
    let claims = claims.map { claim($0, at: place) }
    return [.taken, .declined].first(where: claims.contains) ?? claims.first ?? .taken
  }

  /// `equals` and `in` list the kinds that are read; so a value that they do not have may be one that whoever wrote them
  /// did not know, unless `notIn` names it.
  private func claim(_ conditions: [ConditionPlan], at place: RowPlace) -> RowClaim {
    var kind: String?
    var isTaken = true
    for condition in conditions where !holds(condition, at: place) {
      isTaken = false
      switch condition.test {
      case .notIn: return .declined
      case .equals, .isIn: kind = kind ?? text(condition.value, at: place) ?? "null"
      default: break
      }
    }
    return isTaken ? .taken : kind.map { .unknown(kind: $0) } ?? .declined
  }
}
