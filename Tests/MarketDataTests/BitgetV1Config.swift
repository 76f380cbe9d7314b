import Config

/// Bitget's API before version 2 as a config of its own: retired by the exchange, but still expressible.
enum BitgetV1Config {
  static let text = """
    { "version": 1, "exchanges": { "BitgetV1": {
      "baseUrls": ["https://api.bitget.com"],
      "success": { "where": [{ "path": "$.code", "equals": "00000" }], "code": "$.code", "message": ["$.msg"] },
      "rows": "$.data[*]",
      "fields": { "high": "$.high24h", "low": "$.low24h" },
      "markets": {
        "spot": {
          "paymentCurrencies": { "stable": ["USDT", "USDC"], "bitcoin": ["BTC"] },
          "symbol": { "path": "$.symbol", "split": "payment" },
          "fields": {
            "price": "$.close", "changePricePercent24": { "path": "$.change", "scale": 100, "basis": "rolling24h" },
            "volume24": "$.baseVol", "turnover24": "$.quoteVol", "bid": "$.buyOne", "ask": "$.sellOne",
            "time": { "path": "$.ts", "unit": "ms" } },
          "tickers": { "request": { "path": "/api/spot/v1/market/tickers" } } },
        "futures": {
          "fields": {
            "price": "$.last", "changePricePercent24": { "path": "$.priceChangePercent", "scale": 100, "basis": "rolling24h" },
            "volume24": "$.baseVolume", "turnover24": "$.quoteVolume", "bid": "$.bestBid", "ask": "$.bestAsk",
            "time": { "path": "$.timestamp", "unit": "ms" } },
          "tickers": {
            "request": { "path": "/api/mix/v1/market/tickers", "query": { "productType": "{type}" } },
            "forEach": [
              { "set": { "type": "umcbl" }, "paymentCurrencies": { "stableMargin": ["USDT"] },
                "symbol": { "path": "$.symbol", "suffix": "_UMCBL", "split": "payment" } },
              { "set": { "type": "cmcbl" }, "paymentCurrencies": { "stableMargin": ["USDC"] },
                "symbol": { "path": "$.symbol", "rules": [
                  { "suffix": "PERP_CMCBL", "payment": "USDC" }, { "suffix": "_CMCBL", "split": "payment" } ] } },
              { "set": { "type": "dmcbl" }, "paymentCurrencies": { "coinMargin": ["USD"] },
                "symbol": { "path": "$.symbol", "rules": [
                  { "match": "[0-9A-Z]+_DMCBL_[0-9]{6}", "skip": true }, { "suffix": "_DMCBL", "split": "payment" } ] } }
            ] } } } } } }
    """

  /// - Returns: nil if the config has an error.
  static func exchange() throws -> Exchange? {
    let configuration = try Configuration(text: text, name: "bitget-v1.json")
    return configuration.exchange(named: "BitgetV1").flatMap { configuration.read($0).exchange }
  }
}
