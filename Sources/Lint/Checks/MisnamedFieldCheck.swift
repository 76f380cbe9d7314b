import Config
import Inference
import JSONPath
import Quotes

/// A check for fields of tickers that are read from members whose names say that they are something else: a mark price
/// passed off as the last one, a week's volume as a day's.
enum MisnamedFieldCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.allTables.filter(\.readsTickers).flatMap { table in
      TickerField.allCases.flatMap { field in
        (table.spec.fields[field.rawValue]?.choices ?? []).compactMap { finding($0, field, table) }
      }
    }
  }

  private static func finding(_ value: ValueSpec, _ field: TickerField, _ table: Inspection.Table) -> Finding? {
    guard case .path(let path?, _) = value.origin, let steps = path.query.singularSteps, path.templates.isEmpty
    else { return nil }
    let isSpot = table.market == Market.spot.rawValue
    switch NameConflict(of: steps.names, readAs: field, isSpot: isSpot) {
    case .notLast(let basis?) where value.basis == nil:
      return table.own(.reckonedPrice(path.text, basis, at: value.node))
    case .otherSpan: return table.own(.otherSpan(path.text, field.rawValue, at: value.node))
    case .notLast, nil: return nil
    }
  }
}

extension Inspection.Table {
  fileprivate var readsTickers: Bool {
    if case .stream(let stream) = kind { [.ticker, .tickers].contains(stream.channel) } else { isOfTickers }
  }
}

extension ValueSpec {
  /// The value, or the alternatives of which it is the first that exists.
  var choices: [ValueSpec] { if case .first(let values) = origin { values } else { [self] } }
}
