import Config
package import Inference
package import Quotes

/// The command line of `add-exchange`, parsed once.
package struct OnboardingOptions: Sendable {
  /// The exchange's name; nil to ask for it.
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
  /// The path of the answer, or its full URL.
  package var tickers: String?
  /// The URL of the answer with an order book, trades or candles.
  package var url: String?
  /// The path for requesting a single pair.
  package var ticker: String?
  /// nil for spot, unless the sample looks like futures.
  package var market: Market?
  /// What takes precedence over inference, checked against the sample.
  package var hints: SampleHints
  package var keys: BlockOverrides

  package var isDry = false
  package var isJSON = false
  package var showsDifference = false
  package var writesUnasked = false
  /// The config given on the command line.
  package var config: String?

  /// - Parameters:
  ///   - rows: the JSONPath of the rows.
  ///   - price: the JSONPath of the last price, relative to a row.
  package init(
    keys: BlockOverrides, pair: Pair? = nil, rows: String? = nil, price: String? = nil, market: Market? = nil
  ) {
    self.keys = keys
    self.market = market
    hints = SampleHints(pair: pair)
    hints.rows = rows ?? keys.rows
    hints.paths = keys.paths
    hints.conditions = keys.conditions
    if let price { hints.paths[.price] = price }
    hints.isFutures = market == .futures
  }

  /// A file of ready blocks, given instead of a name.
  package var readyBlocks: String? { isBare && name?.hasSuffix(".json") == true ? name : nil }

  /// Whether no source of an answer is given, so that everything is asked.
  package var isBare: Bool { sources.isEmpty && curl == nil && like == nil && streamSample == nil }

  /// Returns the config of the single-pair request; nil if not specified.
  func tickerBlock() throws(OnboardingProblem) -> ConfigValue? {
    guard let ticker else { return nil }
    // The host is that of the full table.
    let url = ticker.contains("://") ? ticker : "https://host" + (ticker.hasPrefix("/") ? "" : "/") + ticker
    let request = try ExchangeRequest(SampleRequest(url: url), keepsTemplates: true)
    guard request.secrets.isEmpty else { throw .tickerHoldsSecret }
    guard request.isAboutPair else { throw .tickerNamesNoPair }
    return .object([("request", ExchangeBlock.value(of: request.block))])
  }
}
