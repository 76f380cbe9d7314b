import Config
import JSON
import Quotes
import TestSupport
import Testing

@Suite("Shipped config")
struct ShippedConfigTests {
  @Test func everyBlockReadsWithoutFindings() throws {
    let configuration = try ShippedConfig.read()
    #expect(configuration.diagnostics == [])
    for source in configuration.exchanges { #expect(configuration.read(source).diagnostics == [], "\(source.name)") }
    for name in configuration.providerNames { #expect(configuration.readProvider(name).diagnostics == [], "\(name)") }
  }

  /// The exchanges in order with their markets, and whether a recording proves their mapping. A date means that a
  /// recording's rows of the current endpoint passed the checks (`ShippedRecordingTests`); others ship as documented.
  @Test func contentsMatchGolden() throws {
    let configuration = try ShippedConfig.read()
    var lines: [String] = []
    for shipped in ShippedConfig.markets {
      lines.append(shipped.testDescription)
      for (kind, tables) in [("tickers", shipped.market.tickers), ("ticker", shipped.market.ticker)] {
        for table in tables {
          guard let date = table.verified else { continue }
          lines.append("  verified \(date): \(kind) \(table.request.node["path"]?.json.string ?? "")")
        }
      }
    }
    lines += configuration.providerNames.map { "rates: \($0)" }
    lines += configuration.retired.map { "retired: \($0.name) \($0.since)" }
    Golden.expect(lines.map { $0 + "\n" }.joined(), matches: "shipped.txt")
  }

  /// An exchange's whole mapping fits on one screen.
  @Test func exchangeFitsOnOneScreen() throws {
    let configuration = try ShippedConfig.read()
    let lengths = configuration.exchanges.map { source in
      let text = source.own[0].json.text
      return (name: source.name, lines: text.split(separator: "\n", omittingEmptySubsequences: false).count)
    }
    let sum = lengths.reduce(0) { $0 + $1.lines }
    let longest = lengths.sorted { $0.lines > $1.lines }.prefix(3).map { "\($0.name) \($0.lines)" }
    let mean = Double(sum) / Double(lengths.count)
    print("\(lengths.count) exchanges, \(mean) lines in the mean; longest: \(longest.joined(separator: ", "))")
    #expect(mean < 115)
  }

  /// What is traded changes from minute to minute: a lookup that conditions read is kept for ten minutes at most.
  @Test func decisiveLookupsAreNotKeptForLong() {
    for shipped in ShippedConfig.markets {
      for table in shipped.market.tickers + shipped.market.ticker {
        let decisive = Set(table.conditions.flatMap(\.value.lookupNames))
        let old = table.lookups.filter { decisive.contains($0.name) && $0.timeToLiveSeconds > 600 }
        #expect(old.map(\.name) == [], "\(shipped.testDescription)")
      }
    }
  }

  @Test func onlyOldBithumbAPIIsDisabled() {
    #expect(ShippedConfig.exchanges.filter { !$0.isEnabled }.map(\.name) == ["BithumbLegacy"])
  }

  @Test func everyExchangeNamesItsSources() {
    for exchange in ShippedConfig.exchanges {
      #expect(exchange.documentation?.hasPrefix("https://") == true, "\(exchange.name)")
      #expect(exchange.note?.isEmpty == false, "\(exchange.name)")
      #expect(!exchange.names.isEmpty && exchange.badge?.isEmpty == false, "\(exchange.name)")
    }
  }

  @Test(arguments: [
    ("바이낸스", "Binance"), ("오케이엑스", "Okx"), ("OKEX", "Okx"), ("업비트", "Upbit"), ("빗썸", "Bithumb"),
    ("ビットバンク", "Bitbank"), ("코빗", "Korbit"), ("Digital X", "Korbit"), ("digitalx", "Korbit"),
    ("디지털엑스", "Korbit"), ("고팍스", "Gopax"), ("bitFlyer", "Bitflyer"), ("GMO Coin", "Gmo"), ("gmo-coin", "Gmo"),
    ("コインチェック", "Coincheck"), ("coinbase exchange", "Coinbase"), ("kucoin", "Kucoin"),
  ])
  func exchangesAreFoundByCommonNames(written: String, name: String) throws {
    #expect(try ShippedConfig.read().exchange(named: written)?.name == name)
  }
}
