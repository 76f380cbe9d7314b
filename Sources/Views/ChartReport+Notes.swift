import MarketData
import Quotes
import Terminal

// What is said below a chart.

extension ChartReport {
  package var notes: [String] { notes(.english) }

  private func notes(_ language: Language) -> [String] {
    if single != nil { return data.notes(language) }
    return CandlesReport(lineAnswers, at: time, zone: zone).notes(language) + rateNotes + lineNotes(language)
  }

  /// Returns the notes, and why something is not in the picture.
  ///
  /// - Parameter undrawn: the number of prices among those in the picture that have no place on its scale.
  func pictureNotes(undrawn: Int, _ language: Language = .english) -> [String] {
    notes(language) + [scale.absence(of: undrawn, language)].compactMap(\.self)
  }

  /// What failed, entirely or in part, for pictures that are kept without the messages beside them.
  var failures: [String] { sources.compactMap { $0.answer.line() } }

  /// Returns the notes about lines, but not those about single exchanges or rates.
  func lineNotes(_ language: Language) -> [String] {
    usable.compactMap { estimateNote($0, language) } + usable.compactMap { lossNote($0, language) }
      + [premiumNote(language)].compactMap(\.self)
  }

  /// Says how many closes are converted at a rate that is not of their time; nil if none is.
  private func estimateNote(_ source: Source, _ language: Language) -> String? {
    let (count, all) = (source.closes.estimatedCount, source.closes.points.count)
    guard count > 0 else { return nil }
    let name = "\(source.answer.exchange) \(source.answer.pair)"
    let part = count == all ? language("all", "모두") : language.part(count, of: all)
    // Between two dollar tokens there is no rate.
    let rate =
      source.estimate.map { $0.rate == nil } == true
      ? language("one to one", "1:1") : language("at the latest rate", "최신 환율")
    return language(
      "\(name): \(part) in \(currency) \(rate), not the rate at the time",
      "\(name): \(part) 당시 환율이 아닌 \(rate)로 \(currency) 환산")
  }

  /// Says how many closes have no rate; nil if all have one.
  private func lossNote(_ source: Source, _ language: Language) -> String? {
    let lost = (source.answer.value?.currentCandles.count ?? 0) - source.closes.points.count
    guard lost > 0 else { return nil }
    let name = "\(source.answer.exchange) \(source.answer.pair)"
    return language(
      "\(name): \(lost) left out, no rate to \(currency)", "\(name): \(lost)개 제외, \(currency) 환율 없음")
  }

  private func premiumNote(_ language: Language) -> String? {
    guard let premium else { return nil }
    let title = premium.title(language)
    if let leftOut = premium.values.leftOut {
      let intervals = leftOut.count.counted("interval")
      return "\(title): "
        + language("\(intervals) left out, ", "구간 \(leftOut.count)개 제외, ")
        + "\(leftOut.cause.code): \(leftOut.cause.message(language))"
    }
    let isAbsent = premium.absence != nil && usable.count == sources.count
    return isAbsent ? "\(title): " + language("no interval has both prices", "두 가격이 함께 있는 구간 없음") : nil
  }
}
