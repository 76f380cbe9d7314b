import Files
import JSON
import TestSupport
import Testing

/// `market balances` and `market wallet-status` as users see them, with exchanges on this machine.
@Suite(.waitsForPrograms) struct AccountCommandTests {
  private typealias Home = AccountHome

  // MARK: Refusals

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: String
    var status = "200 OK"
    var seconds: Int64 = 0
    /// The text after `market: Alpha spot: `; `KEY` stands for the advice about a key, `MAYBE` for that about words which
    /// may be about one, `HOST` for the exchange's host.
    let note: String
  }

  private static let aboutKeys =
    "check the key with: market keys test Alpha; add another with: market keys add Alpha"
  private static let maybeAboutKeys = "if it is about the key: market keys test Alpha"

  static let refusals = [
    Refusal(
      testDescription: "wrong secret", answer: #"{"code": -1022, "msg": "Signature for this request is not valid."}"#,
      status: "400 Bad Request", note: "venue-error -1022: Signature for this request is not valid; MAYBE"),
    Refusal(
      testDescription: "wrong passphrase", answer: #"{"code": "50105", "msg": "OK-ACCESS-PASSPHRASE incorrect"}"#,
      status: "401 Unauthorized", note: "http-401: 50105: OK-ACCESS-PASSPHRASE incorrect; KEY"),
    Refusal(
      testDescription: "bound to another address",
      answer: #"{"code": "no_authorization_ip", "msg": "This is not a verified IP."}"#, status: "401 Unauthorized",
      note: "http-401: no_authorization_ip: This is not a verified IP; KEY"),
    Refusal(
      testDescription: "expired", answer: #"{"code": 33004, "msg": "Your api key has expired."}"#,
      note: "venue-error 33004: Your api key has expired; MAYBE"),
    Refusal(
      testDescription: "refused without a message", answer: "", status: "403 Forbidden",
      note: "http-403: refused, usually a regional or IP block; KEY"),
    Refusal(
      testDescription: "clock a minute ahead",
      answer: #"{"code": -1021, "msg": "Timestamp outside of the recvWindow."}"#,
      status: "400 Bad Request", seconds: -60,
      note:
        "venue-error -1021: Timestamp outside of the recvWindow.; this machine's clock is N s ahead of that of "
        + "HOST; correct this machine's clock; MAYBE"),
    Refusal(
      testDescription: "clock a minute behind",
      answer: #"{"code": -1021, "msg": "Timestamp outside of the recvWindow."}"#,
      status: "400 Bad Request", seconds: 60,
      note:
        "venue-error -1021: Timestamp outside of the recvWindow.; this machine's clock is N s behind that of "
        + "HOST; correct this machine's clock; MAYBE"),
    Refusal(
      testDescription: "maintenance in words", answer: #"{"code": "ERR-5201", "msg": "MAINTENANCE. Please wait."}"#,
      note: "venue-error ERR-5201: MAINTENANCE. Please wait; MAYBE"),
    Refusal(
      testDescription: "rate limited", answer: "", status: "429 Too Many Requests",
      note: "http-429: too many requests; wait a few minutes and try again"),
    Refusal(
      testDescription: "maintenance", answer: "<html>back soon</html>", status: "503 Service Unavailable",
      note:
        "http-503: the exchange's server failed; the exchange may be under maintenance, or refuse the key: try again "
        + "later, or market keys test Alpha"),
    Refusal(
      testDescription: "HTML", answer: "<!DOCTYPE html><html></html>",
      note:
        "not-json: the answer is an HTML or XML page; the exchange may be under maintenance, or a proxy may be "
        + "interfering; try again later"),
  ]

  @Test(arguments: refusals) func failuresSayWhatToDo(_ example: Refusal) throws {
    let home = try Home(example.answer, status: example.status, seconds: example.seconds)
    let run = try home.market("balances", "--timeout", "3")
    #expect(run.code == 1 && run.output == "")
    // A second may pass in between.
    let said = run.errorOutput.replacing("is 59 s", with: "is N s").replacing("is 60 s", with: "is N s")
      .replacing("is 61 s", with: "is N s")
    let note = example.note.replacing("KEY", with: Self.aboutKeys).replacing("MAYBE", with: Self.maybeAboutKeys)
      .replacing("HOST", with: "127.0.0.1:\(home.server.port)")
    #expect(said == "market: Alpha spot: \(note)\n")
  }

  @Test func walletStatusFailureNamesKeysToo() throws {
    let home = try Home(#"{"code": "x", "msg": "no such key"}"#, status: "401 Unauthorized")
    let run = try home.market("wallet-status", "BTC")
    #expect(run.code == 1)
    #expect(run.errorOutput == "market: Alpha: http-401: x: no such key; \(Self.aboutKeys)\n")
  }

  /// A key that is stored but cannot be used must not pass for none: its account would be missing from the sum.
  @Test(arguments: [
    (#""Passphrase": "hush-words""#, "missing secret 'passphrase', though others are stored"),
    (#""passphrase": {"command": ["false"]}"#, "'false' failed with 1"),
    (
      #""passphrase": 7"#,
      #"the secret 'passphrase' cannot be used: it is neither a string nor {"command": ["program", "word"]}"#
    ),
    (#""passphrase": "hush-words ""#, "the secret 'passphrase' cannot be used: it begins or ends with a space"),
  ])
  func unusableKeyIsReported(_ stored: String, _ sentence: String) throws {
    let home = try Home("[]")
    let path = "\(home.folder.path)/.config/market/credentials.json"
    let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    let changed = text.replacing(#""passphrase": "hush-words""#, with: stored)
    #expect(changed != text)
    try FileSystem.writeAtomically(Array(changed.utf8), to: path, mode: 0o600)
    let run = try Subprocess(market: ["balances"], environment: home.environment)
    #expect(run.code == 1)
    #expect(
      run.errorOutput == "market: Alpha spot: bad-secret: \(sentence); store it again with: market keys add Alpha\n")
  }

  /// A recording can be played by anyone: no key is needed, and no program is asked for one.
  @Test func replayNeedsNoKey() throws {
    let home = try Home(#"[{"a": "BTC", "f": "0.5", "l": "1.50"}]"#)
    let recording = "\(home.folder.path)/recording"
    let live = try home.market("balances", "--record", recording)
    try FileSystem.remove("\(home.folder.path)/.config/market/credentials.json")
    let played = try home.market("balances", "--replay", recording)
    #expect(live.code == 0 && played.code == 0 && played.output.hasSuffix("UTC\n" + live.output), "\(played.output)")
    let other = Checkout.path("Tests/Cassettes/Upbit")
    let none = try home.market("balances", "--replay", other)
    #expect(none.code == 1 && none.errorOutput.hasSuffix("market: \(other) has no answers about accounts\n"))
    let named = try home.market("balances", "-e", "alpha", "--replay", other)
    #expect(named.code == 1)
    #expect(named.errorOutput.hasSuffix("market: Alpha: no-answer not-recorded: its accounts are not recorded\n"))
  }

  /// An exchange whose block is invalid is missing from the sum, which says so, if there is a key of it.
  @Test func invalidBlockIsNotInTheSum() throws {
    let home = try Home(#"[{"a": "BTC", "f": "1", "l": "0"}]"#)
    try home.addBeta()
    let head = "market: Beta is left out because its block is invalid:\n"
    let unkeyed = try home.market("balances", "--in", "KRW", "-f", "line")
    #expect(unkeyed.output == "100000000 KRW\n" && unkeyed.errorOutput.hasPrefix(head))
    try home.addKeyOfBeta()
    let line = try home.market("balances", "--in", "KRW", "-f", "line")
    #expect(line.output == "100000000 KRW  1 account without an answer\n")
    #expect(line.errorOutput.hasPrefix(head) && !line.errorOutput.contains("no-answer"))
    let text = try home.market("balances", "--in", "KRW")
    #expect(text.output.hasSuffix("\nsum  100000000 KRW  not in it: 1 account without an answer (Beta)\n"))
    let json = try JSONDocument(parsing: Array(home.market("balances", "-f", "json").output.utf8)).root
    let failure = try #require(json["exchanges"]?[1]?["failures"]?[0])
    #expect(failure["reason"]?.string == "no-answer config")
    #expect(failure["advice"]?.string == "run: market validate-config")
    // Its key is a key.
    try home.write(keys: #"{"Beta": {"apiKey": "hush-key"}}"#)
    for words in [["balances"], ["balances", "-e", "beta"]] {
      let only = try Subprocess(market: words, environment: home.environment)
      #expect(only.code == 1 && only.output == "" && only.errorOutput.hasPrefix(head))
      #expect(!only.errorOutput.contains("no API keys stored"))
    }
  }

  // MARK: Holdings

  @Test func emptyAccount() throws {
    let run = try Home("[]").market("balances")
    #expect(run.code == 0 && run.output == "" && run.errorOutput == "market: the accounts are empty\n")
  }

  @Test func absentAsset() throws {
    let run = try Home(#"[{"a": "BTC", "f": "1", "l": "0"}]"#).market("balances", "doge", "eth")
    #expect(run.code == 0 && run.output == "")
    #expect(run.errorOutput == "market: no DOGE or ETH in the accounts\n")
  }

  /// All rows are present, and the sum of the smallest amounts is exact.
  @Test func tenThousandAssets() throws {
    let rows = (0..<10_000).map { #"{"a": "T\#($0)", "f": "0.000000000000000001", "l": "0"}"# }.joined(separator: ",")
    let home = try Home("[\(rows)]")
    let run = try home.market("balances", "-f", "csv")
    let lines = run.output.split(whereSeparator: \.isNewline)
    #expect(run.code == 0 && lines.count == 10_001)
    #expect(lines.dropFirst().first == "Alpha,spot,T0,0.000000000000000001,0,0.000000000000000001,,,,,value not-asked")
    let line = try home.market("balances", "--in", "KRW", "-f", "line")
    #expect(line.output == "no value  10000 without a price\n")
    #expect(lines.last == "Alpha,spot,T9999,0.000000000000000001,0,0.000000000000000001,,,,,value not-asked")
  }

  /// Amounts with 18 decimals keep them, and assets without a price are named and not counted as zero.
  @Test func unpricedAssetsAreNamed() throws {
    let rows = [
      #"{"a": "BTC", "f": "0.000000000000000001", "l": "1"}"#, #"{"a": "KRW", "f": "2500", "l": "0"}"#,
      #"{"a": "NOPE", "f": "7", "l": "0"}"#,
    ]
    let home = try Home("[\(rows.joined(separator: ","))]")
    let text = try home.market("balances", "--in", "KRW")
    #expect(text.code == 0)
    #expect(
      text.output == """
        exchange  account  asset                 total                  free  locked      price     in KRW  by
        Alpha     spot     BTC    1.000000000000000001  0.000000000000000001       1  100000000  100000000  own KRW pair
        Alpha     spot     KRW                    2500                  2500       0          1       2500  itself
        Alpha     spot     NOPE                      7                     7       0          -   no-price
        sum  100002500 KRW  not in it: 1 without a price (NOPE)

        """)
    let line = try home.market("balances", "--in", "KRW", "-f", "line")
    #expect(line.output == "100002500 KRW  1 without a price\n")
    // A sum mentions what it excludes, and is not zero if nothing has a price.
    let none = try home.market("balances", "nope", "--in", "KRW", "-f", "line")
    #expect(none.output == "7 NOPE  no value  1 without a price\n")
    let nothing = try home.market("balances", "doge", "--in", "KRW", "-f", "line")
    #expect(nothing.output == "0 DOGE  0 KRW\n")
    let one = try home.market("balances", "btc", "--in", "KRW", "-f", "line")
    #expect(one.output == "1.000000000000000001 BTC at 100000000  100000000 KRW\n")
  }

  /// An entry that is meant to be a key, and is none, is an account without an answer.
  @Test(arguments: [
    (#""Alpha": "hush-key""#, "its entry in credentials.json is not an object"),
    (#""Alpha": null"#, "its entry in credentials.json is not an object"),
    (#""Alpha": ["hush-key"]"#, "its entry in credentials.json is not an object"),
    (#""alpha": {"apiKey": "hush-key"}"#, "credentials.json has its key under 'alpha'; write 'Alpha'"),
  ])
  func unusableEntry(_ entry: String, _ why: String) throws {
    let home = try Home("[]")
    let path = "\(home.folder.path)/.config/market/credentials.json"
    try FileSystem.writeAtomically(Array("{\(entry)}".utf8), to: path, mode: 0o600)
    let run = try home.market("balances", "--in", "KRW", "-f", "line")
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errorOutput.hasPrefix("market: Alpha spot: bad-secret: \(why)"), "\(run.errorOutput)")
    #expect(home.server.received.allSatisfy { !$0.target.hasPrefix("/balances") })
  }

  /// Two decimals are for money: of a coin they may be nothing.
  @Test func smallAmountsOfCoins() throws {
    let home = try Home(#"[{"a": "BTC", "f": "0.0049", "l": "0.00000001"}]"#)
    #expect(try home.market("balances", "--in", "BTC", "-f", "line").output == "0.00490001 BTC\n")
  }

  /// A token that pays for others as a dollar, and has a price of its own, counts as two things in one sum.
  @Test func tokenWithItsOwnPrice() throws {
    let home = try Home(
      #"[{"a": "ETH", "f": "2", "l": "0"}, {"a": "USDT", "f": "10", "l": "0"}]"#,
      prices: #"[{"s": "ETH-USDT", "p": "3000"}, {"s": "USDT-KRW", "p": "1520"}]"#)
    let text = try home.market("balances", "--in", "KRW")
    #expect(text.output.contains("own KRW pair\nsum  9015200 KRW\n"))
    #expect(text.output.hasSuffix("; USDT counted as one USD in the prices of other assets\n"))
    let other = try home.market("balances", "ETH", "--in", "KRW")
    #expect(other.output.hasSuffix("; USDT counted as one USD\n"))
  }

  /// A value that depends on a rate names it with its caveats; one without a rate says so.
  @Test func ratesUsedAreNamed() throws {
    let home = try Home(
      #"[{"a": "ETH", "f": "2", "l": "0"}, {"a": "USD", "f": "1", "l": null}, {"a": "EUR", "f": "1", "l": "0"}, {"f": "1"}]"#
    )
    _ = try home.market("fx")
    let text = try home.market("balances", "--in", "KRW")
    /// Replaces the age of the rate, which grows daily.
    func aged(_ text: String) -> String {
      guard let start = text.firstRange(of: "Bank, "), let end = text.firstRange(of: " ago, ") else { return text }
      return text[..<start.upperBound] + "AGE" + text[end.lowerBound...]
    }
    #expect(
      aged(text.output) == """
        exchange  account  asset      total  free     locked    price     in KRW  by
        Alpha     spot     ETH            2     2          0  4500000    9000000  own USDT pair, rate
        Alpha     spot     USD    json-null     1  json-null     1500  json-null  rate
        Alpha     spot     EUR            1     1          0        -    no-rate
        sum  9000000 KRW  not in it: 1 without a total (USD), 1 without a rate (EUR), 1 row without an asset (Alpha)
        in KRW: USD/KRW 1500.00, Bank, AGE ago, old, unchecked; no rate for EUR/KRW; USDT counted as one USD

        """)
    #expect(text.errorOutput == "market: Alpha: 1 row without an asset\n")
    let csv = try home.market("balances", "--in", "KRW", "-f", "csv")
    #expect(
      csv.output.split(whereSeparator: \.isNewline).dropFirst() == [
        #"Alpha,spot,ETH,2,0,2,9000000,KRW,"own USDT pair, rate",4500000,"#,
        "Alpha,spot,USD,1,,,,KRW,rate,1500,locked json-null; total json-null; value json-null",
        "Alpha,spot,EUR,1,0,1,,KRW,,,value no-rate",
      ])
    #expect(
      aged(csv.errorOutput).hasSuffix(
        "market: in KRW: USD/KRW 1500.00, Bank, AGE ago, old, unchecked; no rate for EUR/KRW; USDT counted as one USD\n"
      ))
    let line = try home.market("balances", "--in", "KRW", "-f", "line")
    #expect(
      line.output == "9000000 KRW  1 without a total  1 without a rate  1 row without an asset  USD/KRW old unchecked\n"
    )
    let json = try JSONDocument(parsing: Array(home.market("balances", "--in", "KRW", "-f", "json").output.utf8)).root
    let rate = try #require(json["conversions"]?[0])
    #expect(rate["countedAs"]?.string == "USD" && rate["fx"]?["rate"]?.string == "1500")
    #expect(json["conversions"]?[1]?["fx"]?["reason"]?.string == "no route")
    #expect(json["exchanges"]?[0]?["withoutAsset"]?.numberText == "1")
  }

  /// Unknown values are reported as what they are: a missing total is not a missing price.
  @Test(arguments: [
    (#""f": "1", "l": null"#, "json-null", "1", "json-null"),
    (#""f": "x", "l": "1""#, "not-a-number", "not-a-number", "1"),
    (#""f": null, "l": null"#, "json-null", "json-null", "json-null"),
  ])
  func unknownAmount(members: String, total: String, free: String, locked: String) throws {
    let home = try Home(#"[{"a": "BTC", \#(members)}, {"a": "KRW", "f": "2500", "l": "0"}]"#)
    let run = try home.market("balances", "--in", "KRW", "-f", "json")
    let row = try #require(try JSONDocument(parsing: Array(run.output.utf8)).root["rows"]?[0])
    #expect(row["totalReason"]?.string == total && row["valueReason"]?.string == total)
    #expect((row["free"]?.string ?? row["freeReason"]?.string) == free)
    #expect((row["locked"]?.string ?? row["lockedReason"]?.string) == locked)
    let text = try home.market("balances", "--in", "KRW")
    #expect(text.output.hasSuffix("\nsum  2500 KRW  not in it: 1 without a total (BTC)\n"))
    let line = try home.market("balances", "--in", "KRW", "-f", "line")
    #expect(line.output == "2500 KRW  1 without a total\n")
  }

  @Test func explained() throws {
    let home = try Home(#"[{"a": "BTC", "f": "0.5", "l": "1.50"}, {"a": "ETH", "f": "0", "l": "0"}]"#)
    let run = try home.market("balances", "BTC", "--in", "KRW", "--explain")
    #expect(run.code == 0)
    let explanation = run.output.split(separator: "Explain\n").last.map(String.init) ?? ""
    #expect(
      explanation == """
        Alpha spot BTC
          GET \(home.server.url("/balances"))?timestamp=NOW&signature=sign (HTTP 200)
          asset                BTC  <- row $.a = BTC
          free                 0.5  <- row $.f = 0.5
          locked               1.50  <- row $.l = 1.50
          total                2.00  <- sum: row $.f = 0.5; row $.l = 1.50
          value                200000000.00  <- total 2.00 x price 100000000, own KRW pair

        """)
    let json = try home.market("balances", "BTC", "--explain", "-f", "json")
    #expect(json.output.contains(#""raw": "1.50""#) && json.output.contains("timestamp=NOW&signature=sign"))
    let csv = try home.market("balances", "--explain", "-f", "csv")
    #expect(csv.code == 2 && csv.errorOutput.contains("'--explain' cannot be combined with '--format csv'"))
  }
}
