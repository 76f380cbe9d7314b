package import HTTP

extension CassettePlayer {
  /// One recording, as far as others than the player need to know it.
  package struct Entry: Sendable, Hashable {
    /// The path of its metadata.
    package let file: String
    package let method: String
    /// Without secrets.
    package let url: String
    package let arrival: Int64

    /// The file's name without its number and ending: `spot-BTC-USDT`.
    package var name: String {
      let last = file.split(separator: "/").last.map(String.init) ?? file
      let stem = last.hasSuffix(".json") ? last.dropLast(5) : last[...]
      let label = stem.drop { $0.isNumber }
      return String(label.first == "-" ? label.dropFirst() : label)
    }
  }

  /// Everything that is recorded, in the order of the file names.
  package var entries: [Entry] { recordings.values.flatMap { $0.map(\.entry) }.sorted { $0.file < $1.file } }

  /// Recordings of requests that nobody has made of this player so far.
  package var unplayed: [Entry] {
    let played = playedKeys
    return recordings.filter { !played.contains($0.key) }.values.flatMap { $0.map(\.entry) }
      .sorted { $0.file < $1.file }
  }

  /// Whether there is a recording for the request.
  package func holds(_ request: HTTPRequest) -> Bool {
    Self.keys(of: request).contains { recordings[$0] != nil }
  }
}

extension CassettePlayer.Recording {
  fileprivate var entry: CassettePlayer.Entry {
    .init(file: file, method: cassette.key.method, url: cassette.key.url, arrival: cassette.arrival)
  }
}
