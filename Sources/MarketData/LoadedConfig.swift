package import Config
import JSON
import Quotes

/// The config of a run, and where it was found.
package struct LoadedConfig: Sendable {
  package let configuration: Configuration
  package let found: ConfigLocator.Found

  /// - Parameter locator: Finds the shipped config if the file extends it.
  /// - Throws: An error if the config as a whole is unusable; a broken exchange does not cause one.
  package init(_ found: ConfigLocator.Found, _ locator: ConfigLocator) throws(ConfigProblem) {
    self.found = found
    let file = try found.file()
    let base = try file.extendsShipped ? locator.shipped(extendedBy: found.path) : nil
    do {
      configuration = try Configuration(file) { () throws(ConfigSyntaxError) in
        base ?? (try? locator.shipped().file()) ?? file
      }
    } catch {
      throw .syntax(error)
    }
    if configuration.diagnostics.contains(where: { $0.severity == .error }) {
      throw .invalid(configuration.diagnostics)
    }
  }

  /// Returns the canonical name of an asset entered in any case.
  package func canonicalAsset(_ name: String) -> String {
    let upper = name.uppercased()
    return configuration.aliases[upper] ?? upper
  }

  /// Returns the canonical name of what is paid with, entered in any case or by the name of the currency: `won`, `원`.
  package func canonicalPayment(_ name: String) -> String { FiatCurrency.code(named: name) ?? canonicalAsset(name) }
}

extension LoadedConfig {
  /// Returns the payment currencies of some exchanges, by their `paymentCurrencies`, with their counts, most common
  /// first, except that a dollar token that is nearly as common leads; of one exchange in its own order. Excludes
  /// `asset` itself, and for a dollar token everything but fiat money.
  package func commonPayments(of asset: String, on exchanges: [Exchange]) -> [(name: String, count: Int)] {
    let isDollar = configuration.settings.dollarTokens.contains(asset)
    var order: [String] = []
    var counts: [String: Int] = [:]
    for exchange in exchanges {
      var own: Set<String> = []
      for market in exchange.markets where market.isEnabled {
        for table in market.tickers + market.ticker {
          for currency in table.paymentCurrencies.flatMap(\.currencies) {
            let name = canonicalAsset(table.aliases.first { $0.from == currency }?.to ?? currency)
            guard name != asset, !isDollar || FiatCurrency.codes.contains(name), own.insert(name).inserted else {
              continue
            }
            if counts[name] == nil { order.append(name) }
            counts[name, default: 0] += 1
          }
        }
      }
    }
    // Ties are resolved by the order of the config: the standard library's sort is stable.
    var best = order.sorted { counts[$0, default: 0] > counts[$1, default: 0] }
    guard exchanges.count > 1 else { return best.map { ($0, 1) } }
    // A list says what an exchange may offer, not what it trades most, so the first dollar token that is nearly as
    // common takes precedence.
    let most = best.first.flatMap { counts[$0] } ?? 0
    let token = configuration.settings.dollarTokens.first { (counts[$0] ?? 0) * 4 >= most * 3 && counts[$0] != nil }
    if let token, let place = best.firstIndex(of: token) { best.insert(best.remove(at: place), at: 0) }
    return best.map { ($0, counts[$0] ?? 0) }
  }
}

// MARK: Exchanges named by users

/// Why an exchange named by the user cannot be used.
package enum ExchangeChoiceProblem: Error, Sendable {
  /// - file: The config in use.
  case unknown(name: String, suggestion: String?, known: [String], file: ConfigLocator.Found)
  /// A known exchange with a currency behind a colon, as some commands take: `upbit:KRW`.
  case withCurrency(typed: String, exchange: String)
  case retired(RetiredExchange)
  case disabled(name: String, file: String)
}

/// The exchanges to ask, and the requested ones that are unavailable.
package struct ExchangeChoice: Sendable {
  package fileprivate(set) var exchanges: [Exchange] = []
  /// Exchanges whose block cannot be read.
  package fileprivate(set) var broken: [UnreadableExchange] = []
  /// Exchanges that have closed; these do not affect the others.
  package fileprivate(set) var retired: [RetiredExchange] = []
}

extension LoadedConfig {
  /// Returns the exchange that the user means.
  package func source(named name: String) throws(ExchangeChoiceProblem) -> ExchangeSource {
    if let source = configuration.exchange(named: name) { return source }
    if let retired = configuration.retiredExchange(named: name) { throw .retired(retired) }
    let parts = name.split(separator: ":", maxSplits: 1)
    if parts.count == 2, let source = configuration.exchange(named: String(parts[0])) {
      throw .withCurrency(typed: name, exchange: source.name)
    }
    throw .unknown(
      name: name, suggestion: Spelling.suggestion(for: name, among: configuration.allNames),
      known: configuration.exchangeNames, file: found)
  }

  /// Returns the exchanges with these names, without duplicates; nil for all that are enabled.
  ///
  /// - Parameters:
  ///   - extent: How much of their blocks to read, as reading all of it takes as long as many a response.
  ///   - hooks: The names of the available hooks.
  package func exchanges(
    named names: [String]?, _ extent: ExchangeExtent, hooks: [String]
  ) throws(ExchangeChoiceProblem) -> ExchangeChoice {
    var choice = ExchangeChoice()
    func read(_ source: ExchangeSource) -> Exchange? {
      let (exchange, diagnostics) = configuration.read(source, extent, hooks: hooks)
      if exchange == nil { choice.broken.append(UnreadableExchange(name: source.name, diagnostics: diagnostics)) }
      return exchange
    }
    guard let names else {
      choice.exchanges = configuration.exchanges.compactMap(read).filter(\.isEnabled)
      return choice
    }
    for name in names {
      if configuration.exchange(named: name) == nil, let retired = configuration.retiredExchange(named: name) {
        choice.retired.append(retired)
        continue
      }
      guard let exchange = read(try source(named: name)),
        !choice.exchanges.contains(where: { $0.name == exchange.name })
      else { continue }
      guard exchange.isEnabled else { throw .disabled(name: exchange.name, file: found.path) }
      choice.exchanges.append(exchange)
    }
    return choice
  }
}
