import Config
import HTTP
import Mapping
import Quotes
import Testing

/// The shipped blocks of accounts on made-up responses in the documented shape.
@Suite struct ShippedAccountTests {
  /// Rights and addresses.
  static let permissionCases: [(exchange: String, answer: String, rights: String, origins: KeyPermissions.Origins?)] = [
    (
      "Binance",
      #"{ "ipRestrict": true, "enableReading": true, "enableWithdrawals": false, "enableSpotAndMarginTrading": false, "enableFutures": false, "enableMargin": false, "enableVanillaOptions": false, "enablePortfolioMarginTrading": false, "enableFixApiTrade": false, "enableInternalTransfer": false, "permitsUniversalTransfer": false }"#,
      "no no", .bound([])
    ),
    (
      "Binance",
      #"{ "ipRestrict": false, "enableWithdrawals": false, "enableSpotAndMarginTrading": false, "enableFutures": false, "enableMargin": false, "enableVanillaOptions": false, "enablePortfolioMarginTrading": true, "enableFixApiTrade": false, "enableInternalTransfer": false, "permitsUniversalTransfer": false }"#,
      "yes no", .anywhere
    ),
    (
      "Okx", #"{ "code": "0", "msg": "", "data": [{ "perm": "read_only, withdraw", "ip": "" }] }"#, "no yes", .anywhere
    ),
    (
      "Kucoin",
      #"{ "code": "200000", "data": { "permission": "General, LeadtradeFutures", "ipWhitelist": "192.0.2.7" } }"#,
      "yes no", .bound(["192.0.2.7"])
    ),
    (
      "Gate",
      #"[{ "perms": [{ "name": "account", "read_only": false }, { "name": "delivery" }, { "name": "wallet", "read_only": true }] }]"#,
      "yes no", nil
    ),
    (
      "Bybit",
      #"{ "retCode": 0, "retMsg": "", "result": { "readOnly": 1, "permissions": { "Spot": ["SpotTrade"], "Wallet": ["AccountTransfer"] }, "ips": ["*"], "expiredAt": "2027-05-15T03:37:14Z" } }"#,
      "no no", .anywhere
    ),
    (
      "Bitget",
      #"{ "code": "00000", "msg": "success", "data": { "userId": "1", "ips": "192.0.2.7", "authorities": ["stor"] } }"#,
      "no no", .bound(["192.0.2.7"])
    ),
    (
      "Okx", #"{ "code": "0", "msg": "", "data": [{ "perm": "read_only", "ip": "192.0.2.7,192.0.2.8" }] }"#, "no no",
      .bound(["192.0.2.7", "192.0.2.8"])
    ),
    ("Okx", #"{ "code": "0", "msg": "", "data": [{ "perm": "read_only,trade", "ip": "" }] }"#, "yes no", .anywhere),
    (
      "Htx",
      #"{ "code": 200, "data": [{ "accessKey": "k", "permission": "readOnly,trade", "ipAddresses": "192.0.2.7,192.0.2.8", "validDays": -1, "status": "normal" }] }"#,
      "yes no", .bound(["192.0.2.7", "192.0.2.8"])
    ),
    // Words that the exchange does not document may mean anything.
    ("Okx", #"{ "code": "0", "data": [{ "perm": "READ_ONLY,WITHDRAW" }] }"#, "unknown unknown", nil),
    ("Okx", #"{ "code": "0", "data": [{ "perm": "" }] }"#, "unknown unknown", nil),
    ("Htx", #"{ "code": 200, "data": [{ "permission": "readOnly,Withdraw" }] }"#, "unknown unknown", nil),
    ("Kucoin", #"{ "code": "200000", "data": { "permission": "General,Lend" } }"#, "unknown unknown", nil),
    ("Gate", #"[{ "perms": [{ "name": "account" }, { "name": "vault", "read_only": true }] }]"#, "no no", nil),
    ("Gate", #"[{ "perms": [{ "name": "account" }, { "name": "vault" }] }]"#, "unknown unknown", nil),
    (
      "Bybit",
      #"{ "retCode": 0, "result": { "readOnly": 0, "permissions": { "Wallet": ["SubMemberTransferList", "Lend"] } } }"#,
      "yes unknown", nil
    ),
    ("Bybit", #"{ "retCode": 0, "result": { "readOnly": 1, "permissions": { "Wallet": ["Lend"] } } }"#, "no no", nil),
    ("Bitget", #"{ "code": "00000", "data": { "authorities": ["coor", "taxr", "pllw", "ttow"] } }"#, "yes no", nil),
    ("Bitget", #"{ "code": "00000", "data": { "authorities": ["coor", "lend"] } }"#, "unknown unknown", nil),
    ("Bingx", #"{ "code": 0, "data": { "permissions": [2, 8] } }"#, "unknown unknown", nil),
    ("Kraken", #"{ "error": [], "result": { "permissions": ["query-funds", "lend-funds"] } }"#, "unknown unknown", nil),
    (
      "Kraken",
      #"{ "error": [], "result": { "permissions": ["query-ledger", "create-ws-token", "update-withdraw-address"] } }"#,
      "no yes", nil
    ),
    (
      "Kraken", #"{ "error": [], "result": { "permissions": ["query-funds"], "ipAllowlist": [] } }"#, "no no", .anywhere
    ),
    (
      "Kraken",
      #"{ "error": [], "result": { "permissions": ["query-funds"], "ipAllowlist": ["192.0.2.0/24", "192.0.3.7"] } }"#,
      "no no", .bound(["192.0.2.0/24", "192.0.3.7"])
    ),
    (
      "Kraken", #"{ "error": [], "result": { "permissions": ["query-funds"], "ip_allowlist": ["192.0.2.7"] } }"#,
      "no no", .bound(["192.0.2.7"])
    ),
    ("Korbit", #"{ "success": true, "data": { "permissions": ["readOrders", "lend"] } }"#, "unknown unknown", nil),
    ("Bitflyer", #"["/v1/me/getbalance", "/v1/me/lend"]"#, "unknown unknown", nil),
    ("Bitflyer", #"["/v1/me/getbalance", "/v1/me/sendcoin"]"#, "no yes", nil),
    ("Bitflyer", #"["/v1/me/getbalance", "/v1/me/cancelallchildorders"]"#, "yes no", nil),
    ("Bitfinex", #"[["account", 1, 0], ["orders", 1, 0], ["settings", 1, 1], ["lend", 1, 0]]"#, "no no", nil),
    ("Bitfinex", #"[["account", 1, 0], ["orders", 1, 1], ["lend", 0, 1]]"#, "yes unknown", nil),
    (
      "Bingx",
      #"{ "code": 0, "msg": "", "data": { "apiKey": "k", "permissions": [2, 5], "ipAddresses": ["192.0.2.7"], "note": "" } }"#,
      "no yes", .bound(["192.0.2.7"])
    ),
    (
      "Lbank",
      #"{ "result": "true", "error_code": 0, "data": { "enableSpotTrading": false, "enableReading": true, "enableWithdrawals": false, "ipRestrict": false } }"#,
      "no no", .anywhere
    ),
    (
      "Korbit",
      #"{ "success": true, "data": { "type": "hmac-sha256", "permissions": ["readBalances"], "whitelist": "192.0.2.7,192.0.2.8", "expiration": 1800000000000, "status": "activated" } }"#,
      "no no", .bound(["192.0.2.7", "192.0.2.8"])
    ),
    (
      "Kucoin",
      #"{ "code": "200000", "data": { "remark": "r", "apiVersion": 3, "permission": "General", "ipWhitelist": "192.0.2.7", "isMaster": true } }"#,
      "no no", .bound(["192.0.2.7"])
    ),
  ]

  @Test(arguments: permissionCases.indices) func permissions(_ index: Int) throws {
    let test = Self.permissionCases[index]
    let account = try #require(SigningTests.exchanges.first { $0.name == test.exchange }?.account)
    let read = try PermissionPlan(try #require(account.permissions.first)).permissions(
      in: HTTPResponse(body: Array(test.answer.utf8)), ReadingContext(AccountConfig.request))
    #expect("\(read.trade) \(read.withdraw)" == test.rights)
    #expect(read.origins == test.origins)
  }

  /// The expiry that stands for none is none.
  @Test(arguments: [
    (
      "Bybit", #"{ "retCode": 0, "result": { "permissions": { "Wallet": [] }, "expiredAt": "2027-05-15T03:37:14Z" } }"#,
      "2027-05-15"
    ),
    (
      "Bybit", #"{ "retCode": 0, "result": { "permissions": { "Wallet": [] }, "expiredAt": "1970-01-01T00:00:00Z" } }"#,
      "never"
    ),
    ("Bybit", #"{ "retCode": 0, "result": { "permissions": { "Wallet": [] }, "expiredAt": "" } }"#, "never"),
    ("Kraken", #"{ "error": [], "result": { "permissions": [], "validUntil": "1735689600" } }"#, "2025-01-01"),
    ("Kraken", #"{ "error": [], "result": { "permissions": [], "valid_until": "1735689600" } }"#, "2025-01-01"),
    ("Kraken", #"{ "error": [], "result": { "permissions": [], "validUntil": "0" } }"#, "never"),
    ("Kraken", #"{ "error": [], "result": { "permissions": [], "valid_until": "0" } }"#, "never"),
  ])
  func expiry(_ exchange: String, _ answer: String, _ day: String) throws {
    let account = try #require(SigningTests.exchanges.first { $0.name == exchange }?.account)
    let read = try PermissionPlan(try #require(account.permissions.first)).permissions(
      in: HTTPResponse(body: Array(answer.utf8)), ReadingContext(AccountConfig.request))
    let found =
      switch read.expires {
      case nil: "never"
      case .unreadable?: "unreadable"
      case .at(let end)?: String(end.iso8601.prefix(10))
      }
    #expect(found == day)
  }

  /// Without a fee, Bybit offers no withdrawal.
  @Test(arguments: [
    (#""withdrawFee": "0""#, "open open"), (#""withdrawFee": """#, "open closed"), (#""x": 1"#, "open unknown"),
  ])
  func withdrawalsWithoutAFee(_ fee: String, _ states: String) throws {
    let account = try #require(SigningTests.exchanges.first { $0.name == "Bybit" }?.account)
    let answer = #"""
      { "retCode": 0, "result": { "rows": [{ "coin": "XYZ", "chains": [
        { "chain": "ETH", "chainDeposit": "1", "chainWithdraw": "1", \#(fee) }] }] } }
      """#
    let rows = try WalletPlan(try #require(account.wallets.first)).wallets(
      in: HTTPResponse(body: Array(answer.utf8)), ReadingContext(AccountConfig.request)
    ).rows
    #expect(rows.map { "\($0.deposit) \($0.withdraw)" } == [states])
  }

  /// Wallets of a kind that no account takes may hold money, except for those that are left out on purpose.
  @Test(arguments: [
    (
      "Bitfinex",
      #"[["exchange", "BTC", 1, 0, 1], ["margin", "USTF0", 2, 0, 2], ["derivatives", "UST", 5, 0, 5], ["earn", "UST", 0, 0, 0]]"#,
      ["exchange 3", "margin 0", "funding 0"], ["derivatives"]
    ),
    (
      "Htx",
      #"""
      { "status": "ok", "data": { "list": [{ "currency": "usdt", "type": "lock", "balance": "1" },
        { "currency": "usdt", "type": "bank", "balance": "2" }, { "currency": "usdt", "type": "loan", "balance": "0" }] } }
      """#, ["spot 2", "spot 0"], ["bank"]
    ),
    (
      "Kucoin",
      #"""
      { "code": "200000", "data": [{ "currency": "BTC", "type": "trade_hf", "balance": "1", "available": "1", "holds": "0" },
        { "currency": "BTC", "type": "margin", "balance": "2", "available": "2", "holds": "0" },
        { "currency": "BTC", "type": "pool", "balance": "3", "available": "3", "holds": "0" }] }
      """#, ["trade 2", "main 0", "futures 1", "futures 1"], ["pool"]
    ),
  ])
  func unknownKinds(_ exchange: String, _ answer: String, _ claims: [String], _ kinds: [String]) throws {
    let account = try #require(SigningTests.exchanges.first { $0.name == exchange }?.account)
    #expect(account.balances.flatMap { own in own.parts.map { "\(own.account) \($0.claims.count)" } } == claims)
    let part = try #require(account.balances.first?.parts.first)
    let plan = BalancePlan(part.table, account: "", claims: part.claims)
    let read = try plan.rows(in: HTTPResponse(body: Array(answer.utf8)), ReadingContext(AccountConfig.request))
    #expect(read.unknownKinds == kinds)
  }

  /// Equity excludes what was lent and includes the profit of open positions. Bybit's wallet counts the first and not the
  /// second; what Bitget's account uses as margin is neither available nor `locked`, and so is counted as locked. In
  /// Binance's multi-assets mode `availableBalance` is that of all coins together, and `maxWithdrawAmount` that of one.
  @Test(arguments: [
    (
      "Bybit", "unified",
      #"""
      { "retCode": 0, "retMsg": "OK", "result": { "list": [{ "coin": [{
        "coin": "USDT", "equity": "930.5", "walletBalance": "1400", "spotBorrow": "500", "unrealisedPnl": "30.5", "locked": "10",
        "totalPositionIM": "200", "totalOrderIM": "0" }] }] } }
      """#, ["USDT 930.5 720.5 210"]
    ),
    (  // With portfolio margin, Bybit does not say what the positions and orders of a coin bind.
      "Bybit", "unified",
      #"""
      { "retCode": 0, "retMsg": "OK", "result": { "list": [{ "coin": [{
        "coin": "USDT", "equity": "10000", "locked": "0", "totalPositionIM": "", "totalOrderIM": "" }] }] } }
      """#, ["USDT 10000 json-null json-null"]
    ),
    (
      "Bybit", "unified",
      #"""
      { "retCode": 0, "retMsg": "OK", "result": { "list": [{ "coin": [{
        "coin": "USDT", "equity": "100", "locked": "0", "totalPositionIM": "150", "totalOrderIM": "0" }] }] } }
      """#, ["USDT 100 contradictory 150"]
    ),
    (
      "Bitget", "unified",
      #"""
      { "code": "00000", "msg": "success", "requestTime": 1790000000000, "data": {
        "accountEquity": "1500", "usdtEquity": "1500", "btcEquity": "0.015", "effEquity": "1500", "mmr": "0", "imr": "0",
        "assets": [{ "coin": "USDT", "equity": "1000.5", "usdValue": "1000", "balance": "990.5", "available": "900", "debt": "0",
          "locked": "20" }] } }
      """#, ["USDT 1000.5 900 100.5"]
    ),
    (
      "Binance", "futures",
      #"""
      { "assets": [
        { "asset": "USDT", "walletBalance": "20", "unrealizedProfit": "1.5", "marginBalance": "21.5", "crossUnPnl": "-1",
          "availableBalance": "110", "maxWithdrawAmount": "15" },
        { "asset": "USDC", "walletBalance": "100", "unrealizedProfit": "0", "marginBalance": "100", "crossUnPnl": "0",
          "availableBalance": "110", "maxWithdrawAmount": "100" },
        { "asset": "BNB", "walletBalance": "0", "unrealizedProfit": "0", "marginBalance": "0", "crossUnPnl": "0",
          "availableBalance": "0.2", "maxWithdrawAmount": "0" }] }
      """#, ["USDT 21.5 15 6.5", "USDC 100 100 0"]
    ),
  ])
  func sharedCollateral(_ exchange: String, _ name: String, _ answer: String, _ expected: [String]) throws {
    let part = try #require(Self.parts(exchange, name).first)
    #expect(try Self.words([part], name, answer) == expected)
  }

  /// All that an account has. BingX keeps what is deposited apart from what is traded.
  @Test(arguments: [
    (
      "Bingx", "funding",
      #"""
      { "code": 0, "msg": "", "data": { "assets": [{ "asset": "USDT", "free": "44.5", "locked": "0.5" },
        { "asset": "ETH", "free": "0", "locked": "0" }] } }
      """#, ["USDT 45 44.5 0.5"]
    ),
    (  // The profit of all open positions is stated once, in dollars.
      "Cryptocom", "all",
      #"""
      { "id": 1, "method": "private/user-balance", "code": 0, "result": { "data": [{
        "total_available_balance": "500", "total_cash_balance": "800", "total_session_unrealized_pnl": "-55.5", "instrument_name": "USD",
        "position_balances": [{ "instrument_name": "USD", "quantity": "300", "reserved_qty": "20" },
          { "instrument_name": "CRO", "quantity": "5000", "reserved_qty": "0" }] }] } }
      """#, ["USD 244.5 224.5 20", "CRO 5000 5000 0"]
    ),
    (  // What is set aside for recurring buys is locked, and a debt is subtracted.
      "Coincheck", "spot",
      #"""
      { "success": true, "jpy": "0.5", "btc": "7.5", "eth": "0", "jpy_reserved": "3000.0", "btc_reserved": "3.25", "eth_reserved": "0",
        "jpy_lend_in_use": "0", "btc_lend_in_use": "0.3", "eth_lend_in_use": "0", "jpy_lent": "0", "btc_lent": "1.2", "eth_lent": "0",
        "jpy_debt": "0", "btc_debt": "8", "eth_debt": "0", "jpy_tsumitate": "10000.0", "btc_tsumitate": "0.125", "eth_tsumitate": "0" }
      """#, ["JPY 13000.5 0.5 13000", "BTC 2.875 7.5 3.375"]
    ),
  ])
  func amounts(_ exchange: String, _ name: String, _ answer: String, _ expected: [String]) throws {
    #expect(try Self.words(Self.parts(exchange, name), name, answer) == expected)
  }

  private static func parts(_ exchange: String, _ name: String) throws -> [AccountSpec.Part] {
    let account = try #require(SigningTests.exchanges.first { $0.name == exchange }?.account)
    return try #require(account.balances.first { $0.account == name }).parts
  }

  /// Returns what parts of an account read in one answer: each asset with its total, free and locked amount.
  private static func words(_ parts: [AccountSpec.Part], _ name: String, _ answer: String) throws -> [String] {
    let rows = try parts.flatMap { part in
      try BalancePlan(part.table, account: name, globalAliases: ["XBT": "BTC"]).rows(
        in: HTTPResponse(body: Array(answer.utf8)), ReadingContext(AccountConfig.request)
      ).rows
    }
    return Balance.merged(rows).map { balance in
      let cells = [balance.total, balance.free, balance.locked].map { $0.value?.shortest ?? $0.missing?.code ?? "" }
      return ([balance.asset] + cells).joined(separator: " ")
    }
  }

  /// A coin in an account has the name that the exchange's spot market gives it.
  @Test(arguments: [
    (
      "Lbank",
      #"{ "result": "true", "data": [{ "coin": "xbt", "assetAmt": "1", "usableAmt": "1", "freezeAmt": "0" }] }"#,
      #"{ "result": "true", "data": [{ "assetCode": "xbt", "chainName": "erc20", "canDeposit": true, "canDraw": true }] }"#,
      ["XBT-LBANK", "XBT-LBANK"]
    ),
    (
      "Bitget",
      #"{ "code": "00000", "data": [{ "coin": "TONCOIN", "available": "1", "frozen": "0", "locked": "0" }] }"#,
      #"{ "code": "00000", "data": [{ "coin": "TONCOIN", "chains": [{ "chain": "TON" }] }] }"#, ["TON", "TON"]
    ),
    (
      "Hyperliquid", #"{ "balances": [{ "coin": "UBTC", "total": "1", "hold": "0" }] }"#, "", ["BTC"]
    ),
  ])
  func namesOfCoins(_ exchange: String, _ balances: String, _ wallets: String, _ names: [String]) throws {
    let account = try #require(SigningTests.exchanges.first { $0.name == exchange }?.account)
    let part = try #require(account.balances.first?.parts.first)
    let context = ReadingContext(AccountConfig.request)
    let held = try BalancePlan(part.table, account: "spot", globalAliases: ["XBT": "BTC"]).rows(
      in: HTTPResponse(body: Array(balances.utf8)), context
    ).rows
    let open = try account.wallets.flatMap { spec in
      try WalletPlan(spec, globalAliases: ["XBT": "BTC"]).wallets(
        in: HTTPResponse(body: Array(wallets.utf8)), context
      ).rows
    }
    #expect(held.map(\.asset) + open.map(\.asset) == names)
  }

  /// KuCoin's accounts have the codes that a coin keeps when it is renamed, its markets and wallets the names.
  @Test(arguments: ["trade", "main"]) func namesOfRenamedCoins(_ name: String) throws {
    let account = try #require(SigningTests.exchanges.first { $0.name == "Kucoin" }?.account)
    let table = try #require(account.balances.first { $0.account == name }?.parts.first).table
    let coins = #"{ "code": "200000", "data": [{ "currency": "BCHSV", "name": "BSV" }] }"#
    let asked = Asked(lookups: ["coins": coins])
    let states = Dictionary(uniqueKeysWithValues: table.lookups.map { ($0.name, asked.state(of: $0)) })
    let rows = ["BCHSV", "USDT"].map { coin in
      #"{ "currency": "\#(coin)", "type": "\#(name)", "balance": "3", "available": "2", "holds": "1" }"#
    }.joined(separator: ", ")
    let answer = HTTPResponse(body: Array(#"{ "code": "200000", "data": [\#(rows)] }"#.utf8))
    let read = try BalancePlan(table, account: name).rows(
      in: answer, ReadingContext(AccountConfig.request, lookups: states)
    ).rows
    #expect(read.map(\.asset) == ["BSV", "USDT"])
  }

  /// Kraken's futures account consists of the multi-collateral wallet, whose open profit is stated once, in dollars, the
  /// cash, and a margin account for each coin, whose portfolio value includes the profit of open positions, in that coin.
  @Test func krakenFutures() throws {
    let answer = #"""
      { "result": "success", "serverTime": "2016-02-25T09:45:53.818Z", "accounts": {
        "cash": { "type": "cashAccount", "balances": { "xbt": 1, "xrp": 52465.1254 } },
        "fi_xbtusd": {
          "type": "marginAccount", "currency": "xbt", "balances": { "FI_XBTUSD_171215": 50000, "xbt": 4.5 },
          "auxiliary": { "usd": 0, "pv": 5.2, "pnl": 0.7, "af": 5.0, "funding": 0 },
          "marginRequirements": { "im": 0.2, "mm": 0.1, "lt": 0.1, "tt": 0.1 } },
        "fi_ethusd": {
          "type": "marginAccount", "currency": "eth", "balances": { "eth": 0 }, "auxiliary": { "pv": 0, "pnl": 0, "af": 0 } },
        "flex": {
          "type": "multiCollateralMarginAccount",
          "currencies": {
            "XBT": { "quantity": 0.5, "value": 4998.72, "collateral": 4886.49, "available": 0.5 },
            "USD": { "quantity": 1000, "value": 1000, "collateral": 1000, "available": 350 } },
          "pnl": -410.5, "unrealizedFunding": 10.5, "totalUnrealized": -400 } } }
      """#
    let words = try Self.words(Self.parts("Kraken", "futures"), "futures", answer)
    #expect(words == ["BTC 6.7 6.5 0.2", "USD 600 350 250", "XRP 52465.1254 52465.1254 0"])
  }

  /// A wallet whose list of coins is missing, null or renamed is not an empty one.
  @Test(arguments: [
    ("Okx", "trading", #"{ "code": "0", "msg": "", "data": [{ "totalEq": "0", "details": [] }] }"#, ""),
    (
      "Okx", "trading",
      #"{ "code": "0", "msg": "", "data": [{ "totalEq": "9", "assets": [{ "ccy": "BTC", "eq": "5" }] }] }"#,
      "path-miss"
    ),
    ("Okx", "trading", #"{ "code": "0", "msg": "", "data": [{ "totalEq": "9", "details": null }] }"#, "path-miss"),
    ("Bybit", "unified", #"{ "retCode": 0, "retMsg": "OK", "result": { "list": [{ "coin": [] }] } }"#, ""),
    ("Bybit", "unified", #"{ "retCode": 0, "retMsg": "OK", "result": { "list": [] } }"#, ""),
    ("Bybit", "unified", #"{ "retCode": 0, "retMsg": "OK", "result": {} }"#, "path-miss"),
    ("Bybit", "unified", #"{ "retCode": 0, "retMsg": "OK", "result": { "list": [{}] } }"#, "path-miss"),
    ("Bybit", "unified", #"{ "retCode": 0, "retMsg": "OK", "result": { "list": [{ "coin": null }] } }"#, "path-miss"),
    ("Poloniex", "spot", #"[{ "accountId": "1", "accountType": "SPOT", "balances": [] }]"#, ""),
    ("Poloniex", "spot", #"[{ "accountId": "1", "accountType": "SPOT", "assets": [] }]"#, "path-miss"),
    (
      "Poloniex", "spot",
      #"[{ "accountId": "1", "type": "SPOT", "balances": [{ "currency": "BTC", "available": "1", "hold": "0" }] }]"#,
      "BTC"
    ),
    ("Cryptocom", "all", #"{ "code": 0, "result": { "data": [{ "position_balances": [] }] } }"#, ""),
    ("Cryptocom", "all", #"{ "code": 0, "result": { "data": [{ "positions": [] }] } }"#, "path-miss"),
  ])
  func accountsWithoutCoins(_ exchange: String, _ name: String, _ answer: String, _ result: String) throws {
    let account = try #require(SigningTests.exchanges.first { $0.name == exchange }?.account)
    let part = try #require(account.balances.first { $0.account == name }?.parts.first)
    let plan = BalancePlan(part.table, account: name)
    do throws(AnswerFailure) {
      let rows = try plan.rows(in: HTTPResponse(body: Array(answer.utf8)), ReadingContext(AccountConfig.request)).rows
      #expect(rows.map(\.asset).joined(separator: " ") == result)
    } catch {
      #expect(error.reason.code == result)
    }
  }
}
