import Cassettes
import Config
import Files
import HTTP
import Mapping
import MarketData
import Quotes
import Transport

/// Keeps a sample as a recording beside the user's config, so that the mapping can be proved again without a network.
struct SampleCassette {
  /// `cassettes` in the folder of the config: a folder for each exchange, as `--record` writes them.
  let folder: String

  init(config path: String) {
    let slash = path.lastIndex(of: "/")
    folder = slash.map { path[..<$0] + "/cassettes" } ?? "cassettes"
  }

  private func folder(of exchange: String) -> String { "\(folder)/\(CassetteRecorder.safeFileName(exchange))" }

  /// An answer, and what it answers.
  struct Piece {
    let sample: Sample
    let market: Market
    /// nil: the only thing that the market asks.
    var place: SamplePreview.Place?
    /// It answers a lookup of that request.
    var lookup: String?
    /// The pair that it is about.
    var pair: Pair?
    /// When it came, as far as that is known.
    let arrival: Instant
  }

  /// Writes samples as the answers to what the new exchange asks.
  ///
  /// - Returns: the folder; nil where the exchange asks nothing that the samples could answer.
  func record(_ pieces: [Piece], of exchange: Exchange, at moment: Instant) async throws -> String? {
    var answers: [(request: HTTPRequest, piece: Piece)] = []
    for piece in pieces { if let request = try planned(piece, of: exchange) { answers.append((request, piece)) } }
    guard !answers.isEmpty else { return nil }
    removeRecordings(of: exchange.name)
    let recorder = CassetteRecorder(directory: folder) { moment }
    for (request, piece) in answers {
      let answer: HTTPHandler = { request throws(TransportError) in
        HTTPResponse(
          status: 200, headers: piece.sample.headers, body: piece.sample.bytes, arrival: piece.arrival,
          url: request.urls.first ?? "")
      }
      do {
        _ = try await recorder.recording(answer)(request)
      } catch {
        throw CommandError.noAnswer("\(error)")
      }
    }
    return folder(of: exchange.name)
  }

  /// The request that the piece answers; nil where none can be made.
  private func planned(_ piece: Piece, of exchange: Exchange) throws(UsageProblem) -> HTTPRequest? {
    guard let spec = SamplePreview.spec(of: exchange, piece.market, piece.place) else { return nil }
    var known: [String: String] = [:]
    if let request = piece.sample.request {
      for secret in try ExchangeRequest(request).secrets where secret.value.utf8.count >= SecretSpotter.shortest {
        known[secret.name] = secret.value
      }
    }
    let secrets = known
    let asked = spec.request.asksForPair ? piece.pair : nil
    if spec.request.asksForPair, asked == nil { return nil }
    var writer = RequestWriter(
      spec, RequestContext(pair: asked, now: piece.arrival) { secrets[$0] ?? Redaction.mark })
    if let name = piece.lookup {
      guard let lookup = spec.lookups.first(where: { $0.name == name }) else { return nil }
      return (try? writer.request(for: lookup)) ?? nil
    }
    let market = piece.market.rawValue
    return try? writer.request(named: asked.map { "\(market)-\($0.asset)-\($0.payment)" } ?? "\(market)-tickers")
  }

  /// Takes away what was recorded of an exchange that is no longer, or not yet, in the config.
  ///
  /// - Returns: how many files there were.
  @discardableResult
  func removeRecordings(of exchange: String) -> Int {
    let folder = folder(of: exchange)
    guard FileSystem.isFolder(folder), let names = try? FileSystem.names(in: folder) else { return 0 }
    var count = 0
    for name in names where name.hasSuffix(".json") || name.hasSuffix(".body") || name == CassetteShelf.recordName {
      if name.first?.isNumber == true || name == CassetteShelf.recordName,
        (try? FileSystem.remove("\(folder)/\(name)")) != nil
      {
        count += 1
      }
    }
    try? FileSystem.removeFolder(folder)
    return count
  }
}
