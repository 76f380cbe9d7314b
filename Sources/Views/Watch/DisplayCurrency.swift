import Mapping
import MarketData
import Quotes
import Terminal

/// The currency of prices in a live view, switched with the `w` key.
package enum DisplayCurrency: Sendable, Hashable, CaseIterable {
  /// As sent by the exchanges.
  case sent
  /// In the quote currency of the header's rate: won.
  case local
  case dollars
}

extension WatchBoard {
  /// Returns how prices of a pair are converted; nil to show them as sent.
  func conversion(of pair: Pair) -> Conversion? {
    let currency: String
    switch money {
    case .sent: return nil
    case .local: currency = settings.headerRate.payment
    case .dollars: currency = settings.headerRate.asset
    }
    return state.conversion(of: pair, to: currency, dollarTokens: settings.dollarTokens, at: now)
  }

  /// Returns the rates behind the prices of some pairs, as far as they fit: `in KRW: USD/KRW 1461.50, 하나은행; USDT
  /// counted as one USD; 2026-11-18 14:11:48 KST`. nil if prices are shown as sent.
  func conversionLine(_ pairs: [Pair], cells: Int) -> StyledText? {
    var payments: Set<String> = []
    let conversions = pairs.compactMap { payments.insert($0.payment).inserted ? conversion(of: $0) : nil }
    return conversions.conversionLine(at: now, settings.language, cells: cells)
  }
}

extension [Conversion] {
  /// Returns the rates behind prices shown in one currency; nil if there are no prices.
  func conversionLine(at moment: Instant, _ language: Language, cells: Int) -> StyledText? {
    guard let currency = first?.currency else { return nil }
    let times = Set(
      compactMap { conversion in conversion.rate?.quote.map { $0.time.map(ClockText.seoul) ?? $0.date ?? "-" } })
    let head = language("in \(currency)", "\(currency) 표시")
    return StyledText(
      whole: [StyledText(head, .heading)]
        + (parts(at: moment, language) + times).enumerated().map { StyledText(($0 == 0 ? ": " : "; ") + $1, .dim) },
      cells: cells)
  }

  /// Returns the distinct rates used for conversion, with the ages of those too old to be current, and what counts as
  /// what.
  ///
  /// - Parameters:
  ///   - header: the pair whose rate the header shows, including why it is missing.
  ///   - priced: tokens that are shown at their own price.
  func parts(
    at moment: Instant, _ language: Language = .english, header: Pair? = nil, priced: Set<String> = []
  ) -> [String] {
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
        // The header already shows why.
        let reason = report.pair == header || report.route == nil ? "" : ": \(report.shortReason(language))"
        add(language("no rate for \(report.pair)", "\(report.pair) 환율 없음") + reason)
      }
    }
    func add(_ token: String, pegCurrency money: String) {
      let ofOthers = priced.contains(token)
      add(
        language(
          "\(token) counted as one \(money)" + (ofOthers ? " in the prices of other assets" : ""),
          (ofOthers ? "다른 자산 가격에서 " : "") + "\(token) = 1 \(money)로 계산"))
    }
    for conversion in self {
      if conversion.assumesPeg { add(conversion.payment, pegCurrency: conversion.pegCurrency) }
      if conversion.currency != conversion.target { add(conversion.currency, pegCurrency: conversion.target) }
    }
    return parts
  }
}
