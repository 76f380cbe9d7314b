import TestSupport
import Testing

/// `market orderbook`, `trades`, `candles` and `chart` as users see them, on the recordings that ship with the project.
@Suite(.waitsForPrograms) struct PairCommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The name of the golden file.
    let testDescription: String
    let words: String
    var code: Int32 = 0

    init(_ name: String, _ words: String, code: Int32 = 0) {
      (testDescription, self.words, self.code) = (name, words, code)
    }
  }

  static let cases = [
    Case("pair-orderbook.txt", "orderbook BTC KRW -e upbit,bithumb"),
    Case("pair-orderbook-usual.txt", "orderbook btc/usdt --depth 3"),
    Case("pair-orderbook-step.txt", "orderbook BTC USDT -e okx --step 1 --in KRW"),
    Case("pair-orderbook-size.txt", "orderbook BTC USDT -e binance,okx --size 0.1 --depth 2"),
    Case("pair-orderbook-inverse.txt", "orderbook BTC USD -e deribit -m futures"),
    Case("pair-orderbook.json", "orderbook BTC KRW -e upbit --size 0.01 -f json"),
    Case("pair-orderbook-size.csv", "orderbook BTC USDT -e binance,okx --size 0.1 -f csv"),
    Case("pair-orderbook.csv", "orderbook BTC KRW -e upbit -f csv"),
    Case("pair-orderbook.ndjson", "orderbook BTC KRW -e upbit --depth 2 -f ndjson"),
    Case("pair-orderbook-explain.txt", "orderbook BTC USDT -e okx,gate -m futures --depth 1 --explain"),
    Case("pair-orderbook-unlisted.txt", "orderbook NOPE USDT -e bitbank,binance", code: 1),
    Case("pair-trades.txt", "trades BTC KRW -e upbit -n 5"),
    Case("pair-trades-futures.txt", "trades BTC USDT -e gate,bybit -m futures"),
    Case("pair-trades.json", "trades BTC KRW -e upbit -n 2 -f json"),
    Case("pair-trades.csv", "trades BTC USDT -e binance,okx -n 3 -f csv"),
    Case("pair-trades.ndjson", "trades BTC KRW -e upbit -n 2 -f ndjson"),
    Case("pair-trades-fewer.txt", "trades BTC KRW -e upbit -n 1000"),
    Case("pair-trades-explain.txt", "trades BTC USDT -e gate,binance,kraken -m futures -n 1 --explain"),
    Case("pair-trades-explain.json", "trades BTC USDT -e gate -m futures -n 1 --explain -f json"),
    Case("pair-trades-days.txt", "trades BTC KRW -e upbit --daily -n 4"),
    Case("pair-trades-days-in-korea.txt", "trades BTC KRW -e bithumb,upbit --daily -n 1 --zone +09:00"),
    Case("pair-trades-days.json", "trades BTC KRW -e upbit --daily -n 2 -f json"),
    Case("pair-trades-days.csv", "trades BTC KRW -e upbit --daily -n 3 -f csv"),
    Case("pair-candles.txt", "candles BTC USDT -e binance -i 1h -n 5"),
    Case("pair-candles-in-won.txt", "candles BTC USDT -e binance -i 1h -n 2 --in KRW"),
    Case("pair-candles-in-won.json", "candles BTC USDT -e binance -i 1h -n 1 --in KRW -f json"),
    Case("pair-trades-days-without-rate.ndjson", "trades BTC KRW -e upbit --daily -n 1 --in JPY -f ndjson"),
    Case("pair-candles-built.txt", "candles BTC KRW -e gopax -i 1h -n 3"),
    Case("pair-candles-gap.csv", "candles BTC USDT -e binance -i 1m -f csv"),
    Case("pair-candles-days-elsewhere.txt", "candles BTC JPY -e gmo -i 1d -n 3"),
    Case("pair-candles.json", "candles BTC KRW -e upbit -i 1h -n 2 -f json"),
    Case("pair-candles.ndjson", "candles BTC KRW -e upbit -i 1h -n 2 -f ndjson"),
    Case("pair-candles-explain.txt", "candles BTC KRW -e gopax,upbit -n 1 --explain"),
    Case("pair-candles-explain.ndjson", "candles BTC KRW -e upbit -n 1 --explain -f ndjson"),
    Case("pair-candles-not-offered.txt", "candles BTC JPY -e bitflyer,coincheck", code: 1),
    Case("pair-candles-unknown-interval.txt", "candles BTC USDT -i 60m", code: 2),
    Case("pair-candles-later-than-now.txt", "candles BTC USDT -e binance --since 2027-01-01", code: 2),
    Case("pair-candles-long-span.txt", "candles BTC USDT -e binance -i 1m --since 2020-01-01", code: 2),
    // An omitted payment currency is the one that 'show' uses.
    Case("pair-candles-without-payment.txt", "candles BTC -i 1h -n 2"),
    Case("pair-orderbook-without-payment.txt", "orderbook BTC -e okx,gate --depth 2"),
    Case("pair-trades-without-payment.txt", "trades btc -e upbit:KRW,binance -n 2"),
    Case("pair-chart-without-payment.txt", "chart BTC -e upbit:KRW -i 1m --rows 8"),
    Case("pair-chart.txt", "chart BTC USDT -e binance -i 1m --rows 16"),
    Case("pair-chart-log.txt", "chart BTC USDT -e binance -i 1m --rows 16 --scale log"),
    Case("pair-chart-lines.txt", "chart BTC USDT -e binance,okx -i 1m --rows 12"),
    Case("pair-chart-premium.txt", "chart BTC USDT -i 1m --premium upbit:KRW,binance --rows 16"),
    Case(
      "pair-chart-premium-until.txt",
      "chart BTC USDT -i 1m --premium binance,okx --until 2026-11-18T05:02 -n 4 --rows 12"),
    Case("pair-chart.svg", "chart BTC USDT -e binance -i 1m --svg -"),
    Case("pair-unknown-product.txt", "orderbook BTC USD -e kraken,okx --product quanto", code: 2),
    Case("pair-product-of-spot.txt", "trades BTC USD -e kraken -m spot --product inverse", code: 2),
    Case("pair-chart-premium-of-one.txt", "chart BTC USDT --premium upbit", code: 2),
  ]

  @Test(arguments: cases) func outputMatchesGolden(_ sample: Case) throws {
    let run = try Subprocess(
      market: sample.words.split(separator: " ").map(String.init)
        + ["--replay", Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json")])
    #expect(run.code == sample.code)
    let text = run.output + (run.errorOutput.isEmpty ? "" : "--- stderr\n" + run.errorOutput)
    Golden.expect(
      text.split(separator: Checkout.path(""), omittingEmptySubsequences: false).joined(separator: "./"),
      matches: sample.testDescription)
  }

  /// An exchange that is named twice, once with the payment currency that is meant anyway, is one exchange. A product is
  /// of futures, and the first is the usual one.
  @Test(
    arguments: [
      ("orderbook BTC KRW --size 0.01 -e upbit,upbit:KRW", "orderbook BTC KRW --size 0.01 -e upbit"),
      ("trades BTC KRW -n 2 -e upbit:krw,Upbit", "trades BTC KRW -n 2 -e upbit"),
      ("orderbook BTC USD -e okx --product coinMargin", "orderbook BTC USD -e okx -m futures"),
      (
        "chart BTC USDT -i 1m --premium upbit:KRW,binance -e binance:USDT,upbit:KRW",
        "chart BTC USDT -i 1m --premium upbit:KRW,binance -e binance,upbit:KRW"
      ),
    ])
  func exchangeNamedTwice(_ words: String, _ once: String) throws {
    func run(_ words: String) throws -> Subprocess {
      try Subprocess(
        market: words.split(separator: " ").map(String.init)
          + ["-f", "csv", "--replay", Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json")])
    }
    let (found, expected) = (try run(words), try run(once))
    #expect(found.output == expected.output && found.errorOutput == expected.errorOutput && found.code == 0)
    let premium = try run("chart BTC KRW --premium upbit,upbit:KRW")
    let message = "error: invalid value 'upbit,upbit:KRW' for '--premium'; expected two exchanges: A,B\n"
    #expect(premium.code == 2 && premium.errorOutput.contains(message), "\(premium.errorOutput)")
  }

  private static let commands = [
    "orderbook BTC KRW -e upbit", "trades BTC KRW -e upbit", "candles BTC KRW -e upbit", "tickers kraken",
    "chart BTC USDT -e binance -i 1m",
  ]

  /// Text is in the language of the locale or of `--lang`; what is for programs, and the notes beside it, is in English.
  @Test(arguments: commands) func language(_ command: String) throws {
    func run(_ words: [String], locale: String = "C.UTF-8") throws -> Subprocess {
      try Subprocess(
        market: command.split(separator: " ").map(String.init)
          + ["--replay", Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json")] + words,
        environment: ["LC_ALL": locale])
    }
    let korean = try run(["--lang", "ko"])
    #expect(korean.output.contains("현물") && korean.code == 0)
    #expect(try run([], locale: "ko_KR.UTF-8").output == korean.output)
    #expect(try run(["--lang", "en"], locale: "ko_KR.UTF-8").output == run([]).output)
    for format in ["json", "csv", "ndjson"] {
      let (found, expected) = (try run(["-f", format], locale: "ko_KR.UTF-8"), try run(["-f", format]))
      #expect(found.output == expected.output && found.errorOutput == expected.errorOutput)
      let refused = try run(["--lang", "ko", "-f", format])
      #expect(refused.code == 2)
      #expect(refused.errorOutput.hasPrefix("error: '--lang' cannot be combined with '--format \(format)'\n"))
    }
  }

  /// The words of a picture in a file are in English.
  @Test func languageOfPictures() throws {
    func run(_ words: [String], locale: String) throws -> Subprocess {
      try Subprocess(
        market: ["chart", "BTC", "USDT", "-e", "binance", "-i", "1m", "--svg", "-"]
          + ["--replay", Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json")] + words,
        environment: ["LC_ALL": locale])
    }
    let refused = try run(["--lang", "ko"], locale: "C.UTF-8")
    #expect(refused.code == 2)
    #expect(refused.errorOutput.hasPrefix("error: '--svg' cannot be combined with '--lang'\n"))
    let scheme = ["--scheme", "us"]
    #expect(try run(scheme, locale: "ko_KR.UTF-8").output == run(scheme, locale: "C.UTF-8").output)
  }

  /// A premium without a single point is no answer to the question for one.
  @Test(arguments: ["text", "json", "csv"]) func premiumWithoutPoints(_ format: String) throws {
    let run = try Subprocess(
      market: [
        "chart", "BTC", "USDT", "--premium", "upbit,binance", "-f", format, "--replay",
        Checkout.path("Tests/Cassettes"), "--config", Checkout.path("exchanges.json"),
      ])
    #expect(run.code == 1 && !run.output.contains("\n\n\n"), "\(run.output)")
  }
}
