import Cassettes
import Hooks
import Mapping
import MarketData
import Quotes
import Transport

/// Queries shipped exchanges on the cassettes.
struct Replay {
  let client: MarketClient
  let log = RequestLog()

  private static let cassettes = Result { try CassettePlayer(directory: Project.cassettes) }

  init() throws {
    let player = try Self.cassettes.get().rewound()
    let now = player.latestArrival ?? Instant(nanoseconds: 0)
    client = MarketClient(
      handler: log.recording(player.handler), credentials: Credentials(nil) { $0.hasSuffix("_APP_ID") ? "key" : nil },
      hooks: HookRegistry(shippedHooks), now: { now })
  }

  func report(on shipped: ShippedMarket, pair: Pair? = nil) async -> ExchangeReport {
    let query = TableQuery(pair: pair, options: .shipped())
    return await client.report(on: shipped.market, of: shipped.exchange, query)
  }
}

extension Interpretation {
  /// Returns the program's default interpretation.
  static func shipped() -> Interpretation {
    Interpretation(
      globalAliases: ShippedConfig.aliases, check: MeaningCheck(), hooks: HookRegistry(shippedHooks))
  }
}
