/// The files that a replayed answer was read from.
package struct CassetteOrigin: Hashable, Sendable {
  /// The path of the metadata, `…/Bitget/01-spot-tickers.json`.
  package var metadata: String
  /// The path of the body; nil where the cassette has none.
  package var body: String?

  package init(metadata: String, body: String?) {
    self.metadata = metadata
    self.body = body
  }
}
