import Cassettes
import Config
import Files
import Mapping
import MarketData
import Proving
import Quotes
import Transport

/// Tries exchanges on their recordings, or on what they answer now.
struct TrialBench {
  let config: LoadedConfig
  let shelf: CassetteShelf
  /// nil: on recordings.
  let session: MarketSession?
  /// Whether to write down what the recordings come to.
  let accepts: Bool

  /// What there is to try.
  enum Subject: Sendable {
    case exchange(Exchange)
    case provider(RateProvider)

    var name: String {
      switch self {
      case .exchange(let exchange): exchange.name
      case .provider(let provider): provider.name
      }
    }
  }

  /// The trials of many exchanges and rate providers, in their order; nil for one without a block.
  func trials(of subjects: [Subject?]) async -> [TestedExchange?] {
    await withTaskGroup(of: (Int, TestedExchange).self) { group in
      for (index, subject) in subjects.enumerated() {
        guard let subject else { continue }
        group.addTask { (index, await trial(of: subject)) }
      }
      var trials = [TestedExchange?](repeating: nil, count: subjects.count)
      for await (index, trial) in group { trials[index] = trial }
      return trials
    }
  }

  private func trial(of subject: Subject) async -> TestedExchange {
    if case .provider(let provider) = subject, provider.isImplied {
      return TestedExchange(
        exchange: provider.name, source: "", origin: "its rate is an exchange's price", trial: nil, findings: [])
    }
    let place = shelf.place(of: subject.name)
    if let session { return await liveTrial(of: subject, session, place) }
    guard let place else {
      let help = "record one with: market test-exchange \(subject.name) --live --record DIR"
      return TestedExchange(
        exchange: subject.name, source: "", origin: "no recordings", trial: nil,
        findings: [TrialFinding(.problem, "there are no recordings of it in \(shelf.description)", help: help)])
    }
    let player: CassettePlayer
    do {
      player = try CassettePlayer(directory: place.folder)
    } catch {
      return TestedExchange(
        exchange: subject.name, source: place.folder, origin: place.folder, trial: nil,
        findings: [TrialFinding(.problem, "\(error)")])
    }
    let replay = await self.replay(of: subject, player)
    return TestedExchange(
      exchange: subject.name, source: place.folder, origin: player.summary, recordings: player.kept, trial: replay,
      findings: replay.map { compared($0, place) } ?? [])
  }

  private func replay(of subject: Subject, _ player: CassettePlayer) async -> ExchangeTrial? {
    // Secrets are redacted in recordings, so any text stands for one.
    let runner = TrialRunner(player, credentials: Credentials(nil) { _ in "replayed" }, interpretation)
    switch subject {
    case .exchange(let exchange): return await runner.trial(of: exchange)
    case .provider(let provider): return await runner.trial(of: provider)
    }
  }

  private func liveTrial(of subject: Subject, _ session: MarketSession, _ place: CassetteShelf.Place?) async -> TestedExchange {
    var findings: [TrialFinding] = []
    var base: ExchangeTrial?
    if let place {
      do {
        base = await replay(of: subject, try CassettePlayer(directory: place.folder))
      } catch {
        findings.append(TrialFinding(.note, "its recordings cannot be read: \(error)"))
      }
    } else {
      findings.append(TrialFinding(.note, "there are no recordings of it to compare with"))
    }
    let runner = TrialRunner(live: session.client, interpretation)
    let trial: ExchangeTrial?
    switch subject {
    case .exchange(let exchange): trial = await runner.trial(of: exchange, comparedWith: base)
    case .provider(let provider): trial = await runner.trial(of: provider, comparedWith: base)
    }
    return TestedExchange(exchange: subject.name, source: "live", origin: "live", trial: trial, findings: findings)
  }

  private var interpretation: Interpretation {
    Interpretation(
      globalAliases: config.configuration.aliases, check: MeaningCheck(config.configuration.settings), hooks: .shipped)
  }

  // MARK: The kept rows

  /// What the rows say against those that are kept beside the recordings, or that they are kept now.
  private func compared(_ trial: ExchangeTrial, _ place: CassetteShelf.Place) -> [TrialFinding] {
    let path = "\(place.folder)/\(CassetteShelf.recordName)"
    if accepts {
      guard !place.isShipped else {
        return [TrialFinding(.note, "its rows are not kept: these recordings ship; name their folder with --replay")]
      }
      guard trial.problems.isEmpty else {
        return [TrialFinding(.note, "its rows are not kept: what is wrong has to be put right first")]
      }
      do {
        try FileSystem.writeAtomically(Array(trial.record.text.utf8), to: path)
        return [TrialFinding(.note, "its rows are kept in \(path)")]
      } catch {
        return [TrialFinding(.problem, "its rows cannot be kept: \(error)")]
      }
    }
    guard FileSystem.exists(path) else {
      return place.isShipped
        ? [] : [TrialFinding(.note, "no rows are kept beside the recordings; --accept keeps these")]
    }
    do {
      guard let kept = TrialRecord(text: String(decoding: try FileSystem.read(path), as: UTF8.self)) else {
        return [TrialFinding(.problem, "\(path) is no table of rows; --accept writes it anew")]
      }
      return trial.record.differences(from: kept)
    } catch {
      return [TrialFinding(.problem, "\(error)")]
    }
  }
}

extension CassettePlayer {
  /// nil where there are none.
  fileprivate var kept: TestedExchange.Recordings? {
    let arrivals = entries.map(\.arrival)
    guard let first = arrivals.min(), let last = arrivals.max() else { return nil }
    return .init(
      count: arrivals.count, first: first, last: last)
  }

  /// `20 recordings of 2023-07-27 to 2026-11-18`.
  fileprivate var summary: String {
    let dates = kept.map { " of \($0.dates)" } ?? ""
    return "\(entries.count) \(entries.count == 1 ? "recording" : "recordings")\(dates)"
  }
}
