import Config
import MarketData
import Quotes

/// The names of currencies that a command takes.
struct Currencies {
  /// The money of states, and what else rate providers list: metals, the unit of the Monetary Fund, bitcoin.
  static let codes = FiatCurrency.codes.union(["BTC", "CLF", "GGP", "IMP", "JEP", "XAG", "XAU", "XDR", "XPD", "XPT"])

  private let configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// The canonical name of a currency that the user wrote in any letters.
  ///
  /// - Throws: `UsageProblem` with what was most likely meant, where there is no such currency.
  func canonical(_ name: String, _ config: LoadedConfig) throws(UsageProblem) -> String {
    let code = config.canonicalAsset(name)
    let known = Self.codes.union(configuration.settings.dollarTokens)
    if known.contains(code) || configured.contains(code) { return code }
    let all = known.union(configured).sorted()
    // Codes have three letters: one wrong, or two swapped, is a slip.
    let near = all.first { $0.count == code.count && Spelling.distance($0, code) == 1 }
    let hint = (near ?? Spelling.suggestion(for: code, among: all)).map { "; did you mean '\($0)'?" } ?? ""
    throw .other("unknown currency '\(name)'\(hint)")
  }

  /// Those that a route or a provider of the config names.
  private var configured: Set<String> {
    var names = Set(configuration.routes.flatMap { [$0.pattern.asset, $0.pattern.payment, $0.via] }.compactMap(\.self))
    for pattern in configuration.providerNames.flatMap({ configuration.readProvider($0).provider?.pairs ?? [] }) {
      names.formUnion([pattern.asset, pattern.payment].compactMap(\.self))
    }
    return names
  }
}
