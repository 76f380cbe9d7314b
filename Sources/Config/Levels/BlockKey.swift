/// The keys that may stand on any level of an exchange.
package enum BlockKey: String, CaseIterable, Sendable {
  case baseUrls, headers, limit, success, request, rows, `where`, symbol, fields, lookups, aliases, multiplier
  case paymentCurrencies, staleAfter, hook, verified, note, set

  /// Objects whose members are merged one by one; everything else is replaced whole.
  package var mergesByMember: Bool {
    switch self {
    case .fields, .lookups, .headers, .aliases, .multiplier, .set: true
    default: false
    }
  }

  /// All but `set`, which only a `forEach` part has.
  static let names = allCases.filter { $0 != .set }.map(\.rawValue)

  /// Keys of later versions of the language.
  static let reserved = [
    "trades", "candles", "walletStatus", "balances", "auth", "streams", "columns",
  ]
}
