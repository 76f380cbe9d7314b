import JSON

@testable import Config

/// A character of data taken out of an exchange's block, and what sort of data it stood in.
struct DataSlip: Hashable, Sendable {
  /// What a slip is in.
  enum Kind: String, CaseIterable, Comparable, Sendable {
    case url
    /// A name in a path that a field, symbol or list of rows reads.
    case member
    /// A name in a path that tells good answers from bad and rows from rows.
    case condition
    /// Currencies, aliases, names of products, prefixes of multiplied assets.
    case symbol
    case number
    /// Any other text that the language compares with.
    case word
    /// How requests are signed: known answers stand beside it.
    case signature
    // What no recording can show, by its nature:
    /// Names, links and notes for people, the date of the proof, and known answers, which are sent to nobody.
    case prose
    /// Limits, costs, ages: how often is asked, not what comes.
    case pace
    /// Addresses that are only asked when the first gives no answer.
    case alternate
    /// What trading costs, which no ticker says.
    case fee
    /// Headers are no part of a recording, and known answers do not name all of them.
    case header
    /// Streams: their messages are no part of the recordings that are tried.
    case stream
    /// Accounts: nobody's are recorded. Wallets that everybody is told of are no such.
    case account

    /// Whether a recording could show a slip.
    var isCovered: Bool { self < .prose }

    static func < (left: Kind, right: Kind) -> Bool {
      let all = allCases
      return (all.firstIndex(of: left) ?? 0) < (all.firstIndex(of: right) ?? 0)
    }
  }

  let exchange: String
  /// The market and the block of it that the slip is in, where it is in one that a recording may lack.
  let block: Block?
  let kind: Kind
  /// Of the character in the file.
  let offset: Int
  /// The whole text or number that it stands in, quotes left out.
  let token: Range<Int>
}

extension DataSlip {
  /// Every character of data in the block of one exchange.
  static func all(in exchange: JSONMembers.Element, _ map: ConfigMap) -> [DataSlip] {
    var slips: [DataSlip] = []
    let hasOpenWallets = exchange.value["walletStatus"].map { $0["signed"] == nil } ?? false
    func take(_ token: Range<Int>, _ keys: [String], text: String) {
      let kind = Kind(keys, text: text, hasOpenWallets: hasOpenWallets)
      let block = Block(keys)
      for offset in token where map.parts[offset] == .data {
        slips.append(DataSlip(exchange: exchange.name, block: block, kind: kind, offset: offset, token: token))
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
    return slips
  }
}

extension DataSlip {
  /// A request of its own, and what is said of its answer.
  struct Block: Hashable, Sendable {
    let market: String
    /// `ticker` or `orderbook`.
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

extension DataSlip.Kind {
  /// - Parameter keys: the names and indexes that lead to the text.
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
