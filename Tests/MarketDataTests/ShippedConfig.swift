import Config
import Quotes
import Testing

/// The `exchanges.json` that ships with the program.
enum ShippedConfig {
  static let configuration: Configuration? = try? read()

  static func read() throws -> Configuration {
    let file = try ConfigFile(name: "exchanges.json", bytes: try Project.bytes("\(Project.root)/exchanges.json"))
    return try Configuration(file) { () throws(ConfigSyntaxError) in file }
  }

  /// Every market of every exchange; empty if the config cannot be read, which a separate test reports.
  static let markets: [ShippedMarket] = exchanges.flatMap { exchange in
    exchange.markets.map { ShippedMarket(exchange: exchange, market: $0) }
  }

  static let exchanges: [Exchange] =
    configuration.map { configuration in
      configuration.exchanges.compactMap { configuration.read($0).exchange }
    } ?? []

  /// Aliases of assets for every exchange.
  static let aliases: [String: String] = configuration?.aliases ?? [:]
}

/// One market of one shipped exchange, shown in test output as `Binance futures`.
struct ShippedMarket: Sendable, CustomTestStringConvertible {
  let exchange: Exchange
  let market: ExchangeMarket

  var name: String { "\(exchange.name)-\(market.market.rawValue)" }
  var testDescription: String { "\(exchange.name) \(market.market.rawValue)" }
}
