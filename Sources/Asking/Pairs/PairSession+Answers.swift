import Config
package import MarketData
package import Quotes
package import Shell

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
      let empty = answer.value.flatMap { $0.bids.isEmpty ? "bids" : $0.asks.isEmpty ? "asks" : nil }
      return answer.with(notes: empty.map { ["the answer has no \($0)"] } ?? [], conversion: conversion)
    }
    return !isNoted ? answers : answers.noting(identity) { $0.flags.contains(where: \.excludes) ? nil : $0.price }
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
      var notes = incomplete > 0 ? ["\(rows) a price or a time"] : []
      if isRequired, let sent = list.value?.count, sent < count {
        notes.append("the answer has \(sent.counted("trade")), but \(count) were requested")
      }
      return list.with(
        notes: notes,
        findings: TradeCheck.findings(list.value ?? [], ticker: nil, arrival: answer.arrival), conversion: conversion)
    }
    // An exchange may have last traded the pair years ago.
    let newest = answers.compactMap { $0.value?.last?.time }.max()
    return answers.noting(identity) { trades in
      trades.last.flatMap { last in
        newest.map { $0.nanoseconds(since: last.time) <= Self.comparableAge } == true ? last.price : nil
      }
    }
  }

  /// How much older than the newest of all an exchange's newest trade may be to be compared with it, in nanoseconds: one
  /// hour.
  private static let comparableAge: Int64 = 3_600_000_000_000
}
