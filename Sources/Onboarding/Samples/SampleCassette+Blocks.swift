import Cassettes
import Config
import Files
import HTTP
import Mapping
import MarketData
import Proving
import Quotes
import Synchronization

extension SampleCassette {
  /// An answer with an order book, trades or candles.
  struct BlockPiece {
    let kind: BlockKind
    let sample: Sample
    let market: Market
    /// The pair that it is about.
    let pair: Pair
    /// The interval of candles.
    let interval: CandleInterval?
    /// The intervals of candles that the block had before it.
    var replaced: [CandleInterval] = []
    /// When it arrived, as far as is known.
    let arrival: Instant
  }

  /// Adds answers to the exchange's recordings, each as the answer to the request that a test of its block sends. An older
  /// recording of the same request is replaced.
  ///
  /// - Returns: Whether the rows of the recordings may be saved with them; nil if none is recorded, since the exchange
  ///   makes no request that the answers could belong to.
  func add(_ pieces: [BlockPiece], to exchange: Exchange, _ options: Interpretation) async throws(OnboardingProblem)
    -> Bool?
  {
    let folder = folder(of: exchange.name)
    let before = try Self.names(in: folder)
    do throws(FileError) {
      for piece in pieces { await record(piece, of: exchange, options) }
      let new = Set((try? FileSystem.names(in: folder)) ?? []).subtracting(before)
      guard !new.isEmpty else { return nil }
      var listed = listed(in: folder)
      let labels = Set(new.map(Self.label))
      for name in listed where labels.contains(Self.label(of: name)) {
        try FileSystem.remove("\(folder)/\(name)")
        listed.remove(name)
      }
      let ownsRows = listed.contains(KeptRows.fileName) || !before.contains(KeptRows.fileName)
      try write(list: listed.union(new).union(ownsRows ? [KeptRows.fileName] : []), in: folder)
      return ownsRows
    } catch {
      removeRecordings(besides: before, in: folder)
      throw .file(error)
    }
  }

  /// Removes the recordings that new ones replace, and those of candles that the exchange no longer has, with their lines
  /// among the kept rows.
  func drop(_ pieces: [BlockPiece], of exchange: Exchange) throws(OnboardingProblem) {
    let folder = folder(of: exchange.name)
    do throws(FileError) {
      var listed = listed(in: folder)
      guard !listed.isEmpty else { return }
      var kept = listed.contains(KeptRows.fileName) ? KeptRows(in: folder) : nil
      for piece in pieces {
        // The names of recordings do not say of which market they are.
        let others = exchange.markets.filter { $0.market != piece.market }.flatMap { TestedBlockSpec.all(of: $0) }
        let own: (CandleInterval?, Pair?) = (piece.interval, piece.pair)
        for (interval, pair) in piece.replaced.map({ ($0, nil) }) + [own]
        where !others.contains(where: { $0.kind == piece.kind && $0.interval == interval }) {
          let word = interval.map { "\($0.rawValue)-" } ?? ""
          let end = pair.map { "\($0.asset)-\($0.payment)." } ?? ""
          for name in listed where Self.label(of: name).hasPrefix("-\(piece.kind.rawValue)-\(word)\(end)") {
            try FileSystem.remove("\(folder)/\(name)")
            listed.remove(name)
          }
          kept = kept?.without(piece.kind, interval, of: piece.market, pair)
        }
      }
      try write(list: listed, in: folder)
      guard let kept else { return }
      try FileSystem.writeAtomically(Array(kept.text.utf8), to: "\(folder)/\(KeptRows.fileName)", isDurable: false)
    } catch {
      throw .file(error)
    }
  }

  private func record(_ piece: BlockPiece, of exchange: Exchange, _ options: Interpretation) async {
    guard let side = exchange.market(piece.market) else { return }
    let isAnswered = Atomic(false)
    let (kind, arrival) = (piece.kind, piece.arrival)
    let sample = Self.handler(answering: piece.sample, at: arrival)
    let answer: HTTPHandler = { request throws(TransportError) in
      // Nothing else that a query may ask for has been answered, and a cancelled request leaves no recording.
      if isAnswered.exchange(true, ordering: .relaxed) { throw .cancelled }
      return try await sample(request)
    }
    // The table that `{symbol}` is read from, and lookups, have their own recordings.
    let kept = (try? CassettePlayer(directory: folder(of: exchange.name)))?.handler
    let recording = CassetteRecorder(directory: self.folder) { arrival }.recording(answer)
    let handler: HTTPHandler = { request throws(TransportError) in
      if request.name.hasPrefix("\(kind.rawValue)-") { return try await recording(request) }
      guard let kept else { throw .cancelled }
      return try await kept(request)
    }
    let client = Self.client(of: handler, at: arrival, options)
    let spec = TestedBlockSpec.all(of: side).first { $0.kind == kind && $0.interval == piece.interval }
    _ = await spec?.outcome(of: piece.pair, by: client, options, on: side, of: exchange.name, isRecorded: true)
  }
}
