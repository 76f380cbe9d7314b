import JSON

/// The keys that are laid over one another, level by level.
package enum BlockKey: String, CaseIterable, Sendable {
  case baseUrls, headers, limit, success, request, rows, `where`, symbol, fields, lookups, aliases, multiplier
  case paymentCurrencies, staleAfter, hook, verified, note, set
  // Of order books, trades and candles alone.
  case count, intervals, zone, bids, asks, price, size, time, sequence
  // Of accounts alone.
  case signed, auth, asset, networks, network, deposit, withdraw, message, ttl, trade, expires, addresses

  /// Objects whose members are merged one by one; everything else is replaced whole.
  package var mergesByMember: Bool {
    switch self {
    case .fields, .lookups, .headers, .aliases, .multiplier, .set, .intervals: true
    default: false
    }
  }

  /// What a block of an order book, trades or candles takes from the levels around it.
  static let inherited: [BlockKey] = [
    .baseUrls, .headers, .limit, .success, .lookups, .aliases, .multiplier, .paymentCurrencies, .staleAfter, .hook,
    .set,
  ]

  /// Keys of later versions of the language.
  static let reserved = ["columns"]
}

/// What the levels of an exchange come to when they are laid one over another, nearest last.
package struct Block: Sendable {
  /// What stands under a key; the members are empty unless the key merges by member.
  private struct Entry {
    let key: BlockKey
    var value: ConfigNode
    var members: [ConfigMember] = []
  }

  /// One for each key that has a value, in no order. They are few: a dictionary would cost more than it saves.
  private var entries: [Entry] = []
  /// Where the nearest level begins.
  package private(set) var node: ConfigNode
  /// Whether all of it ships with the program.
  package private(set) var isShipped = true

  package init(_ node: ConfigNode, ignoring ignored: [BlockKey] = []) {
    self.node = node
    overlay(node, ignoring: ignored)
  }

  /// The same with these keys alone.
  func keeping(_ keys: [BlockKey]) -> Block {
    var block = self
    block.entries.removeAll { !keys.contains($0.key) }
    return block
  }

  package subscript(_ key: BlockKey) -> ConfigNode? { index(of: key).map { entries[$0].value } }

  /// The merged members of a key that merges by member, in the order in which they were first written.
  package func members(of key: BlockKey) -> [ConfigMember] { index(of: key).map { entries[$0].members } ?? [] }

  /// A loop over places: one over the entries would count references to each of them.
  private func index(of key: BlockKey) -> Int? {
    for index in entries.indices where entries[index].key == key { return index }
    return nil
  }

  /// All that the levels come to, as text: another one where a block reads or asks otherwise.
  package var text: String {
    entries.sorted { $0.key.rawValue < $1.key.rawValue }.map { entry in
      let members = entry.members.map { "\($0.name)=\($0.value.json.text)" }
      return "\(entry.key.rawValue):" + (members.isEmpty ? entry.value.json.text : members.joined(separator: ","))
    }.joined(separator: "\n")
  }

  /// Lays a nearer level over this one. `null` removes what stands above it.
  ///
  /// - Parameter ignored: keys of the level that are not meant for this exchange.
  package mutating func overlay(_ level: ConfigNode, ignoring ignored: [BlockKey] = []) {
    node = level
    if level.file.source.origin != .shipped { isShipped = false }
    for member in level.members {
      guard let key = BlockKey(rawValue: member.name), !ignored.contains(key) else { continue }
      let index = index(of: key)
      var entry = Entry(key: key, value: member.value, members: index.map { entries[$0].members } ?? [])
      if key.mergesByMember, member.value.json.kind == .object {
        entry.members = entry.members.merged(with: member.value.members)
      }
      switch (index, member.value.json.isNull) {
      case (let index?, true): entries.remove(at: index)
      case (let index?, false): entries[index] = entry
      case (nil, true): break
      case (nil, false): entries.append(entry)
      }
    }
  }
}

extension [ConfigMember] {
  /// Lays nearer members over these, each in the place of its namesake. `null` removes one.
  func merged(with near: [ConfigMember]) -> [ConfigMember] {
    // Most often there is nothing to be laid over, and nothing to be removed.
    var result: [ConfigMember?] = self
    var places = Dictionary(enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for member in near {
      let place = places[member.name]
      switch (place, member.value.json.isNull) {
      case (let place?, true):
        result[place] = nil
        places[member.name] = nil
      case (let place?, false): result[place] = member
      case (nil, true): break
      case (nil, false):
        places[member.name] = result.count
        result.append(member)
      }
    }
    return result.compactMap(\.self)
  }
}
