import Config
import Inference
import Mapping
import Quotes

/// A verdict on the volume of futures without a turnover: whether it rather counts contracts.
///
/// A volume in coins falls with the price of the coin. A number of contracts does not, as expensive coins have small
/// contracts; times the size of a contract, it does.
struct ContractAmount {
  let severity: Finding.Severity
  let text: String
  let help: String

  /// - Returns: nil if it may be in coins, is not alone, or is computed.
  init?(_ table: TestedTable) {
    let field = TickerField.volume24.rawValue
    guard table.market == .futures, table.isWhole, table.spec.fields[TickerField.turnover24.rawValue] == nil,
      let value = table.spec.fields[field], value.parts.isEmpty, case .path(let path?, .row) = value.origin,
      let columns = table.columns
    else { return nil }
    let rows = table.rows.map(\.ticker)
    let (volumes, prices) = (rows.numbers(of: .volume24), rows.numbers(of: .price))
    let groups = rows.map { Optional($0.pair.payment) }.numbered
    guard let slope = PriceSlope(volumes: volumes, prices: prices, groups: groups, .payment),
      !slope.mayBe(coins: true)
    else { return nil }
    let own = columns.numbers(of: value)
    let answered = columns.numbers(of: table.spec.fields[TickerField.price.rawValue] ?? value)
    for column in table.unreadColumns
    where column.isInRow && NameLikeness.mayBeContractSize(column.steps.names.last ?? "") {
      let sizes = columns.numbers(of: column)
      let coins = zip(own, sizes).map { own, size in own.flatMap { own in size.map { own * $0 } } }
      guard Set(sizes.compactMap(\.self)).count > 1,
        let fitting = PriceSlope(
          volumes: coins, prices: answered, groups: Array(repeating: 0, count: coins.count), .payment),
        fitting.mayBe(coins: true), fitting.chanceOfCoins(prior: 0.5) > 0.8
      else { continue }
      severity = .error
      text = "\(field): it counts contracts, as only times \(column.path) it falls with the price like coins"
      help = "write { \"product\": [\"\(path.text)\", \"\(column.path)\"] }"
      return
    }
    severity = .note
    text = "\(field): \(slope.text): does it count contracts?"
    help = "if so, multiply it by the size of a contract with \"product\""
  }
}
