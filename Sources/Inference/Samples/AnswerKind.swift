import Config
import JSON

/// The subject of an answer that is not a table of tickers.
package enum AnswerKind: String, Sendable, CaseIterable {
  case candles
  case trades
  case orderBook = "an order book"
  case offers = "best offers without a last price"
  case pairs = "a list of pairs without prices"
  case currencies = "a list of currencies"
  case funding = "funding rates"
  case marks = "mark or index prices rather than traded prices"
  case openInterest = "open interest"
  case balances = "the balances of an account"
  case orders = "orders, fills or positions of an account"
  case announcements
  case serverTime = "the time of the server"
}

extension AnswerKind {
  /// Whether tables of tickers may have members with such names as well.
  var mayHaveLastPrices: Bool { [.offers, .marks, .funding, .openInterest, .serverTime].contains(self) }

  /// A kind and the sign it was recognized by.
  typealias Sign = (kind: AnswerKind, reason: String)
}

/// Recognizes the subject of an answer without last prices by its member names.
struct NamesKind {
  /// All names in it, folded, from the first rows of each list.
  private var names: Set<String> = []
  private var scalars: [(name: String, text: String)] = []
  private var hasSides = false
  /// Whether anything in it has the last price beside its offers.
  private var hasPricedOffers = false
  /// Whether there is a list of several rows.
  private var hasRows = false
  private var visits = 0

  init(_ root: JSONNode) { visit(root, depth: 0) }

  private mutating func visit(_ node: JSONNode, depth: Int) {
    visits += 1
    guard depth < 8, visits < 300 else { return }
    switch node.kind {
    case .object:
      let members = Array(node.members.prefix(80))
      hasSides = hasSides || Self.hasSides(members)
      hasPricedOffers = hasPricedOffers || Self.hasPricedOffers(members)
      for member in members {
        names.insert(Spelling.folded(member.name))
        if let text = member.value.scalarText { scalars.append((member.name, text)) }
      }
      for member in members.prefix(40) { visit(member.value, depth: depth + 1) }
    case .array:
      hasRows = hasRows || node.elements.prefix(2).count { [.array, .object].contains($0.kind) } == 2
      for element in node.elements.prefix(3) { visit(element, depth: depth + 1) }
    default: break
    }
  }

  /// Returns whether there are two lists of lists or objects, which may all be empty.
  private static func hasSides(_ members: [JSONMembers.Element]) -> Bool {
    let lists = members.filter { member in
      member.value.kind == .array && member.value.elements.allSatisfy { [.array, .object].contains($0.kind) }
    }
    let names = Set(lists.map { Spelling.folded($0.name) })
    return [["bids", "asks"], ["buy", "sell"], ["b", "a"], ["bid", "ask"]].contains { names.isSuperset(of: $0) }
  }

  private static func hasPricedOffers(_ members: [JSONMembers.Element]) -> Bool {
    let names = members.filter { $0.value.scalarText.flatMap(SampleColumn.number) != nil }.map { FieldName($0.name) }
    return [(Role.bid, 0.5), (.ask, 0.5), (.price, 0.8)].allSatisfy { role, least in
      names.contains { FieldLexicon.score(role, $0) > least }
    }
  }

  private func names(containing parts: [String]) -> [String] {
    names.filter { parts.contains(where: $0.contains) }.sorted()
  }

  /// nil if the names say nothing.
  var sign: AnswerKind.Sign? {
    if hasSides { return (.orderBook, "it has lists of bids and asks") }
    if let sign = named(.balances, Self.balances) { return sign }
    if let name = names(containing: ["openinterest"]).first {
      // Beside prices it is one of a market's figures.
      let mark = scalars.first { FieldName($0.name).hasAny([.mark, .index]) && SampleColumn.number($0.text) != nil }
      return mark.map { (.marks, "'\($0.name)'") } ?? (.openInterest, "'\(name)'")
    }
    if let name = names(containing: ["fundingrate", "fundingtime", "nextfunding"]).first {
      return (.funding, "'\(name)'")
    }
    if let name = names(containing: ["withdraw", "deposit", "networklist"]).first {
      return (.currencies, "'\(name)'")
    }
    let rules = names(containing: Self.pairParts)
    // Each market may have its rules beside its figures.
    if rules.count >= 2, !(hasNumber(.bid) && hasNumber(.ask)) {
      return (.pairs, "it has trading rules such as '\(rules[0])'")
    }
    if let sign = named(.announcements, Self.announcements) { return sign }
    if hasNumber(.bid), hasNumber(.ask), !hasPricedOffers { return (.offers, "bid and ask, but no traded price") }
    if let name = scalars.first(where: { Self.isMark($0.name) && SampleColumn.number($0.text) != nil })?.name {
      return (.marks, "'\(name)'")
    }
    if !hasRows, scalars.count <= 6, scalars.contains(where: { TimeRole.form(of: [$0.text]) != nil }), isTimeOnly {
      return (.serverTime, "a time and nothing else")
    }
    return nil
  }

  /// Returns nil unless there are at least two of the names.
  private func named(_ kind: AnswerKind, _ wanted: Set<String>) -> AnswerKind.Sign? {
    let found = names.intersection(wanted).map { "'\($0)'" }.sorted()
    return found.count < 2 ? nil : (kind, found.prefix(3).joined(separator: ", "))
  }

  private func hasNumber(_ role: Role) -> Bool {
    scalars.contains { FieldLexicon.score(role, FieldName($0.name)) > 0.5 && SampleColumn.number($0.text) != nil }
  }

  private static func isMark(_ name: String) -> Bool {
    FieldName(name).hasAny([.mark, .index]) && FieldName(name).hasAny([.price, .rate, .value])
  }

  /// Whether its only numbers are times and small codes.
  private var isTimeOnly: Bool {
    scalars.allSatisfy { scalar in
      guard let number = SampleColumn.number(scalar.text) else { return true }
      return TimeRole.form(of: [scalar.text]) != nil || number.magnitude < 1000 && number == number.rounded()
    }
  }

  private static let balances: Set<String> = [
    "free", "locked", "available", "frozen", "balance", "balances", "walletbalance", "hold", "onhold", "equity",
    "availablebalance", "totalequity", "marginbalance", "totalbalance", "onorders", "reserved", "usedmargin",
  ]

  private static let pairParts = [
    "ticksize", "minqty", "minsize", "lotsize", "precision", "stepsize", "minamount", "mintrade", "minnotional",
    "baseasset", "basecurrency", "quoteasset", "quotecurrency", "basecoin", "quotecoin", "pricescale", "increment",
    "decimals", "contractsize", "contractvalue", "maxleverage", "minordersize", "maxordersize", "minvolume", "minprice",
    "amountscale", "orderamount", "minorder", "maxorder", "pricedecimal",
  ]

  private static let announcements: Set<String> = [
    "title", "content", "body", "url", "link", "publishedat", "publishtime", "headline", "summary", "article",
    "articles", "ptime", "author",
  ]
}
