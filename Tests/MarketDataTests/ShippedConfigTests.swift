import Catalog
import JSON
import Quotes
import Testing

@Suite("The shipped config")
struct ShippedConfigTests {
  @Test func everyBlockReadsWithoutAFinding() throws {
    let catalog = try ShippedConfig.read()
    #expect(catalog.diagnostics == [])
    for source in catalog.venues { #expect(catalog.read(source).diagnostics == [], "\(source.name)") }
    for name in catalog.providerNames { #expect(catalog.readProvider(name).diagnostics == [], "\(name)") }
  }

  @Test func itHoldsTheVenuesInOrder() throws {
    let catalog = try ShippedConfig.read()
    #expect(
      catalog.venueNames == [
        "Binance", "Bybit", "Bitget", "Okx", "Kraken", "Upbit", "Bithumb", "Coinone", "Korbit", "Gopax",
        "BithumbLegacy", "Bitbank", "Bitflyer", "Coincheck", "Gmo", "Coinbase", "Luno", "Indodax", "Bitvavo", "Kucoin",
      ])
    #expect(catalog.providerNames == ["Dunamu", "OpenExchangeRates", "EuropeanCentralBank"])
    #expect(catalog.retired.map(\.name) == ["BitMEX", "BitMart", "CoinEx"])
    #expect(catalog.retired.map(\.since) == ["2026-09-23", "2026-07-26", "2026-09-22"])
    let futures = ShippedConfig.venues.filter { $0.market(.futures) != nil }.map(\.name)
    #expect(futures == ["Binance", "Bybit", "Bitget", "Okx", "Kraken", "Bitflyer", "Gmo", "Kucoin"])
  }

  @Test func onlyTheOlderApiOfBithumbIsOff() {
    #expect(ShippedConfig.venues.filter { !$0.isEnabled }.map(\.name) == ["BithumbLegacy"])
  }

  @Test func everyVenueSaysWhereItsFactsComeFrom() {
    for venue in ShippedConfig.venues {
      #expect(venue.documentation?.hasPrefix("https://") == true, "\(venue.name)")
      #expect(venue.note?.isEmpty == false, "\(venue.name)")
      #expect(!venue.names.isEmpty && venue.badge?.isEmpty == false, "\(venue.name)")
    }
  }

  @Test(arguments: [
    ("바이낸스", "Binance"), ("오케이엑스", "Okx"), ("OKEX", "Okx"), ("업비트", "Upbit"), ("빗썸", "Bithumb"),
    ("ビットバンク", "Bitbank"), ("코빗", "Korbit"), ("Digital X", "Korbit"), ("디지털엑스", "Korbit"), ("고팍스", "Gopax"),
    ("bitFlyer", "Bitflyer"), ("GMO Coin", "Gmo"), ("コインチェック", "Coincheck"), ("coinbase exchange", "Coinbase"),
    ("kucoin", "Kucoin"),
  ])
  func peopleFindAVenueByTheirNameForIt(written: String, name: String) throws {
    #expect(try ShippedConfig.read().venue(named: written)?.name == name)
  }

  /// A date stands for a recorded body of the present endpoint whose rows passed the checks of meaning, see
  /// `ShippedRecordingTests`; everything else ships as documented.
  @Test func onlyWhatARecordingShowsIsVerified() {
    var verified: [String] = []
    for shipped in ShippedConfig.markets {
      for (kind, tables) in [("tickers", shipped.market.tickers), ("ticker", shipped.market.ticker)] {
        for table in tables {
          guard let date = table.verified else { continue }
          let path = table.request.node["path"]?.json.string ?? ""
          verified.append("\(shipped.testDescription) \(kind) \(path) \(date)")
        }
      }
    }
    #expect(
      verified == [
        "Binance spot tickers /api/v3/ticker/24hr 2024-11-01",
        "Binance spot ticker /api/v3/ticker/24hr 2024-11-01",
        "Binance futures tickers /fapi/v1/ticker/24hr 2021-01-27",
        "Binance futures tickers /dapi/v1/ticker/24hr 2021-01-27",
        "Binance futures ticker /fapi/v1/ticker/24hr 2021-01-27",
        "Binance futures ticker /dapi/v1/ticker/24hr 2021-01-27",
        "Kraken spot tickers /Ticker 2017-10-03",
        "Kraken spot ticker /Ticker 2017-10-03",
        "Upbit spot ticker /v1/ticker 2024-03-13",
        "Gopax spot ticker /trading-pairs/{asset}-{payment}/ticker 2018-03-12",
        "BithumbLegacy spot tickers /ticker/ALL_{quote} 2021-06-01",
        "BithumbLegacy spot tickers /ticker/ALL_{quote} 2021-06-01",
        "BithumbLegacy spot ticker /ticker/{asset}_{payment} 2021-06-01",
        "BithumbLegacy spot ticker /ticker/{asset}_{payment} 2021-06-01",
        "Gmo spot tickers /ticker 2019-07-08",
        "Gmo spot ticker /ticker 2019-07-08",
        "Gmo futures tickers /ticker 2019-07-08",
        "Gmo futures ticker /ticker 2019-07-08",
        "Luno spot tickers /tickers 2017-10-03",
        "Luno spot ticker /ticker 2017-10-03",
      ])
  }
}
