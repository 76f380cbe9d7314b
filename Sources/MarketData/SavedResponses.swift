package import Config
import HTTP
package import Mapping
package import Quotes

/// Answers that the user has on disk, in place of asking the exchange.
package struct SavedResponses {
  private let lookups: [String: [UInt8]]
  /// In the order of the parts of the table, then of its batches.
  private let bodies: [[UInt8]]

  /// - Parameters:
  ///   - words: `FILE`, or `NAME=FILE` for the answer of a lookup.
  ///   - read: reads a file; `-` may be standard input.
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

  /// Reads the answers as the parts of one table.
  ///
  /// - Parameter now: fills templates; no check of times is made, since the arrival of a file is not known.
  package func report(
    on market: Market, of exchange: Exchange, parts: [TableSpec], pair: Pair?, now: Instant, _ options: Interpretation
  ) -> ExchangeReport {
    var gathered = GatheredTable()
    for (index, spec) in parts.enumerated() {
      let plan = TablePlan(spec, market: market, fields: TickerField.allCases.map(\.rawValue))
      var options = options
      options.partIndex = index
      let files = spec.batch == nil || parts.count > 1 ? bodies.dropFirst(index).prefix(1) : bodies[...]
      if files.isEmpty {
        let missing = TableFailure(.noAnswer("no-response"), "give its answer with --response FILE")
        gathered.table.failures.append(.init(part: plan.partName, failure: missing))
      }
      let states = Self.states(of: plan, lookups, options.hooks, option: "--response")
      for body in files {
        gathered.table.append(
          plan.interpret(
            HTTPResponse(body: body), request: RequestContext(pair: pair, now: now), lookups: states, options))
      }
    }
    gathered.table.flagDuplicates()
    return ExchangeReport(exchange: exchange.name, market: market, wanted: pair, gathered)
  }

  /// The lookups of a table out of saved answers, by name; of one that is missing its cells say how to give it.
  ///
  /// - Parameter option: which option takes such an answer.
  package static func states(
    of plan: TablePlan, _ lookups: [String: [UInt8]], _ hooks: HookRegistry, option: String
  ) -> [String: LookupState] {
    var states: [String: LookupState] = [:]
    for lookup in plan.spec.lookups where lookup.request != nil {
      // The keys of a batch are needed to ask, not to read.
      let isNeeded = plan.spec.batch?.lookup != lookup.name
      guard let body = lookups[lookup.name] else {
        let hint = TableFailure(.noAnswer("no-response"), "give its answer with \(option) \(lookup.name)=FILE")
        states[lookup.name] = isNeeded ? .failed(hint) : .notAsked
        continue
      }
      do {
        states[lookup.name] = .table(
          try LookupTable(lookup, answer: HTTPResponse(body: body), hooks: hooks))
      } catch {
        states[lookup.name] = .failed(error)
      }
    }
    return states
  }
}
