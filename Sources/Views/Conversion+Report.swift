import JSON
import Mapping
import MarketData
import Quotes
import Terminal

extension Conversion {
  func json(at moment: Instant) -> JSONValue {
    [
      "currency": .string(currency), "payment": .string(payment), "countedAs": .text(pegCurrency),
      "fx": rate?.json(at: moment) ?? nil,
    ]
  }
}

extension [Conversion] {
  /// Returns the rates behind prices shown in one currency; nil if there are no prices.
  ///
  /// - Parameter hasDoubts: false if what makes a rate doubtful is shown beside the line.
  func conversionLine(
    at moment: Instant, _ language: Language, hasDoubts: Bool = true, cells: Int
  ) -> StyledText? {
    guard let currency = first?.currency else { return nil }
    let times = compactMap { conversion in
      conversion.rate?.quote.map { $0.time.map(ClockText.seoul) ?? $0.date ?? "-" }
    }.unique
    return StyledText(
      whole: [StyledText(language.shown(in: currency), .heading)]
        + (parts(at: moment, language, hasDoubts: hasDoubts) + times).enumerated().map {
          StyledText(($0 == 0 ? ": " : "; ") + $1, .dim)
        },
      cells: cells)
  }

  /// Returns the distinct rates used for conversion, with the ages of those too old to be current, and what counts as
  /// what.
  ///
  /// - Parameters:
  ///   - hasDoubts: whether what makes a rate doubtful is included.
  ///   - header: the pair whose rate the header shows, including why it is missing.
  ///   - priced: tokens that are shown at their own price.
  func parts(
    at moment: Instant, _ language: Language = .english, hasDoubts: Bool = true, header: Pair? = nil,
    priced: Set<String> = []
  ) -> [String] {
    var parts: [String] = []
    func add(_ part: String) { if !parts.contains(part) { parts.append(part) } }
    for report in compactMap(\.rate) {
      if let quote = report.quote {
        let view = RateView(quote, at: moment)
        let age = quote.isOld(at: moment) ? quote.age(at: moment).map { language.age(nanoseconds: $0) } : nil
        add(
          (["\(report.pair) \(quote.rate.rateText)", quote.institution]
            + (age.map { [language("\($0) ago", "\($0) 전")] } ?? [])
            + view.remarks(language, hasDoubts: hasDoubts)).joined(separator: ", "))
      } else {
        // The header already shows why a provider has none.
        let isTold = report.pair == header || report.route == nil
        let reason = isTold && report.refusal == nil ? "" : ": \(report.shortReason(language))"
        add(language("no rate for \(report.pair)", "\(report.pair) 환율 없음") + reason)
      }
    }
    func add(_ token: String, pegCurrency money: String) {
      let ofOthers = priced.contains(token)
      let counted = language.counted(token, as: money)
      add(ofOthers ? language("\(counted) in the prices of other assets", "다른 자산 가격에서 \(counted)") : counted)
    }
    for conversion in self {
      if conversion.assumesPeg { add(conversion.payment, pegCurrency: conversion.pegCurrency) }
      if conversion.currency != conversion.target { add(conversion.currency, pegCurrency: conversion.target) }
    }
    return parts
  }
}

extension Array {
  /// Returns the rates used to convert prices to another currency.
  ///
  /// - Parameters:
  ///   - moment: the reference time for the age of a rate.
  ///   - isContemporaneous: false for past prices, which are converted at the latest rate; the note says so.
  func conversionNotes<Value>(at moment: Instant, isContemporaneous: Bool = true, _ language: Language) -> [String]
  where Element == PairAnswer<Value> {
    let conversions = compactMap { $0.value == nil ? nil : $0.conversion }
    guard let currency = conversions.first?.currency else { return [] }
    let parts = conversions.parts(at: moment, language)
    let isConverted = conversions.contains { $0.rate?.quote != nil }
    let age =
      isContemporaneous || !isConverted
      ? "" : language(" at the latest rate, not the rate at the time", " (당시 환율이 아닌 최신 환율)")
    return parts.isEmpty ? [] : ["\(language.shown(in: currency))\(age): " + parts.joined(separator: "; ")]
  }
}
