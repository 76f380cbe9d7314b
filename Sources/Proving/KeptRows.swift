package import Config
import Files
import Mapping
package import Quotes

/// The rows of an exchange's tables as text, one line each: kept with a cassette, they are the expected result of all
/// later tests of it.
package struct KeptRows: Sendable, Hashable {
  /// The name of the file among the recordings.
  package static let fileName = "rows.tsv"

  /// Tab-separated: the row's key, then its values.
  let lines: [String]

  private static let titles =
    ["market", "asked", "symbol", "pair", "product"] + TickerField.allCases.map(\.rawValue) + ["flags"]
  /// The number of key columns.
  private static let keyColumns = 3

  init(_ lines: [String]) { self.lines = lines }

  /// Parses kept rows; nil if the text is something else.
  init?(text: String) {
    let lines = text.split(separator: "\n").map(String.init).filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard lines.first == Self.titles.joined(separator: "\t") else { return nil }
    self.lines = Array(lines.dropFirst())
  }

  /// Reads the rows kept in a folder; nil if there are none.
  package init?(in folder: String) {
    guard let bytes = try? FileSystem.read("\(folder)/\(Self.fileName)") else { return nil }
    self.init(text: String(decoding: bytes, as: UTF8.self))
  }

  /// Returns what stands in the line of a block: `(candles 1h)`.
  static func name(of kind: BlockKind, _ interval: CandleInterval?) -> String {
    switch kind {
    case .orderbook: "(order book)"
    case .trades: "(trades)"
    case .candles: "(candles \(interval?.rawValue ?? ""))"
    }
  }

  /// Returns the rows without the lines of a block, or of candles of one interval.
  ///
  /// - Parameter pair: nil for those of all pairs.
  package func without(_ kind: BlockKind, _ interval: CandleInterval?, of market: Market, _ pair: Pair?) -> KeptRows {
    let name = Self.name(of: kind, interval)
    return KeptRows(
      lines.filter { line in
        let cells = Self.cells(of: line).prefix(3)
        let isOfPair = pair.map { cells.count > 1 && cells[1] == "\($0)" } ?? true
        return !(cells.first == market.rawValue && cells.last == name && isOfPair)
      })
  }

  /// Returns whether these are the kept rows and nothing else but lines of blocks that have none among those.
  package func differsOnlyByNewBlocks(from kept: KeptRows) -> Bool {
    func key(_ line: String) -> [String] { Array(Self.cells(of: line).prefix(Self.keyColumns)) }
    let known = Set(kept.lines.map(key))
    return lines.filter { known.contains(key($0)) || !Self.isOfBlock(key($0)) } == kept.lines
  }

  /// Returns whether the key of a line is that of a block.
  private static func isOfBlock(_ key: [String]) -> Bool { key.last?.hasPrefix("(") == true }

  /// Returns a line with texts of an exchange, which may have line breaks and tabs.
  static func line(_ cells: [String]) -> String {
    cells.map { cell in String(cell.map { $0.isNewline || $0 == "\t" ? " " : $0 }) }.joined(separator: "\t")
  }

  private static func cells(of line: String) -> [String] {
    line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }

  package var text: String {
    let head = [
      "# The result of the recordings beside this file. `market test-exchange --accept` writes it again.",
      Self.titles.joined(separator: "\t"),
    ]
    return (head + lines).joined(separator: "\n") + "\n"
  }

  // MARK: Comparing

  /// Returns how the rows differ from the kept ones, a sentence for each kind of difference.
  ///
  /// - Parameter exchange: The exchange's name, for the findings.
  ///
  /// - Parameter option: What a command needs to find the same config.
  package func differences(from kept: KeptRows, of exchange: String, _ option: String = "") -> [Finding] {
    guard self != kept else { return [] }
    let old = Self.byKey(kept.lines)
    let new = Self.byKey(lines)
    var changes: [String: [String]] = [:]
    for (key, before) in old {
      guard let now = new[key], now != before else { continue }
      for (index, (title, cells)) in zip(Self.titles.dropFirst(Self.keyColumns), zip(before, now)).enumerated()
      where cells.0 != cells.1 {
        // Lines of blocks have no fields.
        let name = before.count == 1 || Self.isOfBlock(key.columns) || index == 0 && before.count < 4 ? "result" : title
        changes[name, default: []].append("\(key.name) was \(cells.0), is \(cells.1)")
      }
      if before.count != now.count { changes["result", default: []].append("\(key.name) differs") }
    }
    let gone = old.keys.filter { new[$0] == nil }.map(\.name).sorted()
    let added = new.keys.filter { old[$0] == nil }.map(\.name).sorted()
    func finding(_ text: String, help: String? = nil) -> Finding {
      Finding(.rowsDiffer, .error, text, about: .exchange(exchange), help: help)
    }
    var found: [Finding] = []
    if !gone.isEmpty {
      found.append(finding("\(gone.count.counted("row")) of the kept table missing: \(gone.list(upTo: 3))"))
    }
    if !added.isEmpty {
      found.append(
        finding(
          "\(added.count.counted("row")) not in the kept table: \(added.list(upTo: 3))",
          help: "if right, keep what is new with: market test-exchange \(exchange.shellWord) --accept\(option)"))
    }
    for (title, rows) in changes.sorted(by: { $0.key < $1.key }) {
      found.append(
        finding("\(title) differs from the kept table in \(rows.count.counted("row")): \(rows.sorted()[0])"))
    }
    // The same lines in a different order.
    return found.isEmpty ? [finding("the rows are in a different order than in the kept table")] : found
  }

  private struct Key: Hashable {
    let columns: [String]
    /// Distinguishes lines with the same columns.
    let number: Int

    /// `spot * BTCUSDT`.
    var name: String { columns.joined(separator: " ") }
  }

  private static func byKey(_ lines: [String]) -> [Key: [String]] {
    var counts: [[String]: Int] = [:]
    var result: [Key: [String]] = [:]
    for line in lines {
      let cells = cells(of: line)
      let columns = Array(cells.prefix(keyColumns))
      counts[columns, default: 0] += 1
      result[Key(columns: columns, number: counts[columns, default: 0])] = Array(cells.dropFirst(keyColumns))
    }
    return result
  }
}
