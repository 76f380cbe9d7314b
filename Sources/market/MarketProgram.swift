import Asking
import Files
import MarketData
import Shell

/// The process: runs the command line and exits with its exit code.
@main
enum MarketProgram {
  static func main() {
    ProcessControl.openStandardStreams()
    ProcessControl.surviveWriting()
    ProcessControl.endOnQuit()
    ProcessControl.allowOpenFiles()
    ProcessControl.growHeapInLargePages()
    MarketSession.prepare(for: CommandLine.arguments.dropFirst(), of: .market)
    switch Program.market.begin(in: .process()) {
    case .finished(let code): ProcessControl.leave(with: code)
    case .awaiting(let rest):
      if let missingResource = ProcessControl.missingResource {
        _ = FileSystem.send(Array("error: \(missingResource)\n".utf8), to: 2, named: "standard error")
        ProcessControl.leave(with: .noAnswer)
      }
      // `main` itself is not async, as that alone would start the concurrency runtime even for `--version`.
      ProcessControl.run(rest)
    }
  }
}

/// All commands, in the order of the help page.
extension Program {
  static let market = Program(
    name: "market",
    summary: "compare one asset across exchanges",
    examples: [
      .init("market show BTC USDT", "BTC/USDT on every exchange"),
      .init("market help show", "everything about one command"),
    ],
    entries: [
      .init("show", .prices, queriesExchanges: true) { ShowCommand.command },
      .init("list", .prices, queriesExchanges: true) { ListCommand.command },
      .init("search", .prices, queriesExchanges: true) { SearchCommand.command },
      .init("tickers", .prices, queriesExchanges: true) { TickersCommand.command },
      .init("premium", .prices, queriesExchanges: true) { PremiumCommand.command },
      .init("fx", .prices) { FxCommand.command },
      .init("orderbook", .onePair, queriesExchanges: true) { OrderbookCommand.command },
      .init("trades", .onePair, queriesExchanges: true) { TradesCommand.command },
      .init("candles", .onePair, queriesExchanges: true) { CandlesCommand.command },
      .init("chart", .onePair, queriesExchanges: true) { ChartCommand.command },
      .init("watch", .live, queriesExchanges: true) { WatchCommand.command },
      .init("stream", .live, queriesExchanges: true) { StreamCommand.command },
      .init("favorites", .live) { FavoritesCommand.command },
      .init("balances", .account, queriesExchanges: true) { BalancesCommand.command },
      .init("wallet-status", .account, queriesExchanges: true) { WalletStatusCommand.command },
      .init("keys", .account) { KeysCommand.command },
      .init("exchanges", .config) { ExchangesCommand.command },
      .init("test-exchange", .config) { TestExchangeCommand.command },
      .init("add-exchange", .config) { AddExchangeCommand.command },
      .init("remove-exchange", .config) { RemoveExchangeCommand.command },
      .init("config", .config) { ConfigCommand.command },
      .init("validate-config", .config) { ValidateConfigCommand.command },
      .init("explain", .config) { ExplainCommand.command },
      .init("schema", .config) { SchemaCommand.command },
      .init("jsonpath", .config) { JSONPathCommand.command },
      .init("doctor", .program) { DoctorCommand.command },
      .init("completions", .program) { CompletionsCommand.command },
      .init("complete", .program) { CompletionsCommand.answer },
      .init("man", .program) { ManCommand.command },
      .init("help", .program) { HelpCommand.command },
      .init("version", .program) { VersionCommand.command },
    ],
    synonyms: [
      "price": "show", "prices": "show", "quote": "show", "book": "orderbook", "depth": "orderbook",
      "kimchi": "premium", "klines": "candles", "rate": "fx", "rates": "fx", "find": "search",
      "ls": "list", "top": "watch", "alert": "watch --alert", "alerts": "watch --alert", "rm": "remove-exchange",
    ],
    discussion: [
      "The config is the file of --config, or else of MARKET_CONFIG, or else ~/.config/market/exchanges.json, "
        + "or else the one that ships with the program; 'market config path' shows which.",
      "A word in place of a number, such as json-null or stale, says why there is none: 'market explain json-null'.",
    ],
    environment: [
      ("MARKET_CONFIG", "the config, unless --config names one"),
      ("MARKET_<EXCHANGE>_<SECRET>", "a secret of an exchange without any in credentials.json, both names in capitals"),
      (
        "XDG_CONFIG_HOME",
        "market/ in it has your exchanges.json, credentials.json, favorites.json and alerts.json (default: ~/.config)"
      ),
      (
        "XDG_CACHE_HOME",
        "market/ in it keeps lookups, exchange rates and their budgets, and the answers of --cache (default: ~/.cache)"
      ),
      (
        "XDG_STATE_HOME",
        "market/ in it keeps the last nonces of keys, and pauses that hosts asked for (default: ~/.local/state)"
      ),
      ("HOME", "the base of these three defaults"),
      ("NO_COLOR", "if set and not empty: no colours, unless --color always"),
      (
        "TERM",
        "'dumb': no colours, unless --color always; 'dumb' or not set: no live screen and no progress line; 'linux': ASCII, "
          + "unless --glyphs unicode"
      ),
      (
        "TERM_PROGRAM, LC_TERMINAL, VTE_VERSION, TMUX, COLORFGBG",
        "how the terminal shows links, messages of alerts and its background"
      ),
      (
        "LC_ALL, LC_MESSAGES, LANG",
        "the first one set: in a Korean locale, up is red, otherwise green, and live screens, lists, show, premium "
          + "and fx are in Korean"
      ),
      (
        "LC_ALL, LC_CTYPE, LANG",
        "the first one set: its encoding; unless that is UTF-8, all but names is in English without --lang ko, and lines are in ASCII without --glyphs unicode"
      ),
      ("LC_ALL, LC_TIME, LANG", "the first one set: the language of the weekdays"),
      ("TZ", "the zone of the second clock, such as Asia/Seoul (default: the system's)"),
      ("https_proxy, http_proxy, all_proxy, no_proxy", "proxies, as curl reads them"),
      ("CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR", "certificates to trust instead of the system's"),
      ("PATH", "'market NAME' runs a program market-NAME if NAME is not a command"),
    ],
    files: [
      ("~/.config/market/exchanges.json", "your config, if there is one"),
      ("~/.config/market/credentials.json", "your keys and other secrets, readable only by you (mode 600)"),
      ("~/.config/market/favorites.json, alerts.json", "the pairs that you marked, and your alerts"),
      ("~/.cache/market", "lookups, exchange rates and their budgets, and the answers of --cache"),
      ("~/.local/state/market", "the last nonces of keys, and pauses that hosts asked for"),
      ("PREFIX/share/market", "the config that ships with the program, its schema, and recordings to replay"),
    ])
}
