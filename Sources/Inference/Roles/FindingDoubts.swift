import Quotes

/// Takes the certainty from columns whose numbers prove nothing, or something else than their names say.
struct FindingDoubts {
  private let columns: [SampleColumn]
  private let symbol: SymbolProposal?

  init(_ columns: [SampleColumn], _ symbol: SymbolProposal?) {
    self.columns = columns
    self.symbol = symbol
  }

  func apply(to findings: inout [RoleFinding]) {
    let price = findings.first { $0.role == .price }?.column
    let scale = scaled(findings)
    for index in findings.indices where findings[index].role != .time {
      let (role, column) = (findings[index].role, findings[index].column)
      var reasons: [String] = []
      if isConstant(column) { reasons.append("all rows have the same value, which proves nothing") }
      if columns[column].namesPayment == false, role != .change {
        reasons.append("its name has another currency than the pairs are paid in")
      }
      if role == .bid || role == .ask {
        if columns[column].leafName.hasAny([.limit]) || Self.isBound(columns[column].wholeName) {
          reasons.append("its name is that of a bound of prices")
        }
        if let price, let reason = farOffer(column, price) { reasons.append(reason) }
      }
      if let scale, PriceRoles.roles.contains(role) { reasons.append(scale) }
      guard !reasons.isEmpty else { continue }
      findings[index].confidence = min(findings[index].confidence, 0.5)
      findings[index].evidence += reasons
    }
  }

  /// Whether a name is that of the least or most that may be bid or asked.
  static func isBound(_ name: FieldName) -> Bool {
    (name.words.contains(.minimum) || name.words.contains(.maximum)) && name.hasAny([.bid, .ask, .buy, .sell])
  }

  /// One value in all of several rows, whatever else is zero.
  private func isConstant(_ column: Int) -> Bool {
    let present = columns[column].numbers.compactMap(\.self)
    return present.count >= 2 && Set(present.filter { $0 != 0 }).count <= 1
  }

  /// Offers of a live market lie near the price in some row at least, and never at the same distance in all.
  private func farOffer(_ column: Int, _ price: Int) -> String? {
    guard column != price else { return nil }
    let ratios = zip(columns[column].numbers, columns[price].numbers).compactMap { offer, price -> Double? in
      guard let offer, let price, offer > 0, price > 0 else { return nil }
      return offer / price
    }
    guard ratios.count >= 2, let least = ratios.min(), let most = ratios.max() else { return nil }
    if ratios.allSatisfy({ ($0 - 1).magnitude > 0.04 }) { return "more than 4 % from the price in every row" }
    let isFixed = ratios.count >= 3 && most / least < 1.001 && ratios.allSatisfy { ($0 - 1).magnitude > 0.005 }
    return isFixed ? "at the same distance from the price in every row" : nil
  }

  /// What says that prices are whole multiples of a small unit: a name that ends so, or a size that no price in dollars
  /// has.
  private func scaled(_ findings: [RoleFinding]) -> String? {
    let prices = findings.filter { PriceRoles.roles.contains($0.role) }.map(\.column)
    guard !prices.isEmpty, prices.allSatisfy({ areWhole($0) }) else { return nil }
    let isNamed = prices.contains { column in
      let words = FieldName.chunks(of: columns[column].path.names.last ?? "")
      guard words.count > 1, let last = words.last else { return false }
      return ["Ep", "E4", "E6", "E8", "Scaled", "scaled", "e8", "e6", "e4"].contains(last)
        || ["e4", "e6", "e8"].contains(words.suffix(2).joined().lowercased())
    }
    let isHuge = prices.contains { column in
      zip(columns[column].numbers, symbol?.pairs ?? []).contains { number, pair in
        guard let number, let pair, number >= 10_000_000 else { return false }
        return Self.dear.contains(pair.payment)
      }
    }
    guard isNamed || isHuge else { return nil }
    return "whole numbers in all rows, as of prices in a small unit"
  }

  private func areWhole(_ column: Int) -> Bool {
    let present = columns[column].numbers.compactMap(\.self)
    return present.count >= 2 && present.allSatisfy { $0 == $0.rounded() }
  }

  /// Currencies in which no coin costs ten million.
  private static let dear: Set<String> = [
    "USD", "EUR", "GBP", "CHF", "AUD", "CAD", "USDT", "USDC", "FDUSD", "BUSD", "TUSD", "DAI", "BTC", "XBT", "ETH",
  ]
}
