package struct TableSpec: Sendable {
  /// The exchange's or rate provider's name.
  package let owner: String
  /// Constants of a `forEach` part, in the order written: they name the part in messages.
  package var set: [(name: String, value: String)] = []

  package var baseURLs: [String] = []
  package var headers: [(name: String, value: Template)] = []
  package var limit: LimitSpec?
  package var request: RequestSpec
  package var batch: BatchSpec?
  package var success = SuccessSpec()
  package var rows: RowsSpec
  package var conditions: [ConditionSpec] = []
  package var symbol: SymbolSpec
  package var fields: [String: ValueSpec] = [:]
  package var lookups: [LookupSpec] = []
  package var aliases: [(from: String, to: String)] = []
  package var multipliers: [Multiplier] = []
  package var paymentCurrencies: [PaymentGroup] = []
  /// How old a quote may be; nil: as old as the settings say.
  package var staleAfterMilliseconds: Int?
  package var hook: String?
  package var verified: String?
  package var note: String?
  /// Whether every level that this table is made of may receive secrets.
  package var isTrusted = true
  /// Where the nearest block begins.
  package let node: ConfigNode
  /// The merged text, for checks that ask where something was written.
  package var block: Block?

  /// True where this part can hold a pair with that payment currency, as the exchange or anyone spells it. A part without
  /// a list can hold any.
  package func canHold(payment: String, globalAliases: [String: String]) -> Bool {
    guard !paymentCurrencies.isEmpty else { return true }
    return paymentCurrencies.contains { group in
      group.currencies.contains { currency in
        let own = aliases.first { $0.from == currency }?.to ?? currency.uppercased()
        return currency.uppercased() == payment || (globalAliases[own] ?? own) == payment
      }
    }
  }
}
