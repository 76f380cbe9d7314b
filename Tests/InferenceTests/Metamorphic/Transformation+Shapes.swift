import Quotes
import TestSupport

@testable import Config
@testable import Inference

extension Transformation {
  /// Another form of the same values.
  static let shapes: [Transformation] = [
    rows("shape: numbers as text") { row in
      row.mappingScalars { scalar in
        if case .raw(let text) = scalar, SampleColumn.number(text) != nil { .text(text) } else { scalar }
      }
    },
    rows("shape: texts as numbers") { row in
      row.mappingScalars { scalar in
        guard case .text(let text) = scalar, isPlainNumber(text) else { return scalar }
        return .raw(text)
      }
    },
    Transformation("shape: wrapped once more") { table, _ in
      var table = table
      table.wrappings = ["result", "list"]
      return table
    },
    rows("shape: each row in a member") { .object([.init(name: "ticker", value: $0)]) },
    rows("shape: arrays without names") { $0.withoutNames },
    Transformation("shape: array by symbol") { table, proposal in
      guard case .path(let path)? = proposal.symbol?.source else { return nil }
      let steps = SampleTable.steps(path)
      var table = table
      for index in table.rows.indices { table.rows[index].key = table.rows[index].value[steps[...]]?.scalarText }
      let keys = table.rows.compactMap(\.key)
      return Set(keys).count == table.rows.count ? table : nil
    },
    Transformation("shape: members as an array") { table, proposal in
      guard case .key? = proposal.symbol?.source else { return nil }
      var table = table
      for index in table.rows.indices {
        guard case .object(let members) = table.rows[index].value, let key = table.rows[index].key else { return nil }
        table.rows[index].value = .object([.init(name: "symbol", value: .text(key))] + members)
        table.rows[index].key = nil
      }
      return table
    },
    Transformation("shape: rows shuffled") { table, _ in
      var table = table
      var generator = SeededGenerator(seed: 7)
      table.rows.shuffle(using: &generator)
      return table
    },
    rows("shape: members reversed") { row in
      guard case .object(let members) = row else { return row }
      return .object(members.reversed())
    },
    keeping(2), keeping(3), keeping(5), keeping(10),
    Transformation("shape: five rows from the middle") { table, _ in
      var table = table
      table.rows = Array(table.rows.dropFirst(table.rows.count / 2).prefix(5))
      return table.rows.count >= 2 ? table : nil
    },
  ]

  private static func isPlainNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first, Double(text) != nil, first != 0x2B, first != 0x2E else { return false }
    let digits = text.utf8.first == 0x2D ? text.dropFirst() : text[...]
    let isPlain = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    return isPlain && digits.utf8.last != 0x2E && !(digits.hasPrefix("0") && digits.dropFirst().first?.isNumber == true)
  }

  private static func keeping(_ count: Int) -> Transformation {
    Transformation("shape: the first \(count) rows") { table, _ in
      guard table.rows.count >= count else { return nil }
      var table = table
      table.rows = Array(table.rows.prefix(count))
      return table
    }
  }

  // MARK: Symbols

  /// Another spelling of the pairs.
  static let symbols: [Transformation] = [
    spelling("symbol: BTC_USDT") { "\($0.asset)_\($0.payment)" },
    spelling("symbol: btc-usdt") { "\($0.asset)-\($0.payment)".lowercased() },
    spelling("symbol: BTC/USDT") { "\($0.asset)/\($0.payment)" },
    spelling("symbol: BTCUSDT") { $0.asset + $0.payment },
    spelling("symbol: USDT_BTC") { "\($0.payment)_\($0.asset)" },
    spelling("symbol: usdt-btc") { "\($0.payment)-\($0.asset)".lowercased() },
    spelling("symbol: USDTBTC") { $0.payment + $0.asset },
    spelling("symbol: BTC-USDT-SWAP") { "\($0.asset)-\($0.payment)-SWAP" },
    spelling("symbol: BTC_USDT_PERP") { "\($0.asset)_\($0.payment)_PERP" },
    spelling("symbol: PERP_BTC_USDT") { "PERP_\($0.asset)_\($0.payment)" },
    spelling("symbol: BTC/USDT:USDT") { "\($0.asset)/\($0.payment):\($0.payment)" },
    spelling("symbol: BTCUSDT-PERP") { "\($0.asset)\($0.payment)-PERP" },
    spelling("symbol: tBTCUSDT") { "t\($0.asset)\($0.payment)" },
    spelling("symbol: spot:BTC-USDT") { "spot:\($0.asset)-\($0.payment)" },
  ]

  private static func spelling(
    _ description: String, _ symbol: @escaping @Sendable (Pair) -> String
  ) -> Transformation {
    Transformation(description) { table, proposal in
      guard let found = proposal.symbol, found.isSure else { return nil }
      var table = table
      table.rows = table.rows.filter { $0.origin < found.pairs.count && found.pairs[$0.origin] != nil }
      for index in table.rows.indices {
        guard let pair = found.pairs[table.rows[index].origin] else { return nil }
        switch found.source {
        case .key: table.rows[index].key = symbol(pair)
        case .path(let path): table.rows[index].value[SampleTable.steps(path)[...]] = .text(symbol(pair))
        default: return nil
        }
      }
      let names = table.rows.compactMap(\.key)
      return table.rows.count >= 2 && (names.isEmpty || Set(names).count == names.count) ? table : nil
    }
  }
}
