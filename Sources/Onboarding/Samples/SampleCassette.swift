import Cassettes
import Config
import Files
import HTTP
import Mapping
import MarketData
import Proving
import Quotes

/// Saves a sample as a recording beside the user's config so that the mapping can be proved again offline.
package struct SampleCassette {
  /// `cassettes` in the config's folder: one folder per exchange, as written by `--record`.
  let folder: String

  /// The list of files written here in a folder: no others are ever deleted.
  private static let listName = "add-exchange.txt"
  private static let listHead = "# Written by add-exchange. Only the files named here are removed with the exchange.\n"

  package init(config path: String) {
    let slash = path.lastIndex(of: "/")
    folder = slash.map { path[..<$0] + "/cassettes" } ?? "cassettes"
  }

  /// Returns the folder of an exchange's recordings.
  func folder(of exchange: String) -> String { "\(folder)/\(CassetteRecorder.safeFileName(exchange))" }

  /// An answer and what it answers.
  struct Piece {
    let sample: Sample
    let market: Market
    /// nil for the market's only request.
    var place: SamplePreview.Place?
    /// The lookup of that request, if it answers one.
    var lookup: String?
    /// The pair that it is about.
    var pair: Pair?
    /// When it arrived, if known.
    let arrival: Instant
  }

  /// Writes samples as answers to the new exchange's requests.
  ///
  /// Of a recording that fails nothing is left: without its list, no one would remove it, and it would be played in place
  /// of a later one.
  ///
  /// - Returns: nil if the exchange makes no request that the samples could answer.
  func record(
    _ pieces: [Piece], of exchange: Exchange, at moment: Instant
  ) async throws(OnboardingProblem) -> Record? {
    var answers: [(request: HTTPRequest, piece: Piece)] = []
    for piece in pieces { if let request = try planned(piece, of: exchange) { answers.append((request, piece)) } }
    guard !answers.isEmpty else { return nil }
    removeRecordings(of: exchange.name)
    let folder = folder(of: exchange.name)
    let before = try Self.names(in: folder)
    let recorder = CassetteRecorder(directory: self.folder) { moment }
    for (request, piece) in answers {
      let answer = Self.handler(answering: piece.sample, at: piece.arrival)
      do throws(TransportError) { _ = try await recorder.recording(answer)(request) } catch {
        removeRecordings(besides: before, in: folder)
        throw .transport(place: self.folder, error)
      }
    }
    let ownsRows = !before.contains(KeptRows.fileName)
    do throws(FileError) {
      let new = Set(try FileSystem.names(in: folder)).subtracting(before)
      try write(list: new.union(ownsRows ? [KeptRows.fileName] : []), in: folder)
      let labels = Set(new.filter { $0.hasSuffix(".json") }.map(Self.label))
      return Record(folder: folder, ownsRows: ownsRows, older: before.filter { labels.contains(Self.label(of: $0)) })
    } catch {
      removeRecordings(besides: before, in: folder)
      throw .file(error)
    }
  }

  /// What was recorded.
  struct Record {
    let folder: String
    /// Whether the rows of the recordings may be saved in it.
    let ownsRows: Bool
    /// The files by others whose names are those of recordings of the same requests.
    let older: Set<String>
  }

  /// Returns a recording's name without its number: `candles-1h-BTC-USDT.body`.
  static func label(of name: String) -> Substring { name.drop { $0.isNumber } }

  /// Returns the names in a folder of recordings; none if there is no folder. What cannot be listed must not count as new.
  static func names(in folder: String) throws(OnboardingProblem) -> Set<String> {
    if FileSystem.isAbsent(folder) { return [] }
    do throws(FileError) { return Set(try FileSystem.names(in: folder)) } catch { throw .file(error) }
  }

  /// Deletes the recordings in a folder that were not there before.
  func removeRecordings(besides before: Set<String>, in folder: String) {
    for name in (try? FileSystem.names(in: folder)) ?? [] where !before.contains(name) && Self.isRecording(name[...]) {
      try? FileSystem.remove("\(folder)/\(name)")
    }
  }

  /// Returns a handler that answers any request with a sample.
  static func handler(answering sample: Sample, at arrival: Instant) -> HTTPHandler {
    { [headers = sample.headers, body = sample.bytes] request throws(TransportError) in
      HTTPResponse(status: 200, headers: headers, body: body, arrival: arrival, url: request.urls.first ?? "")
    }
  }

  /// Returns a client of recordings, which have no secrets.
  static func client(of handler: @escaping HTTPHandler, at moment: Instant, _ options: Interpretation) -> MarketClient {
    MarketClient(
      handler: handler, credentials: Credentials(nil) { _ in Redaction.mark }, hooks: options.hooks, now: { moment })
  }

  /// Writes which files of a folder were written here.
  func write(list names: Set<String>, in folder: String) throws(FileError) {
    let list = Self.listHead + names.sorted().map { "\($0)\n" }.joined()
    try FileSystem.writeAtomically(Array(list.utf8), to: "\(folder)/\(Self.listName)", isDurable: false)
  }

  /// Returns the files of a folder that were written here.
  func listed(in folder: String) -> Set<String> {
    let list = "\(folder)/\(Self.listName)"
    guard !FileSystem.isLink(list), let bytes = try? FileSystem.read(list) else { return [] }
    return Set(
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter(Self.isRecording).map(String.init))
  }

  /// Returns a pair's ticker in the exchange's recordings; nil if there is none.
  func ticker(of pair: Pair, on market: ExchangeMarket, of exchange: Exchange, _ options: Interpretation) async
    -> Ticker?
  {
    guard let player = try? CassettePlayer(directory: folder(of: exchange.name)), let moment = player.latestArrival
    else { return nil }
    let client = Self.client(of: player.handler, at: moment, options)
    let asked = TableQuery(market: market.market, pair: pair, options: options)
    return await client.report(on: market, of: exchange, asked).table.rows.first?.ticker
  }

  /// Returns the request that the piece answers; nil if there is none.
  private func planned(_ piece: Piece, of exchange: Exchange) throws(OnboardingProblem) -> HTTPRequest? {
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
    return try? writer.request(named: spec.requestName(on: piece.market, for: asked))
  }

  /// The result of removing an exchange's recordings.
  package struct Removal: Hashable, Sendable {
    /// How many files were deleted.
    package var removed = 0
    /// What is left of the folder, and why; nil if nothing is.
    package var remainder: String?
  }

  /// Deletes the recordings of an exchange that is no longer, or not yet, in the config: the files on the list beside
  /// them. Files put there by others, or behind a link, are kept.
  @discardableResult
  package func removeRecordings(of exchange: String) -> Removal {
    let folder = folder(of: exchange)
    var removal = Removal()
    guard FileSystem.isFolder(folder) else { return removal }
    if let link = [self.folder, folder].first(where: FileSystem.isLink) {
      removal.remainder = "\(link) is a link; its target is not removed"
      return removal
    }
    let list = "\(folder)/\(Self.listName)"
    if !FileSystem.isLink(list), FileSystem.isThere(list) {
      for name in listed(in: folder) {
        let path = "\(folder)/\(name)"
        guard FileSystem.isThere(path), !FileSystem.isLink(path) else { continue }
        if (try? FileSystem.remove(path)) != nil { removal.removed += 1 }
      }
      try? FileSystem.remove(list)
    }
    let rest = (try? FileSystem.names(in: folder)) ?? []
    if rest.isEmpty {
      try? FileSystem.removeFolder(folder)
      try? FileSystem.removeFolder(self.folder)
    } else {
      let files = rest.count.counted("file")
      removal.remainder = "left \(files) in \(folder): add-exchange did not write \(rest.count == 1 ? "it" : "them")"
    }
    return removal
  }

  /// Returns whether a line of the list can name a file recorded here: one in the same folder with a recording's
  /// extension.
  private static func isRecording(_ name: Substring) -> Bool {
    guard !name.contains("/"), !name.utf8.contains(0) else { return false }
    return name == KeptRows.fileName
      || name.first?.isNumber == true && (name.hasSuffix(".json") || name.hasSuffix(".body"))
  }
}
