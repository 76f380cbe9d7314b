import JSON

@testable import Config

/// A character of data removed from an exchange's block, and the kind of data it was part of.
struct DataMutation: Hashable, Sendable {
  /// The kind of data that contains the mutation.
  enum Kind: String, CaseIterable, Comparable, Sendable {
    case url
    /// A name in a path read by a field, symbol or list of rows.
    case member
    /// A name in a path that tells good responses from bad, or one row from another.
    case condition
    /// Currencies, aliases, product names, prefixes of multiplied assets.
    case symbol
    case number
    /// Any other text that the language compares with.
    case word
    /// How requests are signed, which known answers check.
    case signature
    // What no recording can show, by its nature:
    /// Names, links and notes for people, the verification date, and known answers, which are never sent.
    case prose
    /// Limits, costs, ages: how often requests are sent, not what comes back.
    case pace
    /// URLs that are only used if the first does not respond.
    case alternate
    /// Trading fees, which no ticker contains.
    case fee
    /// Headers are not part of a recording, and known answers do not name all of them.
    case header
    /// Streams, whose messages are not part of the recordings used here.
    case stream
    /// Accounts, which are not recorded. Public wallets do not count as such.
    case account

    /// Whether a recording could reveal the mutation.
    var isCovered: Bool { self < .prose }

    static func < (left: Kind, right: Kind) -> Bool {
      let all = allCases
      return (all.firstIndex(of: left) ?? 0) < (all.firstIndex(of: right) ?? 0)
    }
  }

  let exchange: String
  /// The market and block that contain the mutation, if it is in one that may lack a recording.
  let block: Block?
  let kind: Kind
  /// The offset of the character in the file.
  let offset: Int
  /// The range of the whole text or number that contains it, without quotes.
  let token: Range<Int>
}

extension DataMutation {
  /// Returns every character of data in one exchange's block.
  static func all(in exchange: JSONMembers.Element, _ map: ConfigMap) -> [DataMutation] {
    var mutations: [DataMutation] = []
    let hasOpenWallets = exchange.value["walletStatus"].map { $0["signed"] == nil } ?? false
    func take(_ token: Range<Int>, _ keys: [String], text: String) {
      let kind = Kind(keys, text: text, hasOpenWallets: hasOpenWallets)
      let block = Block(keys)
      for offset in token where map.parts[offset] == .data {
        mutations.append(DataMutation(exchange: exchange.name, block: block, kind: kind, offset: offset, token: token))
      }
    }
    func visit(_ node: JSONNode, _ keys: [String]) {
      switch node.kind {
      case .object:
        for member in node.members {
          take(member.key.inside, keys + ["(name)"], text: member.name)
          visit(member.value, keys + [member.name])
        }
      case .array:
        for (index, element) in node.elements.enumerated() { visit(element, keys + ["\(index)"]) }
      case .string: take(node.inside, keys, text: node.string ?? "")
      case .number: take(node.byteRange, keys, text: node.numberText ?? "")
      default: break
      }
    }
    visit(exchange.value, [])
    return mutations
  }
}

extension DataMutation {
  /// A block with its own request and the mapping of its response.
  struct Block: Hashable, Sendable {
    let market: String
    /// The block's name: `ticker` or `orderbook`.
    let name: String

    fileprivate init?(_ keys: [String]) {
      guard let markets = keys.firstIndex(of: "markets"), markets + 1 < keys.count,
        let name = keys.first(where: { ["ticker", "orderbook"].contains($0) })
      else { return nil }
      market = keys[markets + 1]
      self.name = name
    }
  }
}

extension DataMutation.Kind {
  /// - Parameter keys: the names and indexes on the path to the text.
  init(_ keys: [String], text: String, hasOpenWallets: Bool) {
    let last = keys.last { Int($0) == nil } ?? ""
    func isIn(_ names: String...) -> Bool { names.contains { keys.contains($0) } }
    if ["docs", "page", "note", "names", "badge", "verified"].contains(last) || isIn("vectors") {
      self = .prose
    } else if isIn("streams") {
      self = .stream
    } else if isIn("auth"), !isIn("baseUrls", "success", "limit", "headers") {
      self = .signature
    } else if isIn("auth"), isIn("headers") {
      self = .header
    } else if isIn("auth", "balances", "permissions") || (isIn("walletStatus") && !hasOpenWallets) {
      self = .account
    } else if isIn("takerFee") {
      self = .fee
    } else if ["cost", "ttl", "refresh"].contains(last) || (isIn("limit") && !isIn("request")) {
      self = .pace
    } else if isIn("headers") {
      self = .header
    } else if isIn("baseUrls") {
      self = keys.last == "0" ? .url : .alternate
    } else if text.hasPrefix("$"), last != "(name)" {
      self = isIn("success", "where", "deposit", "withdraw") ? .condition : .member
    } else if isIn("request") {
      self = .url
    } else if isIn("paymentCurrencies", "aliases", "set") || (isIn("multiplier") && last == "(name)") {
      self = .symbol
    } else if text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }) {
      self = isIn("success", "where") ? .word : .number
    } else {
      self = .word
    }
  }
}

extension JSONNode {
  fileprivate var inside: Range<Int> { (byteRange.lowerBound + 1)..<(byteRange.upperBound - 1) }
}
