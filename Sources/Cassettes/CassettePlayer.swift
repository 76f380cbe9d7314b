import Files
package import HTTP
package import Quotes
import Synchronization

/// Answers requests from recordings only.
///
/// A recording matches if its method, URL (including the host) and body are those of the request, with secrets redacted
/// in both, and times that the clock filled in written as `NOW`, `FROM` and `TO`. If two of these were equal when it
/// was recorded, or are equal now, the recording may have either mark. Several recordings of one request are played in
/// order of arrival, then the last one is repeated, unless it is known which of them a run had at this place.
package final class CassettePlayer: Sendable {
  struct Recording {
    var cassette: Cassette
    var file: String
    var number: Int

    /// The order in which the recordings of a request are played.
    var order: (Instant, Int, String) { (cassette.arrival.advanced(by: cassette.behind), number, file) }
  }

  /// When the answers arrived that a run had where its replay asks now; nil if that is not known.
  @TaskLocal package static var arrivals: Set<Instant>?

  let recordings: [Cassette.Key: [Recording]]
  /// The number of played recordings of each request, by its first key, and the keys of those that may have been
  /// played.
  private let played = Mutex<(counts: [Cassette.Key: Int], keys: Set<Cassette.Key>)>(([:], []))

  /// The latest arrival of all recordings, which is the "now" of a replay; nil without recordings.
  package let latestArrival: Instant?

  /// Reads the metadata of all `*.json` files in a folder and its subfolders. Bodies are only read on request, but must
  /// exist.
  package convenience init(directory: String) throws(CassetteError) {
    try self.init(directory, isAnywhere: true)
  }

  /// Reads like `init(directory:)`, but only where a recorder writes: in the subfolders, one for each exchange.
  package convenience init(recordedInto directory: String) throws(CassetteError) {
    try self.init(directory, isAnywhere: false)
  }

  private init(_ directory: String, isAnywhere: Bool) throws(CassetteError) {
    var found: [Recording] = []
    var known: Set<FileStatus.Identity> = []
    do {
      try Self.load(directory, depth: isAnywhere ? nil : 0, into: &found, &known)
    } catch {
      // A file that is no recording has its place beside others; without any, the folder may be the wrong one.
      throw found.isEmpty && error.position != nil ? error.asking(about: directory) : error
    }
    found.sort { $0.order < $1.order }
    recordings = Dictionary(grouping: found, by: \.cassette.key)
    latestArrival = found.last?.cassette.arrival
  }

  private init(recordings: [Cassette.Key: [Recording]], latestArrival: Instant?) {
    (self.recordings, self.latestArrival) = (recordings, latestArrival)
  }

  /// Returns a player of the same recordings, none of them played.
  package func rewound() -> CassettePlayer { CassettePlayer(recordings: recordings, latestArrival: latestArrival) }

  /// The earliest arrival of all recordings; nil without recordings.
  package var earliestArrival: Instant? {
    recordings.values.compactMap(\.first).min { $0.order < $1.order }?.cassette.arrival
  }

  /// The number of recordings of the most recorded request; 0 without recordings.
  package var rounds: Int { recordings.values.reduce(0) { max($0, $1.count) } }

  package var handler: HTTPHandler { { request throws(TransportError) in try self.answer(request) } }

  private func answer(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
    // Any of the URLs may have answered when it was recorded.
    for keys in Self.keys(of: request) {
      guard let recording = next(keys) else { continue }
      switch recording.cassette.outcome {
      case .failure(let error): throw error
      case .answer(let status, let headers, let body):
        let path = body.map { "\(FileSystem.folder(of: recording.file))/\($0)" }
        return HTTPResponse(
          status: status, headers: headers, body: try path.map(Self.read) ?? [],
          arrival: recording.cassette.arrival, url: recording.cassette.key.url, isRecorded: true, attempts: 0)
      }
    }
    let key = Cassette.Key(request, url: request.urls.first ?? "", redaction: Redaction(request.secrets))
    throw .notInCassette("\(key.method) \(key.url)" + (key.body.map { " with the body \($0.prefix(200))" } ?? ""))
  }

  /// Returns the keys that a recording of a request may have, for each of its URLs.
  private static func keys(of request: HTTPRequest) -> [[Cassette.Key]] {
    let redaction = Redaction(request.secrets)
    return request.urls.map { Cassette.Key.all(request, url: $0, redaction: redaction) }
  }

  /// - Parameter keys: The keys that the recording may have; at least one.
  private func next(_ keys: [Cassette.Key]) -> Recording? {
    let found = keys.filter { recordings[$0] != nil }
    var candidates = found.flatMap { recordings[$0] ?? [] }
    guard !candidates.isEmpty else { return nil }
    if found.count > 1 { candidates.sort { $0.order < $1.order } }
    let index = played.withLock { played in
      played.keys.formUnion(found)
      defer { played.counts[keys[0], default: 0] += 1 }
      return played.counts[keys[0], default: 0]
    }
    if let arrivals = Self.arrivals {
      if let own = candidates.first(where: { !$0.isFailure && arrivals.contains($0.cassette.arrival) }) { return own }
      // It had none of the answers.
      let failures = candidates.filter(\.isFailure)
      if !failures.isEmpty { candidates = failures }
    }
    return candidates[min(index, candidates.count - 1)]
  }

  /// - Parameters:
  ///   - depth: how many folders lie between it and the one that was recorded into; nil to read files at any depth.
  ///   - known: the folders that have been read: links may lead back to them.
  private static func load(
    _ directory: String, depth: Int?, into recordings: inout [Recording], _ known: inout Set<FileStatus.Identity>
  ) throws(CassetteError) {
    if let identity = FileStatus(directory)?.identity, !known.insert(identity).inserted { return }
    for name in try CassetteError.reading(directory, FileSystem.names(in:)) {
      let path = "\(directory)/\(name)"
      if FileSystem.isFolder(path) {
        if depth != 1 { try load(path, depth: depth.map { $0 + 1 }, into: &recordings, &known) }
      } else if name.hasSuffix(".json"), depth != 0 {
        try recordings.append(recording(path))
      }
    }
  }

  private static func recording(_ path: String) throws(CassetteError) -> Recording {
    let cassette = try Cassette(parsing: CassetteError.bytes(of: path), file: path)
    if case .answer(_, _, let body?) = cassette.outcome, !FileSystem.exists("\(FileSystem.folder(of: path))/\(body)") {
      throw CassetteError(file: path, position: nil, message: "its body '\(body)' is missing")
    }
    let number = Int(FileSystem.name(of: path).prefix { $0.isNumber }) ?? .max
    return Recording(cassette: cassette, file: path, number: number)
  }

  private static func read(_ path: String) throws(TransportError) -> [UInt8] {
    do {
      // Recordings are shared: they must not refer to other files of whoever plays them.
      return try FileSystem.read(path, limit: AnswerLimit.bytes, from: .ownFile)
    } catch {
      if case .tooLarge(_, let limit) = error { throw .tooLarge(limit: limit) }
      throw .other("\(error)")
    }
  }

  /// A recording without its contents.
  package struct Entry: Sendable, Hashable {
    /// The path of its metadata.
    package let file: String
    package let method: String
    /// Without secrets.
    package let url: String
    package let arrival: Instant

    /// The name of the folder that contains it, which is that of the exchange.
    package var folder: String { file.split(separator: "/").dropLast().last.map(String.init) ?? "" }

    /// The file's name without its number and extension: `spot-BTC-USDT`.
    package var name: String {
      let last = FileSystem.name(of: file)
      let stem = last.hasSuffix(".json") ? last.dropLast(5) : last[...]
      let label = stem.drop { $0.isNumber }
      return String(label.first == "-" ? label.dropFirst() : label)
    }
  }

  /// All recordings, sorted by file name.
  package var entries: [Entry] { recordings.values.flatMap { $0.map(\.entry) }.sorted { $0.file < $1.file } }

  /// The recordings of requests that this player has not been asked for so far.
  package var unplayed: [Entry] {
    let played = played.withLock { $0.keys }
    return recordings.filter { !played.contains($0.key) }.values.flatMap { $0.map(\.entry) }
      .sorted { $0.file < $1.file }
  }

  /// Returns when the latest recording of a request arrived; nil if there is none.
  package func latestArrival(of request: HTTPRequest) -> Instant? {
    Self.keys(of: request).joined().compactMap { recordings[$0]?.last?.cassette.arrival }.max()
  }

  /// Returns whether there is a recording of the request.
  package func holds(_ request: HTTPRequest) -> Bool {
    Self.keys(of: request).contains { keys in keys.contains { recordings[$0] != nil } }
  }
}

extension CassettePlayer.Recording {
  fileprivate var isFailure: Bool { if case .failure = cassette.outcome { true } else { false } }

  fileprivate var entry: CassettePlayer.Entry {
    .init(file: file, method: cassette.key.method, url: cassette.key.url, arrival: cassette.arrival)
  }
}
