package import Config

/// The location of a channel's rows in its messages, and which messages belong to the channel.
package struct StreamFrame: Sendable {
  package let rows: String
  package let symbol: ConfigValue
  /// The same in human-readable form.
  package let symbolText: String
  package let conditions: [ConfigValue]
  package let messageCount: Int
  /// The number of messages with rows of known pairs.
  package let takenCount: Int

  /// As members of a channel.
  var members: [(name: String, value: ConfigValue)] {
    (conditions.isEmpty ? [] : [("when", .list(conditions))]) + [("rows", .text(rows)), ("symbol", symbol)]
  }
}

/// A channel of trades, order books or candles as suggested by messages.
package struct StreamBlockProposal: Sendable {
  package let kind: BlockKind
  package let frame: StreamFrame
  /// For a book, also `whole`, `changes`, `sequence`, `previous` and `count`.
  package let fields: [BlockField]

  package subscript(_ name: String) -> BlockField? { fields.first { $0.name == name } }

  /// The channel's members, with the certain fields.
  package var block: ConfigValue {
    var block = ConfigValue.object(frame.members)
    for (place, value) in fields.filter(\.isSure).flatMap(\.members) { block.set(place[...], to: value) }
    return block
  }
}

extension BlockKind {
  package var channel: StreamChannel {
    switch self {
    case .orderbook: .orderbook
    case .trades: .trades
    case .candles: .candles
    }
  }
}
