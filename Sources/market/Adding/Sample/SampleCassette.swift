import Adapters
import Catalog
import Files
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

  private func folder(of venue: String) -> String { "\(folder)/\(CassetteRecorder.safeFileName(venue))" }

  /// Writes the sample as the answer to what the new venue asks.
  ///
  /// - Parameters:
  ///   - arrival: when the sample came, as far as that is known.
  /// - Returns: the folder; nil where the venue asks nothing that the sample could answer.
  func record(_ sample: Sample, of venue: Venue, pair: Pair?, arrival: Instant) async throws -> String? {
    guard let market = venue.markets.first(where: \.isEnabled) ?? venue.markets.first,
      let spec = market.tickers.first ?? market.ticker.first
    else { return nil }
    let parts = try sample.request.map { try VenueRequest($0) }
    let known = Dictionary((parts?.secrets ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    let asked = spec.request.asksForPair ? pair : nil
    if spec.request.asksForPair, asked == nil { return nil }
    var writer = RequestWriter(
      spec, RequestContext(pair: asked, now: arrival) { known[$0] ?? Redaction.mark })
    let name =
      asked.map { "\(market.market.rawValue)-\($0.asset)-\($0.payment)" } ?? "\(market.market.rawValue)-tickers"
    guard let planned = try? writer.request(named: name) else { return nil }
    removeRecordings(of: venue.name)
    let recorder = CassetteRecorder(directory: folder)
    let answer: Exchange = { request throws(TransportError) in
      HTTPResponse(
        status: 200, headers: sample.headers, body: sample.bytes, arrival: arrival.nanoseconds,
        url: request.urls.first ?? "")
    }
    do {
      _ = try await recorder.recording(answer)(HTTPRequest(planned))
    } catch {
      throw CommandError.noAnswer("\(error)")
    }
    return folder(of: venue.name)
  }

  /// Takes away what was recorded of a venue that is no longer, or not yet, in the config.
  ///
  /// - Returns: how many files there were.
  @discardableResult
  func removeRecordings(of venue: String) -> Int {
    let folder = folder(of: venue)
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
