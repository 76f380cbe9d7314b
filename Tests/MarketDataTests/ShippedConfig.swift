import Catalog
import Quotes
import Testing

/// The `exchanges.json` that ships with the program.
enum ShippedConfig {
  static let catalog: Catalog? = try? read()

  static func read() throws -> Catalog {
    let file = try ConfigFile(name: "exchanges.json", bytes: try Project.bytes("\(Project.root)/exchanges.json"))
    return try Catalog(file) { () throws(ConfigSyntaxError) in file }
  }

  /// Every market of every venue; empty where the config cannot be read, which a test of its own reports.
  static let markets: [ShippedMarket] = venues.flatMap { venue in
    venue.markets.map { ShippedMarket(venue: venue, market: $0) }
  }

  static let venues: [Venue] =
    catalog.map { catalog in
      catalog.venues.compactMap { catalog.read($0).venue }
    } ?? []

  /// Other names of an asset, for every venue.
  static let aliases: [String: String] = catalog?.aliases ?? [:]
}

/// One market of one shipped venue, named in the output of tests as `Binance futures`.
struct ShippedMarket: Sendable, CustomTestStringConvertible {
  let venue: Venue
  let market: VenueMarket

  var name: String { "\(venue.name)-\(market.market.rawValue)" }
  var testDescription: String { "\(venue.name) \(market.market.rawValue)" }
}
