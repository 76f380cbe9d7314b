package import Config
import JSON
import JSONPath
package import Quotes

/// Infers from recorded messages and a simultaneous table how a channel of rows is read.
///
/// A message belongs to the channel if it contains a pair of the table with the table's numbers; what only those
/// messages have in common are the conditions. Names propose, the table's numbers decide.
package struct StreamInference {
  /// The table's data for a pair.
  package struct KnownRow: Sendable {
    /// As spelled in `{symbol}`, `{asset}` and `{payment}`.
    package let symbol: String
    package let asset: String
    package let payment: String
    package let pair: Pair
    package let numbers: [Role: Double]
  }

  let roots: [JSONNode]
  let rows: [KnownRow]
  /// Whether the table has no amount of a day, with which a reader would compare the sizes of trades.
  package var lacksVolume = false
  /// Where the table reads each field, according to the config.
  private let tablePaths: [Role: String]
  let bySymbol: [String: Int]
  /// By asset and payment currency, both in canonical names and the exchange's.
  let byNames: [Pair: Int]
  /// `BTCUSDT` for each pair, whatever the table's symbol is.
  let joinedNames: Set<String>
  /// All names in `byNames`.
  let currencies: Set<String>
  let joinedRule: AffixedRule?
  /// The columns of the messages whose places have a single value.
  let columns: [ScalarColumn]
  /// The same, to be read along with rows.
  let around: [SampleColumn]

  /// The number of messages beyond which more add nothing.
  private static let messageLimit = 200

  /// - Parameters:
  ///   - messages: as received, but decompressed; those that are not JSON are skipped.
  ///   - rows: of the table requested at the same time.
  ///   - tablePaths: the plain paths of the table's fields.
  package init(_ messages: [[UInt8]], beside rows: [KnownRow], tablePaths: [Role: String]) {
    roots = messages.prefix(Self.messageLimit).compactMap { try? JSONDocument(parsing: $0).root }
    self.rows = rows
    self.tablePaths = tablePaths
    bySymbol = Dictionary(
      rows.enumerated().map { ($1.symbol.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
    let names = rows.enumerated().flatMap { index, row in
      [(row.pair, index), (Pair(asset: row.asset.uppercased(), payment: row.payment.uppercased()), index)]
    }
    byNames = Dictionary(names, uniquingKeysWith: { first, _ in first })
    joinedNames = Set(byNames.keys.map { $0.asset + $0.payment })
    currencies = Set(byNames.keys.flatMap { [$0.asset, $0.payment] })
    joinedRule = Self.joinedRule(of: rows)
    columns = ScalarColumn.columns(of: roots.map { [$0] }, limit: 200, isInRow: false)
    around = columns.map(SampleColumn.init)
  }

  /// - Throws: `SampleProblem` if no message contains a pair of the table.
  package func proposal() throws(SampleProblem) -> StreamProposal {
    guard !roots.isEmpty else { throw .noStream("no message is JSON") }
    var best = Best<StreamProposal>()
    var refusal: SampleProblem?
    for place in places {
      guard let table = RowTable(place, in: roots, around: around) else { continue }
      for symbol in symbols(of: table) {
        let known = symbol.known.map { $0.map { rows[$0] } }
        let (fields, isSaid): (fields: [StreamProposal.Field], isSaid: [Bool])
        do { (fields, isSaid) = try StreamFields.ofTickers(table, known, tablePaths) } catch {
          refusal = refusal ?? error
          continue
        }
        let taken = Set(table.messages.indices.filter { isSaid[$0] }.map { table.messages[$0] })
        guard !taken.isEmpty, fields.contains(where: { $0.confidence > 0 }) else { continue }
        let proposal = StreamProposal(
          frame: frame(place, symbol, taken, conditions(of: taken, place, symbol)), fields: fields)
        // Most certain fields in most messages, then most fields at all; among equals, the rows most like the table's.
        best.take(
          proposal,
          rank: [
            proposal.sure.count * taken.count, fields.count { $0.confidence > 0 } * taken.count,
            fields.count(where: \.isInherited), symbol.isInRow ? 1 : 0, place.steps.count,
          ])
      }
    }
    // Read from farther out, the same rows have the price alone.
    if let refusal, best.value?.sure.contains(where: { StreamFields.dayRoles.contains($0.role) }) != true {
      throw refusal
    }
    guard let found = best.value else {
      throw .noStream("no message names a pair of the table and has its numbers")
    }
    return found
  }

  func frame(_ place: Place, _ symbol: FoundSymbol, _ taken: Set<Int>, _ conditions: [ConfigValue]) -> StreamFrame {
    StreamFrame(
      rows: place.text, symbol: symbol.value, symbolText: symbol.text, conditions: conditions,
      messageCount: roots.count, takenCount: taken.count)
  }

  /// Returns whether any row of the messages has something at a path below it.
  package func hasAnything(at path: String, below rows: String) -> Bool {
    guard let rows = try? JSONPathQuery(rows), let path = try? JSONPathQuery(path) else { return false }
    return roots.contains { root in rows.nodes(in: root).contains { !path.nodes(in: $0).isEmpty } }
  }
}

extension StreamInference.KnownRow {
  /// - Parameters:
  ///   - asset: as spelled by the exchange, like the payment currency.
  /// - Returns: nil for a row of many units, as its numbers are not the exchange's.
  package init?(_ row: Ticker, asset: String, payment: String) {
    guard row.multiplier == nil else { return nil }
    let numbers = Role.allCases.filter { $0 != .time }.compactMap { role in
      row.cell(role.field).value.flatMap { Double($0.shortest) }.map { (role, $0) }
    }
    (symbol, pair, self.asset, self.payment) = (row.symbol, row.pair, asset, payment)
    self.numbers = Dictionary(numbers, uniquingKeysWith: { first, _ in first })
  }
}

extension StreamInference {
  /// Returns the paths of a table's fields that are read unchanged.
  package static func plainPaths(of table: TableSpec) -> [Role: String] {
    Role.allCases.reduce(into: [:]) { paths, role in
      guard let value = table.fields[role.field.rawValue], value.capture == nil, value.decimals.isEmpty,
        value.scale == nil || role == .change, case .path(let path?, .row) = value.origin, path.templates.isEmpty
      else { return }
      paths[role] = path.text
    }
  }
}
