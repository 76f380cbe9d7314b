/// The table that every exchange yields: asset → payment currency → its four numbers as text.
///
/// It has one row a pair, and keeps the order in which assets and payment currencies came.
///
///     table["BTC", "USDT"]?.price   // "67250.10"
package struct DataFromAsset: Sendable, Hashable {
  /// What is known of a pair; a member without a value is nil, and is left out where the table is written.
  package struct Entry: Sendable, Hashable {
    package var price: String?
    package var changePricePercent24: String?
    package var turnover24: String?
    package var volume24: String?

    package init(
      price: String? = nil, changePricePercent24: String? = nil, turnover24: String? = nil, volume24: String? = nil
    ) {
      self.price = price
      self.changePricePercent24 = changePricePercent24
      self.turnover24 = turnover24
      self.volume24 = volume24
    }

    package init(_ ticker: Ticker) {
      self.init(
        price: ticker.text(.price), changePricePercent24: ticker.text(.changePricePercent24),
        turnover24: ticker.text(.turnover24), volume24: ticker.text(.volume24))
    }

    /// The members that have a value, in the order in which they are written.
    package var members: [(field: TickerField, text: String)] {
      let texts = [price, changePricePercent24, turnover24, volume24]
      return zip(DataFromAsset.fields, texts).compactMap { field, text in text.map { (field, $0) } }
    }
  }

  /// A payment currency of an asset and its numbers.
  package struct Payment: Sendable, Hashable {
    package let name: String
    package let entry: Entry
  }

  /// An asset and the currencies that it is paid with, in their order.
  package struct Asset: Sendable, Hashable {
    package let name: String
    package fileprivate(set) var payments: [Payment]
  }

  /// The members of an entry, in the order in which they are written.
  package static let fields: [TickerField] = [.price, .changePricePercent24, .turnover24, .volume24]

  /// All assets, in their order.
  package private(set) var assets: [Asset] = []

  /// The rows that are not in the table, because another row has their pair; as indexes, in their order.
  package let displaced: [Int]

  /// - Parameters:
  ///   - rows: the rows of one market of one exchange.
  ///   - productOrder: the products in the order of the config. Of two rows with one pair that of the product named
  ///     first stands; of one product, or of products that are not named, the earlier row.
  package init(_ rows: [Ticker], productOrder: [String] = []) {
    let ranks = Dictionary(zip(productOrder, 0...), uniquingKeysWith: min)
    self.init(rows, ranks: rows.map { $0.product.flatMap { ranks[$0] } ?? .max })
  }

  /// - Parameter ranks: of each row the place of its product in the config: of two rows with one pair the lower stands,
  ///   of equal ones the earlier.
  package init(_ rows: [Ticker], ranks: [Int]) {
    let order = PairOrder(count: rows.count, pair: { rows[$0].pair }, rank: { ranks[$0] })
    displaced = order.displaced
    for place in order.places {
      let ticker = rows[place.row]
      if place.beginsAsset { assets.append(Asset(name: ticker.pair.asset, payments: [])) }
      assets[assets.count - 1].payments.append(Payment(name: ticker.pair.payment, entry: Entry(ticker)))
    }
  }

  /// The numbers of a pair; nil when the table does not have it.
  package subscript(asset: String, payment: String) -> Entry? {
    assets.first { $0.name == asset }?.payments.first { $0.name == payment }?.entry
  }
}
