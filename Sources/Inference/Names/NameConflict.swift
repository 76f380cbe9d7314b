package import Quotes

/// What the name of a member says against reading a ticker's field from it.
package enum NameConflict: Equatable {
  /// A price that is not the last one, and is known to be reckoned rather than traded if it has a basis.
  case notLast(PriceBasis?)
  /// Of another span than a day: `volume30d`, `change7d`.
  case otherSpan

  /// - Parameters:
  ///   - names: the names on the path to the member.
  ///   - isSpot: whether it is in a spot market's table, where `spot` does not mean the index of a future.
  /// - Returns: nil if the name fits, or says nothing.
  package init?(of names: [String], readAs field: TickerField, isSpot: Bool) {
    let name = (isSpot ? names.map(Self.withoutSpot) : names).joined(separator: "_")
    switch field {
    case .price where NameLikeness.denies(name, .price): self = .notLast(Self.basis(of: name))
    case .volume24, .turnover24, .changePricePercent24:
      guard FieldName(name).has(.otherWindow) else { return nil }
      self = .otherSpan
    default: return nil
    }
  }

  private static func withoutSpot(_ name: String) -> String {
    name.lowercased().hasPrefix("spot") ? String(name.dropFirst(4)) : name
  }

  private static func basis(of name: String) -> PriceBasis? {
    let words = FieldName(name)
    if FieldName.chunks(of: name).contains(where: { ["mid", "middle"].contains($0.lowercased()) }) { return .mid }
    return words.has(.index) ? .oracle : words.has(.mark) ? .mark : nil
  }
}

extension RoleProposal {
  /// Returns what the name of its member says against the role; nil if it fits, or says nothing.
  package func conflict(isSpot: Bool) -> NameConflict? {
    SamplePath(path).flatMap { NameConflict(of: $0.names, readAs: role.field, isSpot: isSpot) }
  }

  /// The basis of a price whose name says that it is reckoned rather than traded; nil for any other role.
  package func basisOfName(isSpot: Bool) -> PriceBasis? {
    if case .notLast(let basis)? = conflict(isSpot: isSpot) { basis } else { nil }
  }
}
