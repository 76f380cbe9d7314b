import Config
package import Inference
package import Quotes

/// What the command line of `add-exchange` says, read once.
package struct OnboardingOptions: Sendable {
  /// How the exchange is to be called; nil: it is asked.
  package var name: String?
  /// `[PART=]SOURCE`, as written.
  package var sources: [String] = []
  /// A pasted curl line.
  package var curl: String?
  /// Recorded messages of a stream.
  package var streamSample: String?
  /// The exchange that the new one is like.
  package var like: String?

  package var baseURLs: [String] = []
  /// The path of the answer, or its whole address.
  package var tickers: String?
  /// The address that the answer with an order book, trades or candles came from.
  package var url: String?
  /// The path that asks for one pair.
  package var ticker: String?
  /// nil: spot, unless the sample looks like futures.
  package var market: Market?
  /// What goes before the inference, held against the sample.
  package var hints: SampleHints
  package var keys: GivenKeys

  package var isDry = false
  package var isJSON = false
  package var showsDifference = false
  package var writesUnasked = false
  /// The config, where the command line names it.
  package var config: String?

  /// - Parameters:
  ///   - rows: JSONPath of the rows.
  ///   - price: JSONPath of the last price, below a row.
  package init(
    keys: GivenKeys, pair: Pair? = nil, rows: String? = nil, price: String? = nil, market: Market? = nil
  ) {
    self.keys = keys
    self.market = market
    hints = SampleHints(pair: pair)
    hints.rows = rows ?? keys.rows
    hints.paths = keys.paths
    if let price { hints.paths[.price] = price }
    hints.isFutures = market == .futures
  }

  /// A file with exchanges that are written already, in the place of a name.
  package var readyBlocks: String? { isBare && name?.hasSuffix(".json") == true ? name : nil }

  /// Whether nothing says where an answer is: everything is asked.
  package var isBare: Bool { sources.isEmpty && curl == nil && like == nil && streamSample == nil }

  /// How one pair is asked for, as the config has it; nil where that is not said.
  func tickerBlock() throws(OnboardingProblem) -> ConfigValue? {
    guard let ticker else { return nil }
    // The host is that of the table of all.
    let url = ticker.contains("://") ? ticker : "https://host" + (ticker.hasPrefix("/") ? "" : "/") + ticker
    let request = try ExchangeRequest(SampleRequest(url: url), keepsTemplates: true)
    guard request.secrets.isEmpty else { throw .tickerHoldsSecret }
    guard request.isAboutPair else { throw .tickerNamesNoPair }
    return .object([("request", ExchangeBlock.value(of: request.block))])
  }
}
