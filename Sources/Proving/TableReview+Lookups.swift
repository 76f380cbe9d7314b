import Config
import Mapping
import MarketData
import Quotes

extension TableReview {
  /// Reports optional lookups that failed: rows stay without them, and nothing else shows it.
  func failedLookups(of table: TestedTable) -> [Finding] {
    // A pair that is not listed has no entry there either.
    guard !table.rows.isEmpty else { return [] }
    return table.spec.lookups.filter(\.isOptional).compactMap { lookup in
      let failed = table.gathered.lookupFailures.first { $0.part == "lookup \(lookup.name)" }
      return failed.map { part in
        let isUnrecorded = part.failure.reason == .notRecorded
        return table.finding(
          isUnrecorded ? .notRecorded : .tableFailed, isUnrecorded ? .note : .error,
          "the optional lookup '\(lookup.name)': \(part.failure.words)")
      }
    }
  }

  /// Reports lookups without an entry for any row of the table: the key or the match is another member.
  func lookupMismatches(of table: TestedTable) -> [Finding] {
    guard table.isWhole, let columns = table.columns, !columns.rows.isEmpty else { return [] }
    // A lookup that only provides a batch's keys is not read by rows.
    let spec = table.spec
    let values =
      Array(spec.fields.values) + spec.conditions.map(\.value) + spec.symbol.values + spec.lookups.map(\.match)
    let read = Set(values.flatMap(\.lookupNames))
    return spec.lookups.filter { read.contains($0.name) }.compactMap { lookup in
      guard let entries = table.lookupColumns[lookup.name], !entries.rows.isEmpty else { return nil }
      let wanted = columns.texts(of: lookup.match).compactMap(\.self)
      let keys = entries.texts(of: lookup.key).compactMap(\.self)
      guard Set(wanted).isDisjoint(with: keys) else { return nil }
      let text =
        "no row has an entry in the lookup '\(lookup.name)': \(Self.summary(lookup.match, "match", wanted)), "
        + Self.summary(lookup.key, "key", keys)
      let help =
        entries.pathFitting(wanted).map { "write \"key\": \"\($0)\"" }
        ?? columns.pathFitting(keys).map { "write \"match\": \"\($0)\"" }
      return table.finding(.lookupMismatch, .error, text, help: help)
    }
  }

  /// `"key" $.name is X1, X2, …`
  private static func summary(_ value: ValueSpec, _ key: String, _ texts: [String]) -> String {
    let path = ["\"\(key)\"", value.firstPath].compactMap(\.self).joined(separator: " ")
    guard !texts.isEmpty else { return "\(path) leads nowhere" }
    return "\(path) is \(texts.list(upTo: 3))"
  }
}

extension AnswerColumns {
  /// Returns the member of the rows whose values include the most, and at least half, of some texts.
  fileprivate func pathFitting(_ texts: [String]) -> String? {
    let texts = Set(texts)
    let found = columns.filter(\.isInRow).map { column in
      (path: column.path, count: texts.intersection(column.values.values.map(\.text)).count)
    }
    // Ties go to the first in the answer.
    guard let best = found.reversed().max(by: { $0.count < $1.count }), best.count > 0, best.count * 2 >= texts.count
    else { return nil }
    return best.path
  }
}
