import Config
import JSON
import JSONPath
import Quotes

/// A check for different numbers read from the same place, such as a volume and a turnover: one must be wrong.
enum SamePlaceCheck: ConfigCheck {
  /// The numbers of a row. Of two from one place the later is reported.
  private static let numbers = [
    "rate", "price", "open", "close", "high", "low", "bid", "ask", "volume", "turnover", "volume24", "turnover24",
    "size", "free", "locked", "total", "change", "changePercent", "changePricePercent24", "units",
  ]

  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.allTables.flatMap { table in
      let fields = numbers.compactMap { name in table.spec.fields[name].map { (name, $0) } }
      return
        (repeated(fields, in: table) + table.kind.books.flatMap(findings) + findings(in: table.spec.symbol)
        + reversedAmounts(of: table)).map(table.own)
    }
  }

  /// Finds amounts that are the price divided by something, and so the smaller the more is traded: one of contracts in
  /// money is divided by the price.
  private static func reversedAmounts(of table: Inspection.Table) -> [Finding] {
    let price = table.spec.fields["price"] ?? table.spec.fields["close"]
    let amounts = ["size", "volume", "volume24"].map { ($0, table.spec.fields[$0], price) }
    let levels = table.kind.books.flatMap { [$0.bids, $0.asks] }.map { ("size", Optional($0.size), Optional($0.price)) }
    return (amounts + levels).flatMap { name, amount, price -> [Finding] in
      guard let place = price.flatMap({ NumberPlace($0) }) else { return [] }
      return (amount?.choices ?? []).compactMap { part in
        guard case .quotient(let parts) = part.origin, let dividend = parts.first, NumberPlace(dividend) == place else {
          return nil
        }
        return .reversedAmount(name, at: part.node)
      }
    }
  }

  /// Finds rules whose asset and payment currency are one: no row has such a pair.
  private static func findings(in symbol: SymbolSpec) -> [Finding] {
    guard case .rules(_, let rules) = symbol else { return [] }
    return rules.compactMap { rule in
      guard !rule.skip, let asset = rule.asset.flatMap({ NumberPlace($0) }), let payment = rule.payment,
        asset == NumberPlace(payment), rule.asset?.strip == payment.strip
      else { return nil }
      return .samePlace("payment", as: "asset", at: payment.node)
    }
  }

  /// - Parameter values: the numbers of one row, by name.
  private static func repeated(_ values: [(name: String, value: ValueSpec)], in table: Inspection.Table) -> [Finding] {
    var first: [NumberPlace: (name: String, value: ValueSpec)] = [:]
    var result: [Finding] = []
    for (name, value) in values {
      guard let place = NumberPlace(value) else { continue }
      guard let other = first[place] else {
        first[place] = (name, value)
        continue
      }
      // In an account without orders, all there is is free.
      if other.name == "free", name == "total" { continue }
      // Of a field of a stream and one that it inherits from the table, the stream's own is the newer, and so is what is
      // written over the shipped config.
      let channel = table.spec.node
      let isInherited = table.isOfStream && !channel.contains(value.node) && channel.contains(other.value.node)
      let isShipped = value.node.isShipped && !other.value.node.isShipped
      result.append(
        isInherited || isShipped
          ? .samePlace(other.name, as: name, at: other.value.node) : .samePlace(name, as: other.name, at: value.node))
    }
    // A change from the price, or from the low, to the price is a number of its own, and a wrong one.
    for (_, value) in values {
      guard case .fromOpen(let open) = value.origin, let place = NumberPlace(open), let other = first[place],
        other.name != "open"
      else { continue }
      result.append(.samePlace("fromOpen", as: other.name, at: open.node))
    }
    return result
  }

  private static func findings(in book: BookSpec) -> [Finding] {
    var result = [book.bids, book.asks].compactMap { side -> Finding? in
      guard let price = NumberPlace(side.price), price == NumberPlace(side.size) else { return nil }
      return .samePlace("size", as: "price", at: side.size.node)
    }
    // One list of both sides is told apart by conditions, or by the names of their prices.
    if book.bids.conditions.isEmpty, book.asks.conditions.isEmpty, book.bids.rows.queries == book.asks.rows.queries,
      NumberPlace(book.bids.price) == NumberPlace(book.asks.price), let node = book.asks.rows.paths.first?.node
    {
      result.append(.samePlace("ask", as: "bid", at: node))
    }
    return result
  }
}

/// Where a number is read from and what is kept of it, however both are written. Factors and characters that are
/// removed do not make it another number.
private indirect enum NumberPlace: Hashable {
  case path(JSONPathQuery?, ValueSpec.Source, levelsUp: Int, kept: String?)
  case combined(String, [NumberPlace], kept: String?)

  /// Returns nil for constants, which are read from no place.
  init?(_ value: ValueSpec) {
    let kept = value.capture.map { _ in value.node["capture"]?.json.string ?? "" }
    func combined(_ operation: String, _ parts: [ValueSpec]) -> NumberPlace? {
      let places = parts.compactMap { part in NumberPlace(part).map { $0.scaled(by: part.scale) } }
      return places.count == parts.count ? .combined(operation, places, kept: kept) : nil
    }
    let place: NumberPlace?
    switch value.origin {
    case .constant, .template: place = nil
    case .path(let path, let source): place = .path(path?.query, source, levelsUp: value.levelsUp, kept: kept)
    case .first(let parts): place = combined("first", parts)
    case .sum(let parts): place = combined("sum", parts)
    case .product(let parts): place = combined("product", parts)
    case .difference(let parts): place = combined("difference", parts)
    case .quotient(let parts): place = combined("quotient", parts)
    case .join(let parts, let separator): place = combined("join \(separator)", parts)
    case .fromOpen(let open): place = combined("fromOpen", [open])
    }
    guard let place else { return nil }
    self = place
  }

  /// Returns the place of a part, whose factor matters to what is made of it.
  private func scaled(by factor: Decimal?) -> NumberPlace {
    factor.map { .combined("scale \($0)", [self], kept: nil) } ?? self
  }
}

extension RowsSpec {
  fileprivate var queries: [JSONPathQuery] { paths.map(\.query) }
}
