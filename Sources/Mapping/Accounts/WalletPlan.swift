package import Config
package import HTTP
package import Quotes

/// The compiled table for the state of an exchange's wallets.
package final class WalletPlan: Sendable {
  package let spec: TableSpec
  private let record: RecordPlan<NameField>
  private let networks: PathSpec?
  private let reading: PlaceReading
  private let globalAliases: [String: String]

  package init(_ wallets: AccountSpec.Wallets, globalAliases: [String: String] = [:]) {
    spec = wallets.part.table
    self.globalAliases = globalAliases
    record = RecordPlan(spec, market: nil, usesScan: false)
    networks = wallets.networks
    reading = PlaceReading(
      spec, values: [wallets.network, wallets.message], conditions: [wallets.deposit, wallets.withdraw])
  }

  /// Returns the wallets in response order; rows that name no asset are counted.
  ///
  /// - Throws: `AnswerFailure` if the response is an error or has no rows.
  package func wallets(
    in answer: HTTPResponse, _ context: ReadingContext
  ) throws(AnswerFailure) -> (rows: [WalletStatus], incomplete: Int) {
    let names = SymbolReader(plan: record.symbol, globalAliases: globalAliases)
    let document = try AnswerReader.tree(answer, hook: spec.hook, hooks: context.hooks, success: spec.success)
    return try record.readTree(document, answer, context) { (rows, reader) throws(AnswerFailure) in
      let named = try record.records(of: reader, NamedRows(field: .asset))
      var result: [WalletStatus] = []
      for (asset, index) in named.all {
        if reader.isLate() { throw .late }
        guard let row = rows[index] else { continue }
        result += try read(row, asset, named: names.asset(asset).name, context)
      }
      return (result, named.incomplete)
    }
  }

  private func read(
    _ row: TreeRow, _ spelling: String, named name: String, _ context: ReadingContext
  ) throws(AnswerFailure) -> [WalletStatus] {
    guard let networks else { return [status(of: row, parent: nil, spelling, name, hasNetwork: true, context)] }
    let nodes = try row.nodes(at: networks, of: "the networks")
    // Fiat currencies have no networks, but can be opened and closed all the same.
    if nodes.isEmpty { return [status(of: row, parent: nil, spelling, name, hasNetwork: false, context)] }
    return nodes.map { status(of: TreeRow($0), parent: row, spelling, name, hasNetwork: true, context) }
  }

  private func status(
    of row: TreeRow, parent: TreeRow?, _ spelling: String, _ name: String, hasNetwork: Bool, _ context: ReadingContext
  ) -> WalletStatus {
    reading.read(row, parent: parent, context, asset: spelling) { reader, place in
      func text(_ index: Int) -> String? { reading.values[index].flatMap { reader.text($0, at: place) } }
      func state(_ index: Int) -> WalletStatus.State {
        // All of no conditions hold, but nothing has said that the wallet is open.
        if reading.conditions[index].isEmpty { return .unknown }
        return switch reader.decision(reading.conditions[index], at: place) {
        case true?: .open
        case false?: .closed
        case nil: .unknown
        }
      }
      return WalletStatus(
        asset: name, network: hasNetwork ? text(0) : nil, deposit: state(0), withdraw: state(1), message: text(1))
    }
  }
}
