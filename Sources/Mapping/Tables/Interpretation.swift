package import Quotes

/// How an answer is to be read.
package struct Interpretation: Sendable {
  /// Rows of other pairs are passed over; nil reads every row.
  package var wanted: Pair?
  /// Other names of an asset, for every exchange.
  package var globalAliases: [String: String]
  package var check: MeaningCheck
  package var hooks: HookRegistry
  /// Whether each row shall say how its cells came to be.
  package var traces: Bool
  /// Whether symbols that no rule splits are named even where one pair is wanted, which costs a look at every row.
  package var namesUnsplit = false
  /// The place of this part among the parts of its table: the rank of its products.
  package var partIndex = 0

  package init(
    wanted: Pair? = nil, globalAliases: [String: String] = [:], check: MeaningCheck,
    hooks: HookRegistry = HookRegistry(),
    traces: Bool = false
  ) {
    self.wanted = wanted
    self.globalAliases = globalAliases
    self.check = check
    self.hooks = hooks
    self.traces = traces
  }
}
