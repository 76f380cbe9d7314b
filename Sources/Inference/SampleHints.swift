import JSONPath
package import Quotes

/// What somebody who knows the exchange says about a sample. It goes before all that is inferred, and is held against the
/// sample like everything else.
package struct SampleHints: Sendable {
  /// How the pair of a row is found.
  package struct Symbol: Sendable, Hashable {
    /// Path of the text that names the pair, below the row; `key` is the name of the row's own member.
    package var path: String?
    /// Paths of the two names, where each has a member of its own.
    package var asset: String?
    package var payment: String?
    /// A separator, or `payment`.
    package var split: String?
    package var isPaymentFirst = false
    package var prefix: String?
    package var suffix: String?
    /// The payment currencies as the exchange spells them; empty: those of the sample.
    package var payments: [String] = []

    package init() {}

    /// Whether the text comes apart as said, not as found.
    var hasRule: Bool { split != nil || prefix != nil || suffix != nil }
  }

  /// A pair that is in the sample, or that the sample is about.
  package var pair: Pair?
  /// Whether the rows are futures, whose volumes may count contracts.
  package var isFutures = false
  /// JSONPath of the rows.
  package var rows: String?
  package var symbol = Symbol()
  /// Codes that exchanges write and the names that they stand for, in capitals: XBT is BTC. Only the pair is held against the
  /// rows by them.
  package var aliases: [String: String] = [:]
  /// JSONPath below the row for each role that is known.
  package var paths: [Role: String] = [:]

  package init(pair: Pair? = nil) { self.pair = pair }
}

extension SampleHints {
  /// Whether two pairs are the same, however their currencies are written.
  package func areSame(_ one: Pair, _ other: Pair) -> Bool { canonical(one) == canonical(other) }

  private func canonical(_ pair: Pair) -> Pair {
    Pair(asset: aliases[pair.asset] ?? pair.asset, payment: aliases[pair.payment] ?? pair.payment)
  }

  /// Whether a text can be a path of the config.
  package static func isPath(_ text: String) -> Bool { (try? JSONPathQuery(text)) != nil }
}
