import Config
import HTTP
import Mapping
import Quotes

extension Onboarding {
  /// Requests the lookups that a market's rows need and whose answers are not given, each once, and notes what fails.
  ///
  /// - Parameters:
  ///   - pair: The pair of a table that is requested for one.
  ///   - asked: The request of the sample; its secrets are those of the lookups, too.
  mutating func requestLookups(of exchange: Exchange, _ market: Market, _ pair: Pair?, _ asked: SampleRequest?) async {
    let side = exchange.market(market)
    var secrets: [String: String] = [:]
    if let asked, let request = try? ExchangeRequest(asked) {
      for secret in request.secrets { secrets[secret.name] = secret.value }
    }
    for spec in [side?.tickers.first, side?.ticker.first].compactMap(\.self) {
      for lookup in spec.lookups where lookup.request != nil && lookups[lookup.name] == nil {
        let own = RequestContext(pair: pair, now: context.now()) { [secrets] in secrets[$0] }
        do {
          lookups[lookup.name] = try await answer(of: lookup, of: spec, own, asked)
        } catch {
          context.note("lookup \(lookup.name): \(error)")
        }
      }
    }
  }

  /// - Throws: `AnswerFailure`, `TransportError` or `OnboardingProblem`.
  private func answer(
    of lookup: LookupSpec, of table: TableSpec, _ own: RequestContext, _ asked: SampleRequest?
  ) async throws -> Sample? {
    var writer = RequestWriter(table, own)
    guard let request = try writer.request(for: lookup) else { return nil }
    let response = try await context.handler(request)
    guard response.status < 400 else {
      throw OnboardingProblem.refused(
        place: "the exchange", status: response.status, words: ResponseOutline.firstWords(of: response.body))
    }
    return try Sample(
      bytes: response.body, request: asked, arrival: response.arrival, headers: response.headers,
      name: "lookup \(lookup.name)")
  }

  /// Returns the answers of lookups as they are recorded.
  ///
  /// - Parameter table: That of the table that has them.
  func pieces(ofLookups lookups: [String: Sample], of table: SampleCassette.Piece) -> [SampleCassette.Piece] {
    lookups.sorted { $0.key < $1.key }.map { name, sample in
      SampleCassette.Piece(
        sample: sample, market: market, place: table.place, lookup: name, pair: table.pair,
        arrival: sample.moment ?? table.arrival)
    }
  }
}
