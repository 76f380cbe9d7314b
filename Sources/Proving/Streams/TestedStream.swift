package import Config
import JSON
import Mapping
package import Quotes

/// The mapped messages of a channel connection, either recorded or opened for the test.
package struct TestedStream: Sendable {
  /// How a connection opened for the test went.
  package struct Heard: Sendable {
    /// The number of connections.
    package let tries: Int
    /// How long the last of them took to open, in milliseconds; nil if it never did.
    package let openedAfter: Int?
    /// From then to the first message of the channel.
    package let firstAfter: Int?
    package let messageCount: Int
    /// Why the last of them ended early; nil if it did not.
    let end: AnswerFailure?
  }

  package let market: Market
  package let channel: StreamChannel
  package let pair: Pair
  /// The pairs that were subscribed to beside it for the test.
  package var others: [Pair] = []
  /// The total number of rows, books, candles and batches of trades.
  package var updateCount = 0
  /// The exchange's error; nil if it sent data.
  package var refusal: String?
  /// nil for a recorded one.
  package var heard: Heard?
  let found: [Found]
  /// nil if the mapping has no such channel.
  var spec: StreamSpec?
  /// The messages of the channel; if there were none, all messages.
  var messages: [[UInt8]] = []

  package var findings: [Finding] { found.map(\.finding) }

  /// Returns what has changed since the recording of the same channel.
  func drift(since base: TestedExchange?) -> [Found] {
    let old = (base?.streams ?? []).filter { $0.market == market && $0.channel == channel && $0.updateCount > 0 }
    guard heard != nil, let spec, let before = old.first(where: { $0.pair == pair }) ?? old.first else { return [] }
    let after = updateCount > 0 ? messages : messages.alike
    guard !after.isEmpty else { return [] }
    let drifts = Drift.drifts(
      AnswerBodies(bodies: Array(before.messages.prefix(50)), arrival: nil),
      AnswerBodies(bodies: Array(after.prefix(50)), arrival: nil), of: spec, isSamePair: before.pair == pair)
    // What the comparison with the table has revealed is reported with its number.
    let told = Set(found.filter { $0.finding.code == .fieldLost }.flatMap { $0.replacements.map(\.lost) })
    let subject = Finding.Subject.table(exchange: spec.table.owner, market: market.rawValue, pair: "\(pair)")
    let name = "\(market.rawValue): the \(channel.rawValue) stream of \(pair)"
    return drifts.flatMap { $0.losses(about: subject, of: name) }.filter { found in
      !found.replacements.contains { told.contains($0.lost) }
    }
  }
}

extension [[UInt8]] {
  /// The messages with the same members as the longest: acknowledgements and heartbeats are shorter.
  fileprivate var alike: [[UInt8]] {
    func members(_ message: [UInt8]) -> Set<String>? {
      (try? JSONDocument(parsing: message)).map { Set($0.root.members.map(\.name)) }
    }
    guard let longest = self.max(by: { $0.count < $1.count }).flatMap(members) else { return [] }
    return filter { members($0) == longest }
  }
}
