import JSON

/// The keys that levels override, one level over another.
package enum BlockKey: String, CaseIterable, Sendable {
  case baseUrls, headers, limit, success, request, rows, `where`, symbol, fields, lookups, aliases, multiplier
  case paymentCurrencies, staleAfter, hook, verified, note, set
  // Only for order books, trades and candles.
  case count, intervals, zone, bids, asks, price, size, time, sequence
  // Only for accounts.
  case signed, auth, asset, networks, network, deposit, withdraw, message, ttl, trade, expires, addresses
  case rights, neither

  /// Whether the members of the value are merged one by one; other values are replaced whole.
  package var mergesByMember: Bool {
    switch self {
    case .fields, .lookups, .headers, .aliases, .multiplier, .set, .intervals: true
    default: false
    }
  }

  /// Whether it says what is requested or how it is read, rather than how often or what is known about it.
  fileprivate var isOfMapping: Bool {
    switch self {
    case .headers, .limit, .paymentCurrencies, .staleAfter, .verified, .note, .count, .ttl: false
    default: true
    }
  }

  /// The keys that an order book, trades or candles block inherits from the levels around it.
  static let inherited: [BlockKey] = [
    .baseUrls, .headers, .limit, .success, .lookups, .aliases, .multiplier, .paymentCurrencies, .staleAfter, .hook,
    .set,
  ]

  /// Keys of later versions of the language.
  static let reserved = ["columns"]
}

/// The levels of an exchange merged into one, nearest last.
package struct Block: Sendable {
  /// The value of a key; the members are empty unless the key merges by member.
  private struct Entry {
    let key: BlockKey
    var value: ConfigNode
    var members: [ConfigMember] = []
  }

  /// One entry per key with a value, in no particular order. They are few: a dictionary would cost more than it saves.
  private var entries: [Entry] = []
  /// The values, on any level, of keys that merge by member which are not objects, and so have no members to merge.
  private var strays: [(key: BlockKey, value: ConfigNode)] = []
  /// The same, without the keys.
  var valuesWithoutMembers: [ConfigNode] { strays.map(\.value) }
  /// The node of the nearest level.
  package private(set) var node: ConfigNode
  /// Whether all of it ships with the program.
  package private(set) var isShipped = true
  /// Whether a user's file changes what is requested or how it is read.
  private var isMappingChanged = false

  package init(_ node: ConfigNode, ignoring ignored: [BlockKey] = []) {
    self.node = node
    overlay(node, ignoring: ignored)
  }

  /// Returns a block with only these keys.
  func keeping(_ keys: [BlockKey]) -> Block {
    var block = self
    block.entries.removeAll { !keys.contains($0.key) }
    block.strays.removeAll { !keys.contains($0.key) }
    return block
  }

  package subscript(_ key: BlockKey) -> ConfigNode? { index(of: key).map { entries[$0].value } }

  /// Returns the members of a key that merges by member, in the order in which they were first written.
  package func members(of key: BlockKey) -> [ConfigMember] { index(of: key).map { entries[$0].members } ?? [] }

  /// The day on which the mapping was proved. That of the shipped config says nothing of a mapping that a user has
  /// changed.
  var verified: ConfigNode? { self[.verified].flatMap { isMappingChanged && $0.isShipped ? nil : $0 } }

  /// Loops over indices: iterating over the entries would retain and release each of them.
  private func index(of key: BlockKey) -> Int? {
    for index in entries.indices where entries[index].key == key { return index }
    return nil
  }

  /// The merged content as text, which differs whenever the block requests or reads something differently.
  package var text: String {
    entries.sorted { $0.key.rawValue < $1.key.rawValue }.map { entry in
      let members = entry.members.map { "\($0.name)=\($0.value.json.text)" }
      return "\(entry.key.rawValue):" + (members.isEmpty ? entry.value.json.text : members.joined(separator: ","))
    }.joined(separator: "\n")
  }

  /// Lays a nearer level over this one. `null` removes what the levels above say.
  ///
  /// - Parameter ignored: keys of the level that do not apply to this exchange.
  package mutating func overlay(_ level: ConfigNode, ignoring ignored: [BlockKey] = []) {
    node = level
    let isOfUser = !level.isShipped
    if isOfUser { isShipped = false }
    for member in level.members {
      guard let key = BlockKey(rawValue: member.name), !ignored.contains(key) else { continue }
      if isOfUser, key.isOfMapping { isMappingChanged = true }
      let index = index(of: key)
      var entry = Entry(key: key, value: member.value, members: index.map { entries[$0].members } ?? [])
      if member.value.json.isNull {
        strays.removeAll { $0.key == key }
      } else if key.mergesByMember, member.value.json.kind == .object {
        entry.members = entry.members.merged(with: member.value.members)
      } else if key.mergesByMember {
        strays.append((key, member.value))
      }
      entries.put(member.value.json.isNull ? nil : entry, at: index)
    }
  }
}

extension [ConfigMember] {
  /// Merges nearer members into these, each in place of the one with the same name. `null` removes one.
  func merged(with near: [ConfigMember]) -> [ConfigMember] {
    // Usually there is nothing to merge and nothing to remove.
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
