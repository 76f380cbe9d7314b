package import Config

/// Where the rows of a channel are in its messages, and which messages are the channel's.
package struct StreamFrame: Sendable {
  package let rows: String
  package let symbol: ConfigValue
  /// The same for people.
  package let symbolText: String
  package let conditions: [ConfigValue]
  package let messageCount: Int
  /// How many of the messages have rows of known pairs.
  package let takenCount: Int

  /// As members of a channel.
  var members: [(name: String, value: ConfigValue)] {
    (conditions.isEmpty ? [] : [("when", .list(conditions))]) + [("rows", .text(rows)), ("symbol", symbol)]
  }
}

/// What a channel of trades, order books or candles would be, as messages suggest it.
package struct StreamBlockProposal: Sendable {
  package let kind: BlockKind
  package let frame: StreamFrame
  /// Of a book also `whole`, `changes`, `sequence`, `previous` and `count`.
  package let fields: [BlockField]

  package subscript(_ name: String) -> BlockField? { fields.first { $0.name == name } }

  /// The members of the channel, with what is sure.
  package var block: ConfigValue {
    var block = ConfigValue.object(frame.members)
    for (place, value) in fields.filter(\.isSure).flatMap(\.members) { block.set(place[...], to: value) }
    return block
  }
}

extension BlockKind {
  /// Of the same name.
  package var channel: StreamChannel {
    switch self {
    case .orderbook: .orderbook
    case .trades: .trades
    case .candles: .candles
    }
  }
}
