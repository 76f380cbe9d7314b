/// The table that every venue yields: asset → payment currency → its four numbers as text.
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

    /// Visits the members that have a value, in the order in which they are written.
    package func forEachMember(_ visit: (_ name: String, _ text: String) -> Void) {
      if let price { visit("price", price) }
      if let changePricePercent24 { visit("changePricePercent24", changePricePercent24) }
      if let turnover24 { visit("turnover24", turnover24) }
      if let volume24 { visit("volume24", volume24) }
    }

    /// The members that have a value, in the order in which they are written.
    package var members: [(field: TickerField, text: String)] {
      let all: [(TickerField, String?)] = [
        (.price, price), (.changePricePercent24, changePricePercent24), (.turnover24, turnover24),
        (.volume24, volume24),
      ]
      return all.compactMap { field, text in text.map { (field, $0) } }
    }
  }

  /// A payment currency of an asset and its numbers.
  package struct Payment: Sendable, Hashable {
    package let name: String
    package fileprivate(set) var entry: Entry
    /// The place of the row's product in the config.
    fileprivate var rank: Int
    /// The row's place among those that came.
    fileprivate var row: Int
  }

  /// An asset and the currencies that it is paid with, in their order.
  package struct Asset: Sendable, Hashable {
    package let name: String
    package fileprivate(set) var payments: [Payment]
  }

  /// All assets, in their order.
  package private(set) var assets: [Asset] = []

  /// The rows that are not in the table, because another row has their pair; as indexes, in their order.
  package var displaced: [Int] { displacedRows.sorted() }

  private var displacedRows: [Int] = []
  private var rowCount = 0

  /// Where in `assets` an asset stands.
  private var places: [String: Int] = [:]

  package init() {}

  /// - Parameters:
  ///   - rows: the rows of one market of one venue.
  ///   - productOrder: the products in the order of the config. Of two rows with one pair that of the product named
  ///     first stands; of one product, or of products that are not named, the earlier row.
  package init(_ rows: [Ticker], productOrder: [String] = []) {
    let rank = Dictionary(zip(productOrder, 0...), uniquingKeysWith: min)
    for row in rows { add(row, rank: row.product.flatMap { rank[$0] } ?? .max) }
  }

  /// Adds a row.
  ///
  /// - Parameter rank: the place of its product in the config: of two rows with one pair the lower stands, of equal
  ///   ones the earlier.
  package mutating func add(_ ticker: Ticker, rank: Int) {
    let row = rowCount
    rowCount += 1
    guard let place = places[ticker.pair.asset] else {
      places[ticker.pair.asset] = assets.count
      let payment = Payment(name: ticker.pair.payment, entry: Entry(ticker), rank: rank, row: row)
      assets.append(Asset(name: ticker.pair.asset, payments: [payment]))
      return
    }
    guard let index = assets[place].payments.firstIndex(where: { $0.name == ticker.pair.payment }) else {
      assets[place].payments.append(
        Payment(name: ticker.pair.payment, entry: Entry(ticker), rank: rank, row: row))
      return
    }
    let other = assets[place].payments[index]
    displacedRows.append(rank < other.rank ? other.row : row)
    if rank < other.rank {
      assets[place].payments[index].entry = Entry(ticker)
      assets[place].payments[index].rank = rank
      assets[place].payments[index].row = row
    }
  }

  /// The numbers of a pair; nil when the table does not have it.
  package subscript(asset: String, payment: String) -> Entry? {
    guard let place = places[asset] else { return nil }
    return assets[place].payments.first { $0.name == payment }?.entry
  }
}
