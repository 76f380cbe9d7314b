import Config
import Inference
import JSONPath
import Quotes

/// Finds fields that are read from members whose names say that they are something else.
///
/// Numbers do not show everything: a mark price is near the last one in every row, and what was traded in a week looks
/// like a busy day. Names are no proof either, so only those of known words count, and for a price also what the mapping
/// could read instead.
struct NamedFields {
  private let table: TestedTable
  private let paths: [MappedPath]

  init(_ table: TestedTable) {
    self.table = table
    paths = MappedPath.paths(of: table.spec).filter { $0.isWhole && $0.isInRow }
  }

  var findings: [Finding] {
    guard table.columns != nil else { return [] }
    return [price, span(of: .volume24), span(of: .turnover24), span(of: .changePricePercent24)].compactMap(\.self)
  }

  /// Returns the path that a field is read from, with what its names say against it; nil if it is computed, or nothing is.
  private func conflict(of field: TickerField) -> (path: MappedPath, conflict: NameConflict)? {
    let own = paths.filter { $0.field == field }
    guard own.count == 1, let path = own.first, let steps = path.path.query.singularSteps, path.path.templates.isEmpty,
      let conflict = NameConflict(of: steps.names, readAs: field, isSpot: table.market == .spot)
    else { return nil }
    return (path, conflict)
  }

  private var price: Finding? {
    guard let (path, conflict) = conflict(of: .price), case .notLast(let basis) = conflict,
      [nil, PriceBasis.last.rawValue].contains(path.value.basis)
    else { return nil }
    let better = table.unreadColumns.first { column in
      column.isInRow && NameLikeness.mayBeLastPrice(column.steps.names.joined(separator: "_"))
        && column.values.values.contains { $0.number.map { $0 > 0 } ?? false }
    }
    guard better != nil || basis != nil else { return nil }
    let help = [
      better.map { "use \"\($0.path)\" (\($0.example))" }, basis.map { "write \"basis\": \"\($0.rawValue)\"" },
    ]
    return finding(
      .price, better == nil ? .warning : .error, "by its name, \(path.path.text) is not the last price",
      help: help.compactMap(\.self).joined(separator: ", or "))
  }

  private func span(of field: TickerField) -> Finding? {
    guard let path = conflict(of: field)?.path else { return nil }
    return finding(
      field, .error, "by its name, \(path.path.text) does not cover 24 hours",
      help: "use a member that does, or leave \(field.rawValue) out")
  }

  private func finding(_ field: TickerField, _ severity: Finding.Severity, _ text: String, help: String) -> Finding {
    table.finding(.fieldMisnamed, severity, "\(field.rawValue): \(text)", on: field, help: help)
  }
}
