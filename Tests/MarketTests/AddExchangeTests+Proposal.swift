extension AddExchangeTests {
  /// What is written of the exchange.
  static let block = """
    "Newex": {
      "baseUrls": ["https://api.newex.example"],
      "success": { "where": [{ "path": "$.code", "equals": "0" }], "code": "$.code", "message": ["$.msg"] },
      "rows": "$.rows[*]",
      "symbol": { "path": "$.pair", "split": "_" },
      "fields": {
        "price": "$.last",
        "changePricePercent24": { "path": "$.changeRate24h", "scale": 100, "basis": "rolling24h" },
        "volume24": "$.vol24h",
        "turnover24": "$.value24h",
        "open": "$.open24h",
        "high": { "path": "$.high24h", "basis": "rolling24h" },
        "low": { "path": "$.low24h", "basis": "rolling24h" },
        "bid": "$.bestBid",
        "ask": "$.bestAsk",
        "time": { "path": "$.ts", "unit": "ms" } },
      "markets": {
        "spot": {
          "paymentCurrencies": { "bitcoin": ["BTC"], "fiat": ["KRW"] },
          "tickers": { "request": { "path": "/v1/all", "query": { "x": "1" } } } } } }
    """

  /// The complete output of a dry run.
  static let proposal = """
    rows    $.rows[*]  (3 rows, array of objects)
    pair    $.pair  'BTC_KRW' = BTC/KRW  99%
            split at '_'
            the payment currency comes last, by 3 votes to 0
            2 payment currencies, 2 assets
    good    $.code is "0"

    field                 path             example        confidence  alternative     evidence
    price                 $.last           100500000             99%  $.value24h 21%  its name; low <= price in 3 of 3 rows; price <= high in 3 of 3 rows; bid near price in 3 of 3 rows; ask near price in 3 of 3 rows; high near price in 3 of 3 rows; low near price in 3 of 3 rows; open near price in 3 of 3 rows; '$.changeRate24h' is the change from '$.open24h' in 3 of 3 rows
    high                  $.high24h        101000000             99%                  rolling24h; its name; price <= high in 3 of 3 rows; low <= high in 3 of 3 rows; high near price in 3 of 3 rows
    low                   $.low24h         99000000              99%                  rolling24h; its name; low <= price in 3 of 3 rows; low <= high in 3 of 3 rows; low near price in 3 of 3 rows
    bid                   $.bestBid        100490000             99%                  its name; bid <= ask in 3 of 3 rows; bid near price in 3 of 3 rows
    ask                   $.bestAsk        100510000             99%                  its name; bid <= ask in 3 of 3 rows; ask near price in 3 of 3 rows
    open                  $.open24h        100000000             96%                  the change is measured from it; its name
    volume24              $.vol24h         12.5                  96%  $.value24h 7%   turnover / volume is a price of the day in 3 of 3 rows; its name
    turnover24            $.value24h       1250000000            96%  $.vol24h 10%    turnover / volume is a price of the day in 3 of 3 rows; its name
    changePricePercent24  $.changeRate24h  0.0050                98%                  times 100; rolling24h; ratio of (price - open) / open in 3 of 3 rows, open is '$.open24h'; its name
    time                  $.ts             1700000000123         98%                  its name; its size is that of ms since 1970

    pair     market           price  24h %  turnover 24h  volume 24h        bid        ask  age  remarks
    BTC/KRW  spot    100500000       +0.50         1.25B        12.5  100490000  100510000    -
    ETH/KRW  spot      4950000       -1.00         1.00B         200    4949000    4951000    -
    ETH/BTC  spot            0.0495  -1.00             2          40     0.0494     0.0496    -
    3 of 3 rows pass the meaning checks

    \(block)

    """
}
