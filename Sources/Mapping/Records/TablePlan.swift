package import Config
package import HTTP
package import Quotes

/// A compiled table of tickers.
package final class TablePlan: Sendable {
  package let spec: TableSpec
  package let market: Market
  let record: RecordPlan<TickerField>

  /// - Parameter usesScan: false reads every response through a tree: see ``RecordPlan``.
  package init(_ spec: TableSpec, market: Market, usesScan: Bool = true) {
    self.spec = spec
    self.market = market
    var records = RecordSpec(spec)
    records.requiredLookups = spec.lookupsOfNames
    records.mayBeEmpty = spec.isOptional
    record = RecordPlan(records, of: spec, market: market, usesScan: usesScan)
  }

  /// Whether the mapping reads responses in one pass.
  package var isScanned: Bool { record.scan != nil }

  /// Returns the figures of a row that the checks of meaning compare with others.
  package func comparedFields(of ticker: Ticker) -> TickerFields {
    MeaningCheck.comparedFields(
      of: ticker, changeIsFromOpen: record.changeIsFromOpen, turnoverIsComputed: record.turnoverIsComputed)
  }

  // MARK: Lookups

  /// The lookups without which there are no rows: those that conditions, symbols and batches read, and those that such
  /// a lookup's `match` reads.
  package var requiredLookups: Set<String> { record.requiredLookups }

  /// The lookups to request whatever fields are wanted: also those that only conditions read, and can do without.
  package var requestedLookups: Set<String> {
    spec.lookups.names(behind: spec.lookupsOfNames.union(spec.conditions.flatMap(\.value.lookupNames)))
  }

  /// Returns the lookups that these fields read.
  package func lookups(for fields: some Sequence<TickerField>) -> Set<String> {
    spec.lookups.names(behind: fields.reduce(into: []) { $0.formUnion(spec.fields[$1.rawValue]?.lookupNames ?? []) })
  }

  // MARK: Reading

  /// Reads one response.
  ///
  /// - Parameters:
  ///   - request: the context of the request; if it is for one pair, rows of others are dropped.
  ///   - lookups: the state of each lookup, by name.
  /// - Returns: the rows, or one failure with its reason; a single bad row is never an error.
  package func interpret(
    _ answer: HTTPResponse, request: RequestContext, lookups: [String: LookupState], _ options: Interpretation
  ) -> TickerTable {
    let context = ReadingContext(request, lookups: lookups, hooks: options.hooks)
    var options = options
    options.check.answerMade = answer.made
    do {
      var table = try record.read(
        answer, context, TickerReader(plan: self, pair: request.pair, options: options, arrival: answer.arrival))
      table.answered = 1
      return table
    } catch {
      return TickerTable(failure: error, of: spec)
    }
  }
}

/// The options for reading a response.
package struct Interpretation: Sendable {
  /// Aliases of assets, for every exchange.
  package var globalAliases: [String: String]
  package var check: MeaningCheck
  package var hooks: HookRegistry
  /// Whether each row should explain its cells.
  package var traces: Bool
  /// Whether to report symbols that no rule splits even if only one pair is wanted, which requires a look at every row.
  package var namesUnsplit = false
  /// The pairs that are asked for by name in a table of all pairs: it says of which of them conditions drop a row.
  package var sought: Set<Pair> = []

  package init(
    globalAliases: [String: String] = [:], check: MeaningCheck, hooks: HookRegistry = HookRegistry(),
    traces: Bool = false
  ) {
    self.globalAliases = globalAliases
    self.check = check
    self.hooks = hooks
    self.traces = traces
  }

  /// Creates the one that a config asks for.
  package init(_ configuration: Configuration, hooks: HookRegistry, traces: Bool = false) {
    self.init(
      globalAliases: configuration.aliases, check: MeaningCheck(configuration.settings), hooks: hooks, traces: traces)
  }
}

extension [LookupSpec] {
  /// Returns these names and those of the lookups that their own `match` values read.
  func names(behind names: Set<String>) -> Set<String> {
    var result = names
    for lookup in reversed() where result.contains(lookup.name) {
      result.formUnion(lookup.match.lookupNames)
    }
    return result == names ? result : self.names(behind: result)
  }
}

extension TableSpec {
  /// The lookups that the names of pairs read: symbols, and the keys of a batch.
  fileprivate var lookupsOfNames: Set<String> {
    Set(symbol.values.flatMap(\.lookupNames) + (batch.map { [$0.lookup] } ?? []))
  }

  /// The lookups that the rows of a block about one pair read.
  package var lookupsOfRows: Set<String> {
    lookups.names(behind: Set((conditions.map(\.value) + Array(fields.values)).flatMap(\.lookupNames)))
  }

  /// The part's name in messages, from its `set`.
  package var partName: String { self.set.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }
}

extension TablePlan {
  /// Returns the table read from saved responses to one request.
  ///
  /// - Parameters:
  ///   - lookups: saved responses of lookups, by name; cells that need a missing one explain how to provide it.
  ///   - option: the option that takes such a response.
  package func table(
    saved answers: [HTTPResponse], lookups: [String: [UInt8]], request: RequestContext, _ options: Interpretation,
    option: String
  ) -> TickerTable {
    let states = spec.lookupStates(saved: lookups, options.hooks, option: option)
    return answers.reduce(into: TickerTable()) { table, answer in
      table.append(interpret(answer, request: request, lookups: states, options))
    }
  }
}

extension TableSpec {
  /// Returns the state of its lookups given their saved responses.
  ///
  /// - Parameters:
  ///   - lookups: saved responses, by name; cells that need a missing one explain how to provide it.
  ///   - option: the option that takes such a response.
  package func lookupStates(
    saved lookups: [String: [UInt8]], _ hooks: HookRegistry, option: String
  ) -> [String: LookupState] {
    var states: [String: LookupState] = [:]
    for lookup in self.lookups where lookup.request != nil {
      guard let body = lookups[lookup.name] else {
        // The keys of a batch are needed for the request, not for reading.
        let isNeeded = batch?.lookup != lookup.name
        let hint = AnswerFailure(.noAnswer(.noResponse), "give its answer with \(option) \(lookup.name)=FILE")
        states[lookup.name] = isNeeded ? .failed(hint) : .notRequested
        continue
      }
      do {
        states[lookup.name] = .table(try LookupTable(lookup, answer: HTTPResponse(body: body), hooks: hooks))
      } catch {
        states[lookup.name] = .failed(error)
      }
    }
    return states
  }
}

extension MeaningCheck {
  package init(_ settings: Settings) {
    self.init(staleAfterMilliseconds: settings.staleAfterMilliseconds, identityPercent: settings.identityPercent)
  }

  /// Returns the check for a table's responses, which may set their own maximum age.
  package func adapted(to table: TableSpec) -> MeaningCheck {
    var check = self
    if let own = table.staleAfterMilliseconds { check.staleAfterMilliseconds = own }
    return check
  }
}
