import Config
import JSON
import JSONPath
import Quotes

/// A check for sides that are read from a flag about one of the two traders, the wrong way round.
enum SwappedSidesCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.allTables.compactMap { table in
      guard let side = table.spec.fields["side"], let words = side.side,
        case .path(let path?, _) = side.origin, case .member(let flag)? = path.query.singularSteps?.last,
        let isBuy = takerBought(where: flag),
        (isBuy ? words.sellWords : words.buyWords).contains(where: { ["true", "1"].contains($0.lowercased()) })
      else { return nil }
      return table.own(.swappedSides(flag, isBuy: isBuy, at: side.node))
    }
  }

  /// Returns whether the taker bought in a trade with that flag, and not sold; nil if its name says neither.
  private static func takerBought(where flag: String) -> Bool? {
    let name = flag.lowercased()
    let (isOfSeller, isOfMaker) = (name.contains("seller"), name.contains("maker"))
    guard isOfSeller != name.contains("buyer"), isOfMaker != name.contains("taker") else { return nil }
    return isOfSeller == isOfMaker
  }
}
