import Quotes
import TestSupport

@testable import Config
@testable import Inference

extension Transformation {
  /// Additional members that a table may have, each close to a role but not filling it.
  static let confusers: [Transformation] =
    confusing("a mark price", ["markPrice", "mPx", "mark_price", "mp"], of: .price) { $0 * 1.0004 }
    + confusing("an index price", ["indexPrice", "idxPx", "oraclePrice", "underlying_price"], of: .price) {
      $0 * 0.9991
    }
    + confusing("a fair price", ["fairPrice", "midPrice", "theoretical_price", "estPrice"], of: .price) { $0 * 0.9997 }
    + confusing("an average", ["weightedAvgPrice", "vwap", "avg_price_24h", "average"], of: .price) { $0 * 1.003 }
    + confusing("the price of before", ["prevPrice", "previousLast", "yesterdayPrice", "last_price_1h"], of: .price) {
      $0 * 0.988
    }
    + confusing("yesterday's high", ["yesterdayHigh", "prevHigh", "high_7d", "highestEver"], of: .high) { $0 * 1.06 }
    + confusing("yesterday's low", ["yesterdayLow", "prevLow", "low_7d", "athLow"], of: .low) { $0 * 0.93 }
    + confusing("a week's volume", ["volume7d", "prevVolume", "vol30d", "volumeMonth"], of: .volume) { $0 * 7.3 }
    + confusing("a volume in dollars", ["volumeUsd", "usd_volume_24h", "turnoverUSD", "volUsd"], of: .volume) {
      $0 * 3.17
    }
    + confusing("other changes", ["change7d", "change_1h_percent", "percentChangeWeek", "priceChange30d"], of: .change)
  {
    $0 * 2.7 + 0.011
  }
    + confusing(
      "the change of the Korean day", ["changeKst", "kst_change_rate", "changeRateUtc0", "todayChange"], of: .change
    ) { $0 * 0.6 + 0.004 }
    + confusing("a funding rate", ["fundingRate", "nextFundingRate", "predicted_funding", "fr"], of: .price) { _ in
      0.0001
    }
    + confusing("an id", ["lastId", "lastTradeId", "last_update_id", "seq"], of: .price) { 81_234_567 + $0.rounded() }
    + confusing("a count", ["count", "tradeCount", "num_trades", "trades24h"], of: .price) { ($0 * 7).rounded() + 3 }
    + confusing("sizes", ["bidSize", "askQty", "lastQty", "best_ask_amount"], of: .price) { 3 / $0 + 1 }
    + confusing("open interest", ["openInterest", "oi", "open_interest_usd", "holdVol"], of: .volume) { $0 * 0.43 }
    + confusing("limits", ["maxPrice", "priceLimitUp", "min_order_price", "upperBound"], of: .price) { $0 * 1.1 }
    + confusing("a settlement", ["settlePrice", "settlementPx", "deliveryPrice", "lastSettle"], of: .price) {
      $0 * 1.002
    }

  /// Returns one transformation: each body gets all of the names in turn, at the front or the end.
  private static func confusing(
    _ description: String, _ names: [String], of role: Role, _ value: @escaping @Sendable (Double) -> Double
  ) -> [Transformation] {
    [
      Transformation("extra: \(description)") { table, proposal in
        guard let steps = proposal.steps(role) else { return nil }
        var table = table
        let name = names[table.rows.count % names.count]
        for index in table.rows.indices {
          guard case .object(let members) = table.rows[index].value else { return nil }
          guard let number = table.rows[index].value[steps[...]]?.scalarText.flatMap(SampleColumn.number) else {
            continue
          }
          guard value(number).isFinite else { continue }
          guard !members.contains(where: { $0.name == name }) else { return nil }
          // As many digits as prices have, and no pattern that a relation could mistake for its own.
          let noise = 1 + 0.0001 * Double((index * 7919) % 13 - 6)
          let text = "\(value(number) * (role == .price && value(number) > 1_000_000 ? 1 : noise))"
          let extra = JSONTree.Member(name: name, value: text.contains("e") ? .text(text) : .raw(text))
          table.rows[index].value = .object(index >= 0 && names.count % 2 == 0 ? [extra] + members : members + [extra])
        }
        return table
      }
    ]
  }
}
