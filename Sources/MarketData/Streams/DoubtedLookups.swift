import Config
import Mapping
import Quotes

/// The lookups with which a market's streams began, and until when figures of their pairs are known not to put them in
/// doubt.
struct DoubtedLookups {
  private let exchange: String
  private let market: Market
  private let specs: [StreamSpec]
  private let pairs: Set<Pair>
  private var renewed: Instant

  /// Of whole tables too many pairs would have to be checked.
  private static let maximumPairs = 20

  /// Returns nil if there are none, or of too many pairs.
  init?(of subjects: [StreamSubject], _ exchange: String, _ market: Market, at now: Instant) {
    let subjects = subjects.filter { !$0.lookups.isEmpty && $0.pairs.count <= Self.maximumPairs }
    guard !subjects.isEmpty else { return nil }
    (self.exchange, self.market, renewed) = (exchange, market, now)
    specs = subjects.compactMap(\.spec).reduce(into: []) { specs, spec in
      if !specs.contains(where: { $0 === spec }) { specs.append(spec) }
    }
    pairs = Set(subjects.flatMap(\.pairs).map(\.pair))
  }

  /// Requests the lookups again that are from before figures were in doubt; those that fail again the next time.
  mutating func renewals(by client: MarketClient) async -> [LookupRenewal] {
    let doubts = pairs.compactMap { client.doubt(about: $0, on: market, of: exchange) }
    guard let since = doubts.max(), renewed <= since else { return [] }
    var renewals: [LookupRenewal] = []
    for spec in specs {
      if let lookups = await client.lookups(of: spec.table, doubtedSince: since) {
        renewals.append(LookupRenewal(spec: spec, lookups: lookups))
      }
    }
    if renewals.count == specs.count { renewed = client.now() }
    return renewals
  }
}
