import Mapping
import MarketData
import Quotes

/// What the tables of a trial came to, as text with a line for each row: kept beside a cassette, it says what every
/// later trial on it has to come to.
package struct TrialRecord: Sendable, Hashable {
  /// Tab-separated: where the line belongs, then what stands there.
  package let lines: [String]

  private static let fields = TickerField.allCases
  private static let titles = ["market", "asked", "symbol", "pair", "product"] + fields.map(\.rawValue) + ["flags"]
  /// How many columns say which row it is.
  private static let keyColumns = 3

  init(_ tables: [TrialTable], _ books: [TrialBook], hooks: HookRegistry) {
    lines =
      tables.flatMap { Self.lines(of: $0, hooks) }
      + books.map { ([$0.market.rawValue, "\($0.pair)"] + $0.recordCells).joined(separator: "\t") }
  }

  init(_ rates: [TrialRate]) { lines = rates.map(\.recordLine) }

  /// Reads a record that was written before; nil where the text is none.
  package init?(text: String) {
    let lines = text.split(separator: "\n").map(String.init).filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard lines.first == Self.titles.joined(separator: "\t") else { return nil }
    self.lines = Array(lines.dropFirst())
  }

  package var text: String {
    let head = [
      "# What the recordings beside this file come to. `market test-exchange --accept` writes it anew.",
      Self.titles.joined(separator: "\t"),
    ]
    return (head + lines).joined(separator: "\n") + "\n"
  }

  // MARK: Writing

  private static func lines(of table: TrialTable, _ hooks: HookRegistry) -> [String] {
    let asked = [table.pair.map { "\($0)" } ?? "*", table.part].filter { !$0.isEmpty }.joined(separator: " ")
    func line(_ cells: [String]) -> String {
      ([table.market.rawValue, asked] + cells).map { $0.withoutBreaks }.joined(separator: "\t")
    }
    var lines = table.rows.map { row -> String in
      let ticker = row.ticker
      let cells = [ticker.symbol, "\(ticker.pair)", ticker.product ?? ""] + fields.map { cell($0, of: ticker) }
      return line(cells + [ticker.flags.map(\.code).joined(separator: " ")])
    }
    for (reason, count) in table.gathered.table.dropped.sorted(by: { $0.key < $1.key }) {
      lines.append(line(["(dropped by \(reason))", "\(count)"]))
    }
    for symbol in table.gathered.table.unsplit { lines.append(line(["(not split) \(symbol.symbol)"])) }
    for failure in table.failures {
      let refusal = table.isUnlisted ? table.refusal(hooks) : nil
      let words = refusal.map { [$0.code, $0.message].compactMap(\.self).joined(separator: " ") } ?? failure.message
      lines.append(line(["(failed)", failure.reason.code + (words.map { ": \($0)" } ?? "")]))
    }
    return lines
  }

  private static func cell(_ field: TickerField, of ticker: Ticker) -> String {
    if field == .time { return ticker.time?.iso8601 ?? "(\(ticker.timeMissing?.code ?? ""))" }
    switch ticker.cell(field) {
    case .value(let value): return ticker.exactText[field] ?? "\(value)"
    case .missing(let reason): return "(\(reason.code))"
    }
  }

  // MARK: Comparing

  /// How this record differs from the one that was kept, a sentence for each kind of difference.
  package func differences(from kept: TrialRecord) -> [TrialFinding] {
    guard self != kept else { return [] }
    let old = Self.byKey(kept.lines)
    let new = Self.byKey(lines)
    var changes: [String: [String]] = [:]
    for (key, before) in old {
      guard let now = new[key], now != before else { continue }
      for (index, (title, cells)) in zip(Self.titles.dropFirst(Self.keyColumns), zip(before, now)).enumerated()
      where cells.0 != cells.1 {
        let name = before.count == 1 || index == 0 && before.count < 4 ? "result" : title
        changes[name, default: []].append("\(key.name) was \(cells.0), is \(cells.1)")
      }
      if before.count != now.count { changes["result", default: []].append("\(key.name) is another") }
    }
    let gone = old.keys.filter { new[$0] == nil }.map(\.name).sorted()
    let added = new.keys.filter { old[$0] == nil }.map(\.name).sorted()
    var texts: [String] = []
    if !gone.isEmpty { texts.append("\(Self.count(gone, "row")) of the kept table missing: \(Self.list(gone))") }
    if !added.isEmpty { texts.append("\(Self.count(added, "row")) not in the kept table: \(Self.list(added))") }
    for (title, found) in changes.sorted(by: { $0.key < $1.key }) {
      texts.append("\(title) differs from the kept table in \(Self.count(found, "row")): \(found.sorted()[0])")
    }
    // The same lines in another order.
    if texts.isEmpty { texts.append("the rows come in another order than in the kept table") }
    return texts.map { TrialFinding(.problem, $0) }
  }

  private struct Key: Hashable {
    let columns: [String]
    /// Which of several lines with the same columns.
    let number: Int

    /// `spot * BTCUSDT`.
    var name: String { columns.joined(separator: " ") }
  }

  private static func byKey(_ lines: [String]) -> [Key: [String]] {
    var counts: [[String]: Int] = [:]
    var result: [Key: [String]] = [:]
    for line in lines {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let columns = Array(cells.prefix(keyColumns))
      counts[columns, default: 0] += 1
      result[Key(columns: columns, number: counts[columns, default: 0])] = Array(cells.dropFirst(keyColumns))
    }
    return result
  }

  private static func count(_ texts: [String], _ noun: String) -> String {
    "\(texts.count) \(noun)\(texts.count == 1 ? "" : "s")"
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
  }
}

extension String {
  fileprivate var withoutBreaks: String {
    String(map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }
}
