package import JSON
package import MarketData
package import Quotes

extension PairAnswer {
  /// The first columns of a record.
  package var fields: [CSVWriter.Field] { [.text(exchange), .text(market.rawValue), .text("\(pair)")] }
  package static var fieldTitles: [String] { ["exchange", "market", "pair"] }

  /// The last columns: why cells are empty, and the group of futures.
  package static var lastTitles: [String] { ["reasons", "product"] }

  package var lastField: CSVWriter.Field { .text(product) }

  /// Writes the members that identify the exchange, market and pair.
  package func write(into writer: inout JSONWriter) {
    writer.member("exchange", exchange)
    writer.member("market", market.rawValue)
    writer.member("product", product)
    writer.member("pair", "\(pair)" as String)
  }
}

extension PairAnswer {
  /// The title of the column of converted prices, and why it is empty; nil if it is not.
  package var conversionReason: (title: String, code: String?) {
    ("in\(conversion?.currency ?? "")", conversion?.missing?.code)
  }

  /// Returns a price in a currency; nil if there is no rate, or the answer is converted into another currency.
  package func converted(_ price: Decimal, into currency: String) -> String? {
    conversion.flatMap { $0.currency == currency ? $0.text(price) : nil }
  }
}

extension Conversion {
  /// Why there is no converted price; nil if there is one.
  package var missing: Missing? { reason == nil ? nil : .noRate }
}

extension Array {
  /// Returns the distinct currencies that prices are converted into.
  package func conversionCurrencies<Value>() -> [String] where Element == PairAnswer<Value> {
    var currencies: [String] = []
    for case let conversion? in map(\.conversion) where !currencies.contains(conversion.currency) {
      currencies.append(conversion.currency)
    }
    return currencies
  }
}
