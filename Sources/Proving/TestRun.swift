import Cassettes
package import Config
import Files
package import Mapping
package import MarketData
import Quotes

/// Tests exchanges on their recordings or on live answers.
package struct TestRun: Sendable {
  /// The subject of a test.
  package enum Subject: Sendable {
    case exchange(Exchange)
    case provider(RateProvider)

    var name: String {
      switch self {
      case .exchange(let exchange): exchange.name
      case .provider(let provider): provider.name
      }
    }

    /// Whether it is tested by default: not if it is disabled, or has no mapping of its own.
    fileprivate var isUsual: Bool {
      switch self {
      case .exchange(let exchange): exchange.isEnabled
      case .provider(let provider): provider.isEnabled && !provider.isImplied
      }
    }
  }

  /// Returns what to test, exchanges before rate providers; broken blocks have no subject.
  ///
  /// - Parameters:
  ///   - names: nil for all enabled ones.
  ///   - hooks: The names of the available hooks.
  ///   - read: Reads an exchange's block, and reports it if it is broken.
  package static func candidates(
    named names: [String]?, in config: LoadedConfig, hooks: [String], reading read: (ExchangeSource) -> Exchange?
  ) throws -> [(name: String, subject: Subject?)] {
    let configuration = config.configuration
    var sources = names == nil ? configuration.exchanges : []
    var providers = names == nil ? configuration.providerNames : []
    for name in names ?? [] {
      if configuration.exchange(named: name) == nil, let provider = configuration.providerName(spelled: name) {
        providers.append(provider)
      } else {
        sources.append(try config.source(named: name))
      }
    }
    let exchanges = sources.map { ($0.name, read($0).map(Subject.exchange)) }
    let rates = providers.map { ($0, configuration.readProvider($0, hooks: hooks).provider.map(Subject.provider)) }
    return (exchanges + rates).filter { names != nil || $1?.isUsual != false }
  }

  private let options: Interpretation
  private let folders: RecordingFolders
  /// nil to use recordings.
  private let live: MarketClient?
  /// The stream tester for live tests; nil to skip streams.
  private let streams: LiveStreams?
  /// Whether to save the rows of the recordings as expected results.
  private let accepts: Bool
  /// What the commands of remedies need to find the same config.
  private let option: String

  /// - Parameter folder: The folder of recordings, if given on the command line.
  package init(
    of config: LoadedConfig, _ locator: ConfigLocator, hooks: HookRegistry, recordings folder: String? = nil,
    live: MarketClient? = nil, streams: LiveStreams? = nil, accepts: Bool = false
  ) {
    options = Interpretation(config.configuration, hooks: hooks)
    folders = RecordingFolders(named: folder, config, locator)
    (self.live, self.streams, self.accepts) = (live, streams, accepts)
    option = config.found.option
  }

  /// Returns the results of exchanges and rate providers in order; nil for those without a block.
  package func results(of subjects: [Subject?]) async -> [TestedExchange?] {
    await concurrently(subjects) { subject in if let subject { await result(of: subject) } else { nil } }
  }

  /// Returns what the recordings of all other rate providers give, to compare a provider with; empty if none is tested,
  /// and for live tests, since most providers limit their calls.
  package func providers(
    besides tested: [Subject], in config: LoadedConfig, hooks: [String]
  ) async -> [TestedExchange] {
    let names = tested.map(\.name)
    let isNeeded = tested.contains { if case .provider = $0 { true } else { false } }
    guard isNeeded, live == nil else { return [] }
    let configuration = config.configuration
    let others = configuration.providerNames.filter { !names.contains($0) }.compactMap { name -> Subject? in
      guard folders.place(of: name) != nil, let provider = configuration.readProvider(name, hooks: hooks).provider
      else { return nil }
      return .provider(provider)
    }
    return await results(of: others).compactMap(\.self)
  }

  private func result(of subject: Subject) async -> TestedExchange {
    if case .provider(let provider) = subject, provider.isImplied {
      return TestedExchange(provider.name, origin: "its rate is an exchange's price")
    }
    func problem(_ code: FindingCode, _ text: String, help: String? = nil) -> Finding {
      Finding(code, .error, text, about: .exchange(subject.name), help: help)
    }
    let place = folders.place(of: subject.name)
    if let live { return await liveResult(of: subject, live, place) }
    guard let place else {
      let help = "record one with: market test-exchange \(subject.name.shellWord) --live --record DIR\(option)"
      let finding = problem(.noRecordings, "no recordings of it in \(folders.description)", help: help)
      return TestedExchange(subject.name, origin: "no recordings", [finding])
    }
    let player: CassettePlayer
    let streams: [(name: String, tape: StreamTape)]
    do {
      player = try CassettePlayer(directory: place.path)
      streams = try StreamTape.all(in: place.path)
    } catch {
      let finding = problem(.unreadableRecordings, "\(error)")
      return TestedExchange(subject.name, source: place.path, origin: place.path, [finding])
    }
    var result = await replay(of: subject, player, streams)
    result.source = place.path
    result.recordings = player.span
    let dates = player.span.map { " of \($0.dates)" } ?? ""
    let count = player.entries.count
    result.origin = "\(count.counted("recording"))\(dates)"
    result.general += compared(result, place)
    return result
  }

  private func replay(
    of subject: Subject, _ player: CassettePlayer, _ streams: [(name: String, tape: StreamTape)]
  ) async -> TestedExchange {
    // Recordings have their secrets redacted, so any text will do.
    let credentials = Credentials(nil) { _ in "replayed" }
    return await ExchangeTester(player, streams, credentials: credentials, options).test(subject)
  }

  private func liveResult(
    of subject: Subject, _ client: MarketClient, _ place: RecordingFolders.Place?
  ) async -> TestedExchange {
    func note(_ code: FindingCode, _ text: String) -> Finding {
      Finding(code, .note, text, about: .exchange(subject.name))
    }
    var findings: [Finding] = []
    var base: TestedExchange?
    if let place {
      do {
        let tapes = streams == nil ? [] : try StreamTape.all(in: place.path)
        base = await replay(of: subject, try CassettePlayer(directory: place.path), tapes)
      } catch {
        findings.append(note(.unreadableRecordings, "its recordings cannot be read: \(error)"))
      }
    } else {
      findings.append(note(.noRecordings, "no recordings of it to compare with"))
    }
    var result = await ExchangeTester(live: client, streams: streams, options).test(subject, comparedWith: base)
    (result.source, result.origin) = ("live", "live")
    result.general += findings
    return result
  }

  // MARK: Kept rows

  /// Compares the rows with those kept with the recordings, or keeps them.
  private func compared(_ result: TestedExchange, _ place: RecordingFolders.Place) -> [Finding] {
    let path = "\(place.path)/\(KeptRows.fileName)"
    func finding(_ code: FindingCode, _ severity: Finding.Severity, _ text: String) -> [Finding] {
      [Finding(code, severity, text, about: .exchange(result.name))]
    }
    guard !accepts else {
      if place.isShipped {
        return finding(
          .rowsNotKept, .note, "its rows are not kept: these recordings ship; name their folder with --replay")
      }
      guard result.problems.isEmpty else {
        return finding(.rowsNotKept, .note, "its rows are not kept: fix the problems first")
      }
      do {
        try FileSystem.writeAtomically(Array(result.rows.text.utf8), to: path)
        return finding(.rowsKept, .note, "its rows are kept in \(path)")
      } catch {
        return finding(.rowsNotKept, .error, "its rows cannot be kept: \(error)")
      }
    }
    guard FileSystem.exists(path) else {
      let text = "no rows are kept beside the recordings; --accept keeps these"
      return place.isShipped ? [] : finding(.rowsNotKept, .note, text)
    }
    do {
      guard let kept = KeptRows(text: String(decoding: try FileSystem.read(path), as: UTF8.self)) else {
        return finding(.rowsDiffer, .error, "\(path) is not a table of rows; --accept writes it again")
      }
      return result.rows.differences(from: kept, of: result.name, option)
    } catch {
      return finding(.rowsDiffer, .error, "\(error)")
    }
  }
}

extension ExchangeTester {
  fileprivate func test(_ subject: TestRun.Subject, comparedWith base: TestedExchange? = nil) async -> TestedExchange {
    switch subject {
    case .exchange(let exchange): await test(exchange, comparedWith: base)
    case .provider(let provider): await test(provider, comparedWith: base)
    }
  }
}

extension RateProvider {
  /// Whether its rate is implied by an exchange's price, so that it has no mapping of its own.
  fileprivate var isImplied: Bool { if case .ticker = source { true } else { false } }
}

extension CassettePlayer {
  /// nil if there are none.
  fileprivate var span: TestedExchange.Recordings? {
    let arrivals = entries.map(\.arrival)
    guard let first = arrivals.min(), let last = arrivals.max() else { return nil }
    return .init(count: arrivals.count, first: first, last: last)
  }
}
