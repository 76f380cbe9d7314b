import Config
import Mapping
import MarketData
import Quotes

/// The mapped answer of a market's names.
struct TestedNames: Sendable {
  let market: Market
  let outcome: Result<[String: AssetName], AnswerFailure>

  /// Whether the cassette has no recording of it.
  var isUnrecorded: Bool {
    if case .failure(let failure) = outcome { failure.reason == .notRecorded } else { false }
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
    return KeptRows.line([market.rawValue, "names", ""] + cells)
  }

  func findings(about exchange: String) -> [Finding] {
    guard case .failure(let failure) = outcome else { return [] }
    func finding(_ code: FindingCode, _ severity: Finding.Severity, _ text: String) -> [Finding] {
      [Finding(code, severity, "\(market.rawValue): \(text)", about: .exchange(exchange))]
    }
    return isUnrecorded
      ? finding(.notRecorded, .note, "no recording answers the request for the names of assets")
      : finding(.tableFailed, .error, "the names of assets: \(failure.words)")
  }
}
