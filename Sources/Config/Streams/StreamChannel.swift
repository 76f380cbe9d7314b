import JSON

/// The subject of a connection; each channel has its own connections.
package enum StreamChannel: String, CaseIterable, Sendable, Hashable {
  /// Rows of individually named pairs.
  case ticker
  /// Rows of all pairs with a single subscription.
  case tickers
  /// Only bid and ask, merged into the rows.
  case offers
  case trades, orderbook, candles

  /// Whether its rows are merged into those of the table.
  package var feedsRows: Bool { block == nil }

  /// Whether requests for the table provide its data where no message does. Bid and ask are polled with the order book.
  package var isPolledWithTable: Bool { feedsRows && self != .offers }

  /// The block to poll if the exchange has no such channel; nil if that is the table.
  package var block: BlockKind? {
    switch self {
    case .ticker, .tickers, .offers: nil
    case .trades: .trades
    case .orderbook: .orderbook
    case .candles: .candles
    }
  }

  var fields: FieldVocabulary { block?.fields ?? .ticker }

  /// The fields that a row of a message must have.
  var requiredFields: [String] { self == .trades ? ["price"] : fields.required }

  var shape: ObjectShape {
    switch self {
    case .ticker, .tickers, .offers: .tickerChannel
    case .trades: .tradesChannel
    case .orderbook: .bookChannel
    case .candles: .candleChannel
    }
  }
}

/// An object that configures streams.
struct StreamLevel {
  let node: ConfigNode
  /// Whether it belongs to the exchange that this one inherits from.
  let isForeign: Bool
}

/// The objects that configure one channel of one part of a market, lowest precedence first: those of `streams`, then
/// the channel's own.
struct StreamLevels {
  private let nodes: [StreamLevel]
  /// The nearest node.
  let node: ConfigNode
  let channel: StreamChannel
  /// The market, as `markets.futures`, if the channel is written above it and above another one; else nil.
  var market: String?

  /// Returns nil if there is no such channel.
  init?(_ channel: StreamChannel, _ streams: [StreamLevel]) {
    var nodes: [StreamLevel] = []
    var channels: [StreamLevel] = []
    for level in streams {
      // Disabling discards all levels so far; a nearer level can start from the beginning.
      if level.node.json.isNull || level.node["enabled"]?.json.boolean == false {
        (nodes, channels) = ([], [])
        continue
      }
      nodes.append(level)
      guard let own = level.node[channel.rawValue] else { continue }
      if own.json.isNull || own["enabled"]?.json.boolean == false {
        channels = []
      } else if own.json.kind == .object {
        channels.append(StreamLevel(node: own, isForeign: level.isForeign))
      }
    }
    guard let nearest = channels.last?.node else { return nil }
    // Fields next to the channels apply only to channels with complete rows.
    let ignoresFields = channel != .ticker && channel != .tickers
    self.nodes = nodes + channels
    isInherited = channels.allSatisfy(\.isForeign)
    streamCount = ignoresFields ? nodes.count : 0
    node = nearest
    self.channel = channel
  }

  /// Returns the finding that a key is on no level.
  func lacks(_ key: String, in what: String) -> Finding { named(.missingKey(key, in: what, at: node)) }

  /// Returns a finding about something that is missing with the market that lacks it, where its place does not say so:
  /// the others may have it.
  func named(_ finding: Finding) -> Finding {
    guard let market else { return finding }
    return Finding(
      finding.code, finding.severity, "\(finding.message) of \(market)", about: finding.subject,
      help: finding.help ?? "write it in 'streams' there, or switch the channel off: \"\(channel.rawValue)\": null")
  }

  /// Whether the exchange does not configure the channel itself, but inherits it.
  let isInherited: Bool

  /// The number of leading nodes whose `fields` are ignored.
  private let streamCount: Int

  /// The keys that an exchange does not inherit from another.
  private static let personal = ["urls", "verified", "note"]

  /// The nearest value of a key; nil if there is none, or if it is null.
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

  /// Returns the members of a key, merged into those of the table.
  func members(of key: String, over base: [ConfigMember] = []) -> [ConfigMember] {
    values(of: key).reduce(base) { members, node in
      if node.json.isNull { return [] }
      return node.json.kind == .object ? members.merged(with: node.members) : members
    }
  }

  /// Returns a block of the table with these keys as the stream has them.
  func overlaid(on block: Block, _ keys: [BlockKey]) -> Block {
    nodes.reduce(into: block) { block, level in
      block.overlay(level.node, ignoring: BlockKey.allCases.filter { !keys.contains($0) })
    }
  }

  /// Returns all members of a key, lowest precedence first, including several with the same name, which are to be
  /// merged.
  func layers(of key: String) -> [ConfigMember] { values(of: key).flatMap(\.members) }
}

extension ExchangeSource {
  /// Returns the `streams` objects from the exchange down to a part of its tickers, lowest precedence first.
  func streams(market: [String], part: ConfigNode?) -> [StreamLevel] {
    func levels(at path: [String]) -> [StreamLevel] {
      (base + own).compactMap { $0.at(path)?["streams"].map { level($0) } }
    }
    func level(_ node: ConfigNode) -> StreamLevel { StreamLevel(node: node, isForeign: !owns(node.place)) }
    return levels(at: []) + levels(at: market) + (part?["streams"].map { [level($0)] } ?? [])
  }
}
