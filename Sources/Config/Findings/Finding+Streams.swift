import JSON

// Findings about streams.

extension Finding {
  static func streamWithoutURLs(at node: ConfigNode) -> Finding {
    Finding(
      .missingKey, "missing 'urls' for this stream", at: node.place,
      help: "write \"urls\": [\"wss://…\"] on the channel or on a level of 'streams'")
  }

  static func streamWithoutPrice(at node: ConfigNode) -> Finding {
    Finding(
      .missingKey, "missing 'price' in a channel of rows, whose table has one", at: node.place,
      help: "if messages have only bids and asks, use 'offers'")
  }

  static func invalidStreamURL(_ text: String, at node: ConfigNode) -> Finding {
    // Whatever follows "?" may be a key.
    let shown = text.firstIndex { $0 == "?" || $0 == "#" }.map { text[...$0] + "*" } ?? text[...]
    return Finding(
      .invalidBaseURL, "invalid stream address '\(shown)'", at: node.place,
      help: "write wss://host/path; ws:// only to this machine")
  }

  static func setWithoutRequest(_ name: String, at key: ConfigNode) -> Finding {
    Finding(
      .missingKey, "missing 'request': '\(name)' of 'set' reads its answer", at: key.place,
      help: "add the request, or write a constant")
  }

  /// A lookup of `streams` that neither reads messages nor changes one of the table's.
  static func unknownLookupOfStream(_ name: String, at node: ConfigNode) -> Finding {
    Finding(
      .missingKey, "missing key 'when' in the lookup '\(name)', which a market's table lacks", at: node.place,
      help: "without it, it changes the table's lookup; write it in the 'streams' of the market that has one")
  }

  static func secretInStream(at node: ConfigNode) -> Finding {
    Finding(.secretInStream, "a stream cannot use a secret", at: node.place, help: "streams carry only public data")
  }

  static func pairInSubscription(at node: ConfigNode) -> Finding {
    Finding(
      .invalidSubscription, "'tickers' subscribes to all pairs, but this names one", at: node.place,
      help: "write it under 'ticker'")
  }

  /// - Parameter most: the pairs that a connection may have.
  static func pairInAddress(most: Int, at node: ConfigNode) -> Finding {
    Finding(
      .invalidSubscription, "the address names the pair, but a connection may have \(most) pairs", at: node.place,
      help: "write \"max\": 1")
  }

  static func noPairInSubscription(_ channel: String, at node: ConfigNode) -> Finding {
    Finding(
      .invalidSubscription, "'\(channel)' subscribes to named pairs, but this names none", at: node.place,
      help: channel == "ticker" ? "add {symbol}, or write it under 'tickers'" : "add {symbol}")
  }

  static func nothingToRepeat(at node: ConfigNode) -> Finding {
    Finding(
      .invalidSubscription, "'batch' has nothing to repeat: no element of an array in 'subscribe' names the pair",
      at: node.place, help: "put {symbol} in an array, or remove 'batch'")
  }

  /// - Parameter name: `bid` or `ask`.
  package static func offerOfChanges(_ name: String, at node: ConfigNode) -> Finding {
    Finding(
      .offerOfChanges, .warning, "'\(name)' is the first level of messages that 'orderbook' takes for changes",
      at: node.place, help: "add the conditions of 'whole' to 'when'")
  }

  static func changesWithoutWhole(_ key: String, at node: ConfigNode) -> Finding {
    Finding(
      .missingKey, "missing 'whole' in a stream with '\(key)'", at: node.place,
      help: "add conditions that identify a complete message")
  }
}
