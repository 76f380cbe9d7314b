import Config
import Mapping
package import MarketData
package import Quotes
package import Shell
import Synchronization
import Terminal
import Views

extension PairSession {
  /// Decides whether prices can belong to the same coin.
  package var identity: IdentityCheck { IdentityCheck(limitPercent: session.configuration.settings.identityPercent) }

  /// Returns the order book of every source.
  ///
  /// - Parameters:
  ///   - count: how many levels per side are wanted.
  ///   - isNoted: whether to note that a book cannot be of the same coin as the others; false if the caller does so.
  package func orderbooks(_ count: Int, isNoted: Bool, in context: Context) async -> [PairAnswer<OrderBook>] {
    let answers = await answers(in: context) { source in
      let conversion = await conversion(of: source)
      let (market, name) = (source.market, source.exchange.name)
      let answer =
        if let saved {
          saved.orderbook(source.query, on: market, of: name, now: moment)
        } else {
          await session.client.orderbook(source.query, count: count, on: market, of: name)
        }
      let empty = answer.value.flatMap { book in
        book.bids.isEmpty
          ? language("the answer has no bids", "응답에 매수 호가 없음")
          : book.asks.isEmpty ? language("the answer has no asks", "응답에 매도 호가 없음") : nil
      }
      return answer.with(notes: [empty].compactMap(\.self), conversion: conversion, language)
    }
    guard isNoted else { return answers }
    let flags = answers.identityFlags(identity) { $0.flags.contains(where: \.excludes) ? nil : $0.price }
    return answers.noting(flags, language)
  }

  /// Returns the newest trades of every source, with notes on inconsistencies.
  ///
  /// - Parameters:
  ///   - count: the number of trades wanted from each.
  ///   - isRequired: whether to note that an answer has fewer.
  package func trades(_ count: Int, isRequired: Bool, in context: Context) async -> [PairAnswer<[Trade]>] {
    let answers = await answers(in: context) { source in
      let conversion = await conversion(of: source)
      let (market, name) = (source.market, source.exchange.name)
      let answer =
        if let saved {
          saved.trades(source.query, count: count, on: market, of: name, now: moment)
        } else {
          await session.client.trades(source.query, count: count, on: market, of: name)
        }
      let incomplete = answer.value?.incomplete ?? 0
      let rows = incomplete.counted("row of the answer lacks", plural: "rows of the answer lack")
      let list = answer.map(\.trades)
      var notes =
        incomplete > 0 ? [language("\(rows) a price or a time", "응답의 \(incomplete)행에 가격이나 시각 없음")] : []
      if isRequired, let sent = list.value?.count, sent < count {
        notes.append(
          language(
            "the answer has \(sent.counted("trade")), but \(count) were requested", "응답에 체결 \(sent)건, 요청은 \(count)건"))
      }
      return list.with(
        notes: notes,
        findings: TradeCheck.findings(list.value ?? [], ticker: nil, arrival: answer.arrival)
          + [answer.value?.doubt].compactMap(\.self), conversion: conversion, language)
    }
    // An exchange may have last traded the pair years ago.
    let newest = answers.compactMap { $0.value?.last?.time }.max()
    let flags = answers.identityFlags(identity) { trades in
      trades.last.flatMap { last in
        newest.map { $0.nanoseconds(since: last.time) <= Self.comparableAge } == true ? last.price : nil
      }
    }
    return answers.noting(flags, language)
  }

  /// Returns the candles of every source, with notes about them.
  ///
  /// - Parameter isNoted: whether to note that candles cannot be of the same coin as the others; false if the caller does
  ///   so.
  package func candles(
    _ interval: CandleInterval, zoneSeconds: Int?, _ span: CandleQuery.Span, isNoted: Bool = true, in context: Context
  ) async -> [PairAnswer<CandleSeries>] {
    let pages = PageProgress()
    let answers = await context.showing(pages.progress) {
      await concurrently(sources) { source in
        let conversion = await conversion(of: source)
        let query = CandleQuery(source.query, interval, zoneSeconds: zoneSeconds, span)
        let name = source.exchange.name
        let answer =
          if let saved { saved.candles(query, on: source.market, of: name, now: moment) } else {
            await session.client.candles(query, on: source.market, of: name) { pages.note($0, of: $1, name) }
          }
        return answer.series(
          conversion: conversion, zone: zone, savedBefore: saved == nil ? nil : moment, language)
      }
    }
    return isNoted ? answers.noting(answers.identityFlags(identity), language) : answers
  }

  /// How much older than the newest of all an exchange's newest trade may be to be compared with it, in nanoseconds: one
  /// hour.
  private static let comparableAge = Instant.hour
}

/// The number of candle pages requested so far.
private final class PageProgress: Sendable {
  private struct Page {
    let exchange: String
    let number: Int
    let count: Int?
  }

  private let pages = Mutex<[Page]>([])

  func note(_ page: Int, of count: Int?, _ exchange: String) {
    pages.withLock { pages in
      pages.removeAll { $0.exchange == exchange }
      pages.append(Page(exchange: exchange, number: page, count: count))
    }
  }

  /// nil before the first page.
  @Sendable func progress() -> Progress? {
    let texts = pages.withLock { $0 }.map { page in
      "\(page.exchange) page \(page.number)" + (page.count.map { " of \($0)" } ?? "")
    }
    return texts.isEmpty ? nil : Progress(done: texts.joined(separator: ", "))
  }
}
