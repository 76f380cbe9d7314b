package import MarketData
package import Quotes

/// Which candles of an answer are wrong by themselves, contradict another that was received, or are built from such.
package struct CandleFaults: Sendable {
  private let findings: [DataFinding]
  /// What is wrong with the candles that these were built from.
  private let ofSources: [Instant: DataFinding.Kind]
  /// The grid on which each candle is judged; nil if the checks have found none that is wrong by itself.
  private let grid: CandleGrid?

  package init(of answer: PairAnswer<CandleSeries>) {
    findings = answer.findings.filter { !$0.starts.isEmpty }
    ofSources = answer.value?.sourceFaults ?? [:]
    grid = answer.findings.contains(where: \.isOfCandles) ? answer.value?.grid : nil
  }

  /// Returns what is wrong with a candle; nil if nothing is.
  package func fault(of candle: Candle) -> DataFinding.Kind? {
    if let finding = findings.first(where: { $0.starts.contains(candle.start) }) { return finding.kind }
    // There are many candles, and hardly ever one that is wrong.
    if !ofSources.isEmpty, let kind = ofSources[candle.start] { return kind }
    return grid.flatMap { CandleCheck.fault(of: candle, on: $0) }
  }
}
