import Config
import Mapping
import MarketData
import Quotes

/// The mapped answer of a market's names.
struct TestedNames: Sendable {
  let market: Market
  let outcome: Result<[String: AssetName], TableFailure>

  /// Whether the cassette has no recording of it.
  var isUnrecorded: Bool {
    if case .failure(let failure) = outcome { failure.reason == TableFailure.notRecorded } else { false }
  }

  /// The line kept with a cassette: how many names there are, and the first of them by symbol.
  var keptLine: String {
    let cells: [String]
    switch outcome {
    case .failure(let failure): cells = ["(failed)", failure.words]
    case .success(let names):
      let first = names.min { $0.key < $1.key }.map { [$0.key, $0.value.korean ?? "-", $0.value.english ?? "-"] } ?? []
      cells = ["(names)", "\(names.count) assets"] + first
    }
    return ([market.rawValue, "names", ""] + cells).joined(separator: "\t")
  }

  func findings(about exchange: String) -> [Finding] {
    let subject = Finding.Subject.exchange(exchange)
    switch outcome {
    case .failure where isUnrecorded:
      return [
        Finding(
          .notRecorded, .note, "\(market.rawValue): no recording answers the request for the names of assets",
          about: subject)
      ]
    case .failure(let failure):
      return [
        Finding(
          .tableFailed, .error, "\(market.rawValue): the names of assets: \(failure.words)", about: subject)
      ]
    case .success: return []
    }
  }
}
