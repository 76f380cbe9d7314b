import Config

/// How many exchanges offer order books, trades and candles, and how their recordings fare, as shown on a page.
struct RecordedBlockCoverage {
  private struct Line {
    let kind: BlockKind
    var offering: [String] = []
    var lacking: [String] = []
    /// Exchanges with a response of theirs that can be read.
    var recorded: Set<String> = []
    var read = 0
    var fromExchanges = 0
    var fitting = 0
    var refused: [(file: String, code: String)] = []
    var others: [String: Int] = [:]
  }

  private var lines: [Line] = []

  init() throws {
    for kind in BlockKind.allCases {
      var line = Line(kind: kind)
      for exchange in ShippedConfig.exchanges {
        let offers = exchange.markets.contains { $0.offers(kind) }
        if offers { line.offering.append(exchange.name) } else { line.lacking.append(exchange.name) }
      }
      for recorded in RecordedBlock.all where recorded.kind == kind {
        switch try recorded.verdict() {
        case .read(let reading):
          line.read += 1
          guard recorded.isFromExchange else { continue }
          line.fromExchanges += 1
          line.recorded.insert(reading.market.exchange.name)
          if reading.readersAgree, reading.findings.isEmpty { line.fitting += 1 }
        case .refused(let code): line.refused.append((recorded.name, code))
        case .other(let cause): line.others[cause, default: 0] += 1
        }
      }
      lines.append(line)
    }
  }

  var markdown: String {
    var text = """
      | | exchanges | not offered | with a recording | answers read | of them from exchanges | fitting | refused | of other interfaces |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |

      """
    for line in lines {
      let figures = [
        line.offering.count, line.lacking.count, line.recorded.count, line.read, line.fromExchanges, line.fitting,
        line.refused.count, line.others.values.reduce(0, +),
      ]
      text += "| \(line.kind.rawValue) | \(figures.map { String($0) }.joined(separator: " | ")) |\n"
    }
    text += "\n"
    for line in lines {
      if !line.lacking.isEmpty {
        text += "- \(line.kind.rawValue), not offered: \(line.lacking.joined(separator: ", "))\n"
      }
      let without = line.offering.filter { !line.recorded.contains($0) }
      text += "- \(line.kind.rawValue), no recording: \(without.joined(separator: ", "))\n"
      for (file, code) in line.refused { text += "- refused, `\(file)`: \(code)\n" }
      let others = line.others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      text +=
        "- \(line.kind.rawValue) of other interfaces: "
        + others.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + "\n"
    }
    return text
  }
}

extension ExchangeMarket {
  fileprivate func offers(_ kind: BlockKind) -> Bool {
    switch kind {
    case .orderbook: !orderbooks.isEmpty
    case .trades: !trades.isEmpty
    case .candles: !candles.isEmpty
    }
  }
}
