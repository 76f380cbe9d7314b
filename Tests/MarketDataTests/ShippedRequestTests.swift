import Catalog
import MarketData
import Quotes
import Testing

/// What each shipped venue is asked, to the letter.
@Suite("Requests of the shipped venues")
struct ShippedRequestTests {
  static let bulk: [String: [String]] = [
    "Binance-spot": [
      "GET https://api.binance.com/api/v3/ticker/24hr"
        + " | https://api-gcp.binance.com/api/v3/ticker/24hr"
        + " | https://data-api.binance.vision/api/v3/ticker/24hr"
    ],
    "Binance-futures": [
      "GET https://dapi.binance.com/dapi/v1/exchangeInfo",
      "GET https://dapi.binance.com/dapi/v1/ticker/24hr",
      "GET https://dapi.binance.com/dapi/v1/ticker/bookTicker",
      "GET https://fapi.binance.com/fapi/v1/ticker/24hr",
      "GET https://fapi.binance.com/fapi/v1/ticker/bookTicker",
    ],
    "Bybit-spot": [
      "GET https://api.bybit.com/v5/market/tickers?category=spot"
        + " | https://api.bytick.com/v5/market/tickers?category=spot"
    ],
    "Bybit-futures": [
      "GET https://api.bybit.com/v5/market/tickers?category=inverse"
        + " | https://api.bytick.com/v5/market/tickers?category=inverse",
      "GET https://api.bybit.com/v5/market/tickers?category=linear"
        + " | https://api.bytick.com/v5/market/tickers?category=linear",
    ],
    "Bitget-spot": ["GET https://api.bitget.com/api/v2/spot/market/tickers"],
    "Bitget-futures": [
      "GET https://api.bitget.com/api/v2/mix/market/tickers?productType=COIN-FUTURES",
      "GET https://api.bitget.com/api/v2/mix/market/tickers?productType=USDC-FUTURES",
      "GET https://api.bitget.com/api/v2/mix/market/tickers?productType=USDT-FUTURES",
    ],
    "Okx-spot": ["GET https://www.okx.com/api/v5/market/tickers?instType=SPOT"],
    "Okx-futures": ["GET https://www.okx.com/api/v5/market/tickers?instType=SWAP"],
    "Kraken-spot": [
      "GET https://api.kraken.com/0/public/AssetPairs",
      "GET https://api.kraken.com/0/public/Ticker",
    ],
    "Kraken-futures": [
      "GET https://futures.kraken.com/derivatives/api/v3/tickers",
      "GET https://futures.kraken.com/derivatives/api/v3/tickers",
    ],
    "Upbit-spot": ["GET https://api.upbit.com/v1/ticker/all?quote_currencies=KRW,BTC,USDT"],
    "Bithumb-spot": [
      "GET https://api.bithumb.com/v1/market/all",
      "GET https://api.bithumb.com/v1/ticker?markets=KRW-BTC,KRW-ETH,KRW-USDT,KRW-PEPE,BTC-ETH,KRW-XRP",
    ],
    "Coinone-spot": ["GET https://api.coinone.co.kr/public/v2/ticker_new/KRW"],
    "Korbit-spot": [
      "GET https://api.digitalx.miraeasset.com/v2/currencyPairs | https://api.korbit.co.kr/v2/currencyPairs",
      "GET https://api.digitalx.miraeasset.com/v2/tickers | https://api.korbit.co.kr/v2/tickers",
    ],
    "Gopax-spot": ["GET https://api.gopax.co.kr/tickers", "GET https://api.gopax.co.kr/trading-pairs"],
    "BithumbLegacy-spot": [
      "GET https://api.bithumb.com/public/ticker/ALL_BTC", "GET https://api.bithumb.com/public/ticker/ALL_KRW",
    ],
    "Bitbank-spot": ["GET https://public.bitbank.cc/tickers"],
    "Bitflyer-spot": ["GET https://api.bitflyer.com/v1/getmarkets"]
      + ["BCH_BTC", "BTC_JPY", "ETH_BTC", "ETH_JPY", "MONA_JPY", "XLM_JPY", "XRP_JPY"].map {
        "GET https://api.bitflyer.com/v1/getticker?product_code=\($0)"
      },
    "Bitflyer-futures": [
      "GET https://api.bitflyer.com/v1/getmarkets",
      "GET https://api.bitflyer.com/v1/getticker?product_code=FX_BTC_JPY",
    ],
    "Coincheck-spot": ["GET https://coincheck.com/api/exchange_status"]
      + ["btc_jpy", "doge_jpy", "eth_jpy", "pepe_jpy", "xrp_jpy"].map {
        "GET https://coincheck.com/api/ticker?pair=\($0)"
      },
    "Gmo-spot": ["GET https://api.coin.z.com/public/v1/ticker"],
    "Gmo-futures": ["GET https://api.coin.z.com/public/v1/ticker"],
    "Coinbase-spot": ["GET https://api.exchange.coinbase.com/products/stats"],
    "Luno-spot": ["GET https://api.luno.com/api/1/tickers"],
    "Indodax-spot": ["GET https://indodax.com/api/pairs", "GET https://indodax.com/api/summaries"],
    "Bitvavo-spot": ["GET https://api.bitvavo.com/v2/markets", "GET https://api.bitvavo.com/v2/ticker/24h"],
    "Kucoin-spot": ["GET https://api.kucoin.com/api/v1/market/allTickers"],
    "Kucoin-futures": [
      "GET https://api-futures.kucoin.com/api/v1/allTickers",
      "GET https://api-futures.kucoin.com/api/v1/contracts/active",
    ],
  ]

  /// Where a pair is not here, the venue is not asked for it: its payment currencies do not hold it.
  static let single: [String: [String]] = [
    "Binance-spot BTC/USDT": [
      "GET https://api.binance.com/api/v3/ticker/24hr?symbol=BTCUSDT"
        + " | https://api-gcp.binance.com/api/v3/ticker/24hr?symbol=BTCUSDT"
        + " | https://data-api.binance.vision/api/v3/ticker/24hr?symbol=BTCUSDT"
    ],
    "Binance-futures BTC/USD": [
      "GET https://dapi.binance.com/dapi/v1/exchangeInfo",
      "GET https://dapi.binance.com/dapi/v1/ticker/24hr?symbol=BTCUSD_PERP",
      "GET https://dapi.binance.com/dapi/v1/ticker/bookTicker?symbol=BTCUSD_PERP",
    ],
    "Binance-futures BTC/USDT": [
      "GET https://fapi.binance.com/fapi/v1/ticker/24hr?symbol=BTCUSDT",
      "GET https://fapi.binance.com/fapi/v1/ticker/bookTicker?symbol=BTCUSDT",
    ],
    "Bybit-spot BTC/USDT": [
      "GET https://api.bybit.com/v5/market/tickers?category=spot&symbol=BTCUSDT"
        + " | https://api.bytick.com/v5/market/tickers?category=spot&symbol=BTCUSDT"
    ],
    "Bybit-futures BTC/USD": [
      "GET https://api.bybit.com/v5/market/tickers?category=inverse&symbol=BTCUSD"
        + " | https://api.bytick.com/v5/market/tickers?category=inverse&symbol=BTCUSD"
    ],
    "Bybit-futures BTC/USDT": [
      "GET https://api.bybit.com/v5/market/tickers?category=linear&symbol=BTCUSDT"
        + " | https://api.bytick.com/v5/market/tickers?category=linear&symbol=BTCUSDT"
    ],
    "Bitget-spot BTC/USDT": ["GET https://api.bitget.com/api/v2/spot/market/tickers?symbol=BTCUSDT"],
    "Bitget-futures BTC/USD": [
      "GET https://api.bitget.com/api/v2/mix/market/ticker?symbol=BTCUSD&productType=COIN-FUTURES"
    ],
    "Bitget-futures BTC/USDT": [
      "GET https://api.bitget.com/api/v2/mix/market/ticker?symbol=BTCUSDT&productType=USDT-FUTURES"
    ],
    "Okx-spot BTC/USD": ["GET https://www.okx.com/api/v5/market/ticker?instId=BTC-USD"],
    "Okx-spot BTC/USDT": ["GET https://www.okx.com/api/v5/market/ticker?instId=BTC-USDT"],
    "Okx-futures BTC/USD": ["GET https://www.okx.com/api/v5/market/ticker?instId=BTC-USD-SWAP"],
    "Okx-futures BTC/USDT": ["GET https://www.okx.com/api/v5/market/ticker?instId=BTC-USDT-SWAP"],
    "Kraken-spot BTC/USD": ["GET https://api.kraken.com/0/public/Ticker?pair=XBTUSD"],
    "Kraken-spot BTC/USDT": ["GET https://api.kraken.com/0/public/Ticker?pair=XBTUSDT"],
    "Kraken-futures BTC/USD": [
      "GET https://futures.kraken.com/derivatives/api/v3/tickers/PF_XBTUSD",
      "GET https://futures.kraken.com/derivatives/api/v3/tickers/PI_XBTUSD",
    ],
    "Upbit-spot BTC/KRW": ["GET https://api.upbit.com/v1/ticker?markets=KRW-BTC"],
    "Upbit-spot BTC/USDT": ["GET https://api.upbit.com/v1/ticker?markets=USDT-BTC"],
    "Bithumb-spot BTC/KRW": ["GET https://api.bithumb.com/v1/ticker?markets=KRW-BTC"],
    "Coinone-spot BTC/KRW": ["GET https://api.coinone.co.kr/public/v2/ticker_new/KRW/BTC"],
    "Korbit-spot BTC/KRW": [
      "GET https://api.digitalx.miraeasset.com/v2/tickers?symbol=btc_krw"
        + " | https://api.korbit.co.kr/v2/tickers?symbol=btc_krw"
    ],
    "Gopax-spot BTC/KRW": [
      "GET https://api.gopax.co.kr/trading-pairs/BTC-KRW/stats",
      "GET https://api.gopax.co.kr/trading-pairs/BTC-KRW/ticker",
    ],
    "BithumbLegacy-spot BTC/KRW": ["GET https://api.bithumb.com/public/ticker/BTC_KRW"],
    "Bitbank-spot BTC/JPY": ["GET https://public.bitbank.cc/btc_jpy/ticker"],
    "Bitflyer-spot BTC/JPY": ["GET https://api.bitflyer.com/v1/getticker?product_code=BTC_JPY"],
    "Bitflyer-futures BTC/JPY": ["GET https://api.bitflyer.com/v1/getticker?product_code=FX_BTC_JPY"],
    "Coincheck-spot BTC/JPY": ["GET https://coincheck.com/api/ticker?pair=btc_jpy"],
    "Gmo-spot BTC/JPY": ["GET https://api.coin.z.com/public/v1/ticker?symbol=BTC"],
    "Gmo-futures BTC/JPY": ["GET https://api.coin.z.com/public/v1/ticker?symbol=BTC_JPY"],
    "Coinbase-spot BTC/USD": ["GET https://api.exchange.coinbase.com/products/BTC-USD/stats"],
    "Coinbase-spot BTC/USDT": ["GET https://api.exchange.coinbase.com/products/BTC-USDT/stats"],
    "Luno-spot BTC/USDT": ["GET https://api.luno.com/api/1/ticker?pair=XBTUSDT"],
    "Indodax-spot BTC/USDT": ["GET https://indodax.com/api/summaries", "GET https://indodax.com/api/ticker/btcusdt"],
    "Bitvavo-spot BTC/EUR": ["GET https://api.bitvavo.com/v2/ticker/24h?market=BTC-EUR"],
    "Kucoin-spot BTC/USDT": ["GET https://api.kucoin.com/api/v1/market/stats?symbol=BTC-USDT"],
    "Kucoin-futures BTC/USD": [
      "GET https://api-futures.kucoin.com/api/v1/contracts/XBTUSDM",
      "GET https://api-futures.kucoin.com/api/v1/ticker?symbol=XBTUSDM",
    ],
    "Kucoin-futures BTC/USDT": [
      "GET https://api-futures.kucoin.com/api/v1/contracts/XBTUSDTM",
      "GET https://api-futures.kucoin.com/api/v1/ticker?symbol=XBTUSDTM",
    ],
  ]

  /// What venues of one country are asked for.
  static let payments: [String: [String]] = [
    "Bitbank": ["JPY", "USDT"], "Bitflyer": ["JPY", "USDT"], "Coincheck": ["JPY", "USDT"], "Gmo": ["JPY", "USDT"],
    "Bitvavo": ["EUR", "USDT"],
  ]

  @Test(arguments: ShippedConfig.markets)
  func aTableOfAllPairs(of shipped: ShippedMarket) async throws {
    let replay = try Replay()
    _ = await replay.report(on: shipped)
    #expect(replay.log.lines == Self.bulk[shipped.name])
  }

  @Test(arguments: ShippedConfig.markets)
  func onePair(of shipped: ShippedMarket) async throws {
    for payment in Self.payments[shipped.venue.name] ?? ["USDT", "KRW", "USD"] {
      let replay = try Replay()
      _ = await replay.report(on: shipped, pair: Pair(asset: "BTC", payment: payment))
      let name = "\(shipped.name) BTC/\(payment)"
      #expect(replay.log.lines == Self.single[name] ?? [], "\(name)")
    }
  }
}
