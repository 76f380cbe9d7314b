package import Config
import HTTP
package import Mapping
package import Quotes

/// Answers from files on disk, used instead of asking the exchange.
package struct SavedResponses: Sendable {
  let lookups: [String: [UInt8]]
  /// In the order of the table's parts, then of its batches.
  let bodies: [[UInt8]]

  /// - Parameters:
  ///   - words: `FILE`, or `NAME=FILE` for the answer of a lookup.
  ///   - read: Reads a file; `-` may be standard input.
  package init(_ words: [String], lookupNames: Set<String>, read: (_ path: String) throws -> [UInt8]) throws {
    var lookups: [String: [UInt8]] = [:]
    var bodies: [[UInt8]] = []
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 2, lookupNames.contains(parts[0]) {
        lookups[parts[0]] = try read(parts[1])
      } else {
        bodies.append(try read(word))
      }
    }
    self.lookups = lookups
    self.bodies = bodies
  }

  /// Returns why not all files can be read; nil if they can.
  func surplus(beyond count: Int) -> AnswerFailure? {
    guard bodies.count > count else { return nil }
    let answers = count == 1 ? "one answer" : "\(count) answers"
    return AnswerFailure(.noAnswer(.tooManyResponses), "\(bodies.count) files are given for \(answers)")
  }

  /// Reads the answers as the parts of one table.
  ///
  /// - Parameter now: The time for templates. Timestamps are not checked, as a file's arrival time is unknown.
  package func report(
    on market: Market, of exchange: Exchange, parts: [TableSpec], pair: Pair?, now: Instant, _ options: Interpretation
  ) -> ExchangeReport {
    let request = RequestContext(pair: pair, now: now)
    let isBatched = parts.count == 1 && parts[0].batch != nil
    if !isBatched, let part = parts.first, let surplus = surplus(beyond: parts.count) {
      let table = TickerTable(failure: surplus, of: part)
      return ExchangeReport(exchange: exchange.name, market: market, GatheredTable(table, of: pair))
    }
    let tables = parts.enumerated().map { index, spec in
      let files = isBatched ? bodies[...] : bodies.dropFirst(index).prefix(1)
      if files.isEmpty {
        return TickerTable(failure: .noSavedResponse, of: spec)
      }
      return TablePlan(spec, market: market).table(
        saved: files.map { HTTPResponse(body: $0) }, lookups: lookups, request: request, options, option: "--response")
    }
    return ExchangeReport(
      exchange: exchange.name, market: market, GatheredTable(TickerTable(joining: tables), of: pair))
  }
}

extension AnswerFailure {
  /// No file was given for an answer.
  static var noSavedResponse: AnswerFailure {
    AnswerFailure(.noAnswer(.noResponse), "give its answer with --response FILE")
  }
}
