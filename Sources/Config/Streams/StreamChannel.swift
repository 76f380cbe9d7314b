import JSON

/// What a connection of an exchange is about: each channel has one of its own.
package enum StreamChannel: String, CaseIterable, Sendable, Hashable {
  /// Rows of named pairs.
  case ticker
  /// Rows of all pairs by one subscription.
  case tickers
  /// Bid and ask alone, laid into the rows.
  case offers
  case trades, orderbook, candles

  /// Whether its rows are laid over those of the table.
  package var feedsRows: Bool { fields == .ticker }

  /// The block that is asked where the exchange has no such channel; nil where that is the table.
  package var block: BlockKind? {
    switch self {
    case .ticker, .tickers, .offers: nil
    case .trades: .trades
    case .orderbook: .orderbook
    case .candles: .candles
    }
  }

  var fields: FieldVocabulary {
    switch self {
    case .ticker, .tickers, .offers: .ticker
    case .trades: .trade
    case .orderbook: .orderbook
    case .candles: .candle
    }
  }

  /// The fields without which a row of a message is none.
  var requiredFields: [String] {
    switch self {
    case .ticker, .tickers, .offers, .orderbook: []
    case .trades: ["price"]
    case .candles: ["time", "open", "high", "low", "close"]
    }
  }

  var shape: ShapeID {
    switch self {
    case .ticker, .tickers, .offers: .tickerChannel
    case .trades: .tradesChannel
    case .orderbook: .bookChannel
    case .candles: .candleChannel
    }
  }
}

/// An object that says something of streams.
struct StreamLevel {
  let node: ConfigNode
  /// Whether it is of the exchange that this one starts from.
  let isForeign: Bool
}

/// The objects that say one channel of one part of a market, far to near: first those of `streams`, then the channel's own.
struct StreamLevels {
  private let nodes: [StreamLevel]
  /// The nearest of them.
  let node: ConfigNode

  /// nil where there is no such channel.
  init?(_ channel: StreamChannel, _ streams: [StreamLevel]) {
    var nodes: [StreamLevel] = []
    var channels: [StreamLevel] = []
    for level in streams {
      // What is switched off is off from there on, until a nearer level begins anew.
      if level.node.json.isNull || level.node["enabled"]?.json.boolean == false {
        (nodes, channels) = ([], [])
        continue
      }
      nodes.append(level)
      guard let own = level.node[channel.rawValue] else { continue }
      if own.json.isNull || own["enabled"]?.json.boolean == false {
        channels = []
      } else {
        channels.append(StreamLevel(node: own, isForeign: level.isForeign))
      }
    }
    guard let nearest = channels.last?.node else { return nil }
    // Fields beside the channels are those of whole rows.
    let ignoresFields = channel != .ticker && channel != .tickers
    self.nodes = nodes + channels
    streamCount = ignoresFields ? nodes.count : 0
    node = nearest
  }

  /// How many of the nodes, from the first, have no say in `fields`.
  private let streamCount: Int

  /// What an exchange that starts from another does not take from it.
  private static let personal = ["urls", "verified", "note"]

  /// The nearest value of a key; nil where there is none, or null.
  subscript(_ key: String) -> ConfigNode? {
    let value = values(of: key).last
    return value?.json.isNull == true ? nil : value
  }

  private func values(of key: String) -> [ConfigNode] {
    nodes.enumerated().compactMap { index, level in
      if level.isForeign, Self.personal.contains(key) { return nil }
      return key == "fields" && index < streamCount ? nil : level.node[key]
    }
  }

  /// The members of a key, laid over those of the table.
  func members(of key: String, over base: [ConfigMember] = []) -> [ConfigMember] {
    values(of: key).reduce(base) { members, node in
      if node.json.isNull { return [] }
      return node.json.kind == .object ? members.merged(with: node.members) : members
    }
  }

  /// All members of a key, far to near, those of one name behind one another: how a member is laid over its namesake.
  func layers(of key: String) -> [ConfigMember] { values(of: key).flatMap(\.members) }
}

extension ExchangeSource {
  /// The objects of `streams` from the exchange down to a part of its tickers, far to near.
  func streams(market: [String], part: ConfigNode?) -> [StreamLevel] {
    func levels(at path: [String]) -> [StreamLevel] {
      (base + own).compactMap { object in
        path.reduce(object as ConfigNode?) { $0?[$1] }?["streams"].map { level($0) }
      }
    }
    func level(_ node: ConfigNode) -> StreamLevel { StreamLevel(node: node, isForeign: !isAuthor(of: node.place)) }
    return levels(at: []) + levels(at: market) + (part?["streams"].map { [level($0)] } ?? [])
  }
}
