import Config
import JSON
import Quotes

/// A lookup with its paths numbered.
struct LookupPlan: Sendable {
  let spec: LookupSpec
  /// The row's value to look for; its paths are the table's.
  let match: ValuePlan

  init(_ spec: LookupSpec, book: inout PathBook, lookups: [String]) {
    self.spec = spec
    match = ValuePlan(spec.match, book: &book, lookups: lookups)
  }
}

/// What is known of a lookup when rows are read.
package enum LookupState: Sendable {
  case table(LookupTable)
  /// It was asked for in vain.
  case failed(TableFailure)
  /// No wanted cell needs it.
  case notAsked
}
