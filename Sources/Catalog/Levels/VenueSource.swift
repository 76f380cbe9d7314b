package import Quotes

/// Where the text of one venue stands: its own block, in one file or laid over a copy in another, and that of the venue
/// it starts from.
package struct VenueSource: Sendable {
  package let name: String
  /// The venue's own objects, far to near: the shipped one, then the user's.
  package internal(set) var own: [ConfigNode]
  /// The objects of the venue named by `like`, far to near.
  package internal(set) var base: [ConfigNode] = []

  /// Keys that `like` does not hand on.
  static let personalKeys: Set<String> = ["enabled", "names", "note", "verified", "docs", "like", "badge"]

  /// The nearest value of a key that the venue itself must write.
  func personal(_ key: String) -> ConfigNode? { own.last { $0[key] != nil }?[key] }

  /// The place to report what the venue as a whole lacks.
  var node: ConfigNode { own[own.count - 1] }

  /// The objects that give one level, far to near. A `null` on the way forgets what came before it.
  func level(_ path: [String]) -> [ConfigNode] {
    var result: [ConfigNode] = []
    for object in base + own {
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

  /// The levels from the venue down to `path`, laid one over another.
  ///
  /// `tickers` of `spot` comes to venue, then market, then tickers; on each level the base before the own text.
  func block(to path: [String]) -> Block {
    var levels: [ConfigNode] = []
    for object in base { levels.append(object) }
    levels += own
    var lead: [String] = []
    for name in path {
      lead.append(name)
      if name != "markets" { levels += level(lead) }
    }
    var block = Block(levels[0])
    for level in levels.dropFirst() { block.overlay(level) }
    // What `like` must not hand on: notes and proofs are about the venue they were written for.
    for key in [BlockKey.note, .verified] {
      if let node = block[key], !belongsToVenue(node) { block.remove(key) }
    }
    return block
  }

  private func belongsToVenue(_ node: ConfigNode) -> Bool {
    own.contains { $0.file === node.file && $0.json.byteRange.contains(node.json.byteRange.lowerBound) }
  }
}
