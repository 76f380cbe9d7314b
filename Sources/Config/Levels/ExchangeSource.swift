import JSON
import Quotes

/// Where the text of one exchange stands: its own block, in one file or laid over a copy in another, and that of the exchange
/// it starts from.
package struct ExchangeSource: Sendable {
  package let name: String
  /// The exchange's own objects, far to near: the shipped one, then the user's.
  package internal(set) var own: [ConfigNode]
  /// The objects of the exchange named by `like`, far to near.
  package internal(set) var base: [ConfigNode] = []

  /// The nearest value of a key that `like` does not hand on: `enabled`, `names`, `badge`, `docs`, `note`, `like`.
  package func personal(_ key: String, of path: [String] = []) -> ConfigNode? {
    let value = level(path, of: own).last { $0[key] != nil }?[key]
    return value?.json.isNull == true ? nil : value
  }

  /// The nearest page of a market, or of a part of its table. `like` hands none on: it is another exchange's site.
  func page(at market: [String], part: ConfigNode?) -> ConfigNode? {
    let levels = own + level(market, of: own) + (part.map { isAuthor(of: $0.place) ? [$0] : [] } ?? [])
    let value = levels.last { $0["page"] != nil }?["page"]
    return value?.json.isNull == true ? nil : value
  }

  /// Whether all of it ships with the program.
  package var isShipped: Bool { (base + own).allSatisfy { $0.file.source.origin == .shipped } }

  /// The text of all its objects: another one where anything of the exchange is written otherwise.
  package var text: String { (base + own).map(\.json.text).joined(separator: "\n") }

  /// The place to report what the exchange as a whole lacks.
  package var node: ConfigNode { own[own.count - 1] }

  /// The objects that give one level, far to near. A `null` on the way forgets what came before it.
  func level(_ path: [String]) -> [ConfigNode] { level(path, of: base + own) }

  private func level(_ path: [String], of objects: [ConfigNode]) -> [ConfigNode] {
    var result: [ConfigNode] = []
    for object in objects {
      var level: ConfigNode? = object
      for name in path {
        guard let next = level?[name] else {
          level = nil
          break
        }
        if next.json.isNull { result = [] }
        level = next
      }
      if let level, level.json.kind == .object { result.append(level) }
    }
    return result
  }

  /// The nearest value of a key on a level.
  func value(_ key: String, of path: [String]) -> ConfigNode? {
    let value = level(path).last { $0[key] != nil }?[key]
    return value?.json.isNull == true ? nil : value
  }

  /// The levels from the exchange down to `path`, laid one over another.
  ///
  /// `tickers` of `spot` comes to exchange, then market, then tickers; on each level the base before the own text.
  func block(to path: [String]) -> Block {
    var levels = base + own
    var lead: [String] = []
    for name in path {
      lead.append(name)
      if name != "markets" { levels += level(lead) }
    }
    var block = Block(levels[0], ignoring: foreignKeys(of: levels[0]))
    for level in levels.dropFirst() { overlay(level, on: &block) }
    return block
  }

  /// Lays one more level over a block of this exchange.
  ///
  /// - Parameter ignored: keys of the level that are not meant for the block.
  func overlay(_ level: ConfigNode, on block: inout Block, ignoring ignored: [BlockKey] = []) {
    let hosts: [BlockKey] = handsOnHosts(of: level, to: block) ? [] : [.baseUrls]
    block.overlay(level, ignoring: foreignKeys(of: level) + hosts + ignored)
  }

  /// Whether a block asks the hosts that a level, or a lookup, names: those of the exchange named by `like` are another
  /// exchange's, once this one has named its own.
  func handsOnHosts(of level: ConfigNode, to block: Block) -> Bool {
    guard !base.isEmpty, let hosts = block[.baseUrls] else { return true }
    return !isAuthor(of: hosts.place) || isAuthor(of: level.place)
  }

  /// What a level of the exchange named by `like` keeps to itself: notes and proofs are about the exchange they were written
  /// for.
  private func foreignKeys(of level: ConfigNode) -> [BlockKey] {
    belongsToExchange(level) ? [] : [.note, .verified]
  }

  private func belongsToExchange(_ node: ConfigNode) -> Bool { isAuthor(of: node.place) }

  /// Whether a place lies in the exchange's own text, rather than in that of the exchange it starts from.
  package func isAuthor(of place: Place?) -> Bool {
    guard let place else { return false }
    return own.contains { $0.file.source === place.file && $0.json.byteRange.contains(place.range.lowerBound) }
  }
}
