import JSON
package import Quotes

/// The config text of one exchange: its own block, in one file or overriding a copy in another, and the blocks of the
/// exchange it inherits from.
package struct ExchangeSource: Sendable {
  package let name: String
  /// The exchange's own objects, lowest precedence first: the shipped one, then the user's.
  package internal(set) var own: [ConfigNode]
  /// The objects of the exchange named by `like`, lowest precedence first.
  package internal(set) var base: [ConfigNode] = []

  /// Returns the nearest value of a key that `like` does not pass on: `enabled`, `names`, `badge`, `docs`, `note`,
  /// `like`.
  package func personal(_ key: String, of path: [String] = []) -> ConfigNode? { level(path, of: own).nearest(key) }

  /// Returns whether nothing turns off the exchange, or else that market of it, with `"enabled": false`.
  package func isEnabled(_ market: Market? = nil) -> Bool {
    personal("enabled", of: market.map { ["markets", $0.rawValue] } ?? [])?.json.boolean != false
  }

  /// Returns the nearest page of a market, or of a part of its table. `like` passes none on, since it is another
  /// exchange's site.
  func page(at market: [String], part: ConfigNode?) -> ConfigNode? {
    (own + level(market, of: own) + (part.map { owns($0.place) ? [$0] : [] } ?? [])).nearest("page")
  }

  /// Whether all of it ships with the program.
  package var isShipped: Bool { (base + own).allSatisfy { $0.isShipped } }

  /// The text of all its objects, which differs whenever anything about the exchange is written differently.
  package var text: String { (base + own).map(\.json.text).joined(separator: "\n") }

  /// The node where findings about the exchange as a whole are reported.
  package var node: ConfigNode { own[own.count - 1] }

  /// Returns the objects of one level, lowest precedence first. A `null` removes everything before it.
  package func level(_ path: [String]) -> [ConfigNode] { level(path, of: base + own) }

  /// Returns what is written in place of the objects of one level, and so is on no level.
  func strays(at path: [String]) -> [ConfigNode] {
    guard let key = path.last else { return [] }
    return level(Array(path.dropLast())).compactMap { $0[key] }.filter { ![.object, .null].contains($0.json.kind) }
  }

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

  /// Returns the nearest value of a key on a level.
  func value(_ key: String, of path: [String]) -> ConfigNode? { level(path).nearest(key) }

  /// Merges the levels from the exchange down to `path` into a block.
  ///
  /// For `tickers` of `spot` these are the exchange, the market and the tickers; on each, the base comes before the own
  /// text.
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
  /// - Parameter ignored: keys of the level that do not apply to the block.
  func overlay(_ level: ConfigNode, on block: inout Block, ignoring ignored: [BlockKey] = []) {
    let hosts: [BlockKey] = inheritsHosts(of: level, to: block) ? [] : [.baseUrls]
    block.overlay(level, ignoring: foreignKeys(of: level) + hosts + ignored)
  }

  /// Returns whether a block uses the hosts that a level, or a lookup, names. Hosts of the exchange named by `like` no
  /// longer apply once this exchange has named its own.
  func inheritsHosts(of level: ConfigNode, to block: Block) -> Bool {
    guard !base.isEmpty, let hosts = block[.baseUrls] else { return true }
    return !owns(hosts.place) || owns(level.place)
  }

  /// Returns the keys that the exchange named by `like` does not pass on: notes and proofs only apply to the exchange
  /// they were written for.
  private func foreignKeys(of level: ConfigNode) -> [BlockKey] { owns(level.place) ? [] : [.note, .verified] }

  /// Returns whether a place lies in the exchange's own text, rather than in text it inherits.
  package func owns(_ place: Place?) -> Bool {
    guard let place else { return false }
    return own.contains { $0.file.source === place.file && $0.json.byteRange.contains(place.range.lowerBound) }
  }
}

extension [ConfigNode] {
  /// Returns the value of a key on the last of these objects that has it; nil if that is `null`.
  func nearest(_ key: String) -> ConfigNode? {
    let value = last { $0[key] != nil }?[key]
    return value?.json.isNull == true ? nil : value
  }
}

/// The objects that describe one thing, lowest precedence first: the shipped one, then the user's.
typealias NamedLevels = (name: String, levels: [ConfigNode])

extension [NamedLevels] {
  /// Puts a member on the levels of its name; `null` removes them.
  mutating func put(_ member: ConfigMember) {
    let index = firstIndex { $0.name == member.name }
    let levels = (index.map { self[$0].levels } ?? []) + [member.value]
    put(member.value.json.isNull ? nil : (name: member.name, levels: levels), at: index)
  }
}

extension Array {
  /// Puts an element in the place of another one, or behind all if there is none; nil removes that one.
  mutating func put(_ element: Element?, at index: Int?) {
    switch (index, element) {
    case (let index?, let element?): self[index] = element
    case (let index?, nil): remove(at: index)
    case (nil, let element?): append(element)
    case (nil, nil): break
    }
  }
}
