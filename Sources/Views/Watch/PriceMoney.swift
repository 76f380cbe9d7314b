import Mapping
import MarketData
import Quotes
import Terminal

/// What money the prices of a live view are shown in: the key `w`.
package enum PriceMoney: Sendable, Hashable, CaseIterable {
  /// As the exchanges send them.
  case sent
  /// In the money that the rate of the header is quoted in: won.
  case local
  case dollars
}

extension WatchBoard {
  /// How prices of a pair are shown; nil where they stay as they are sent.
  func conversion(of pair: Pair) -> Conversion? {
    let currency: String
    switch money {
    case .sent: return nil
    case .local: currency = settings.headerRate.payment
    case .dollars: currency = settings.headerRate.asset
    }
    return state.conversion(of: pair, to: currency, dollarTokens: settings.dollarTokens, at: now)
  }

  /// `in KRW: USD/KRW 1461.50, 하나은행; USDT counted as one USD; 2026-11-18 14:11:48 KST`: by which rate the prices of some
  /// pairs came to be, as much of it as there is room for. nil where they are as they are sent.
  func moneyLine(_ pairs: [Pair], cells: Int) -> StyledText? {
    var payments: Set<String> = []
    let conversions = pairs.compactMap { payments.insert($0.payment).inserted ? conversion(of: $0) : nil }
    return conversions.moneyLine(at: clock, settings.language, cells: cells)
  }
}

extension [Conversion] {
  /// By which rates prices came to be that are shown in one currency; nil where there are no prices.
  func moneyLine(at moment: Instant, _ language: Language, cells: Int) -> StyledText? {
    guard let currency = first?.currency else { return nil }
    let times = Set(
      compactMap { conversion in conversion.rate?.quote.map { $0.time.map(ClockText.seoul) ?? $0.date ?? "-" } })
    let head = language("in \(currency)", "\(currency) 표시")
    return StyledText(
      whole: [StyledText(head, .heading)]
        + (parts(at: moment, language) + times).enumerated().map { StyledText(($0 == 0 ? ": " : "; ") + $1, .dim) },
      cells: cells)
  }

  /// By which rates prices in another currency came to be, and how old those are that are too old to hold now; and what counts as
  /// what, each said once.
  ///
  /// - Parameter header: the pair whose rate stands above, with the reason where there is none.
  func parts(at moment: Instant, _ language: Language = .english, header: Pair? = nil) -> [String] {
    var parts: [String] = []
    func add(_ part: String) { if !parts.contains(part) { parts.append(part) } }
    for report in compactMap(\.rate) {
      if let quote = report.quote {
        let view = RateView(quote, at: moment)
        let age = quote.isOld(at: moment) ? quote.age(at: moment).map { language.age(nanoseconds: $0) } : nil
        add(
          (["\(report.pair) \(quote.rate.rateText)", view.provider]
            + (age.map { [language("\($0) ago", "\($0) 전")] } ?? [])
            + view.remarks(language)).joined(separator: ", "))
      } else {
        // The header has said why.
        let reason = report.pair == header || report.route == nil ? "" : ": \(report.shortReason(language))"
        add(language("no rate of \(report.pair)", "\(report.pair) 환율 없음") + reason)
      }
    }
    func add(_ token: String, countedAs money: String) {
      add(language("\(token) counted as one \(money)", "\(token) = 1 \(money)로 계산"))
    }
    for conversion in self {
      if conversion.isAssumed { add(conversion.payment, countedAs: conversion.countedAs) }
      if conversion.currency != conversion.target { add(conversion.currency, countedAs: conversion.target) }
    }
    return parts
  }
}
