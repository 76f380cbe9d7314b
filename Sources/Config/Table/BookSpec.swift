/// How the order book of one pair is asked for and read.
package struct BookSpec: Sendable {
  /// Where one side's levels are, and what of a level is price and size.
  package struct Side: Sendable {
    package let rows: RowsSpec
    package let price: ValueSpec
    package let size: ValueSpec
  }

  package let request: RequestSpec
  package let baseURLs: [String]
  package let headers: [(name: String, value: Template)]
  package let success: SuccessSpec
  package let bids: Side
  package let asks: Side
  package let hook: String?
}
