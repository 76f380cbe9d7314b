package import MarketData
package import Quotes

/// Which candles of an answer are wrong by themselves, contradict another that was received, or are built from such.
package struct CandleFaults: Sendable {
  private let series: CandleSeries?
  private let findings: [DataFinding]
  /// The grid on which each candle is judged; nil if the checks have found none that is wrong by itself.
  private let grid: CandleGrid?

  package init(of answer: PairAnswer<CandleSeries>) {
    series = answer.value
    findings = answer.findings
    grid = findings.contains(where: \.isOfCandles) ? series?.grid : nil
  }

  /// Returns what is wrong with a candle; nil if nothing is.
  package func fault(of candle: Candle) -> DataFinding.Kind? {
    findings.first { $0.starts.contains(candle.start) }?.kind ?? series?.sourceFaults[candle.start]
      ?? grid.flatMap { CandleCheck.fault(of: candle, on: $0) }
  }
}
