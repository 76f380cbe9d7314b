package import Config
import Hooks
import Lint
package import Mapping
package import MarketData
package import Quotes
package import Terminal
import Views

extension ConfigLocator {
  package init(_ context: Context) {
    self.init(
      environment: context.environment.lookup, userFolder: context.paths.config,
      executablePath: context.executablePath)
  }
}

extension LoadedConfig {
  /// Loads the config determined by the command line, the environment and the folders.
  package init(_ options: ConfigOptions, in context: Context) throws {
    let locator = ConfigLocator(context)
    let found = try locator.find(named: options.path)
    if options.isVerbose { context.note("config: \(found.path) (\(found.origin))") }
    try self.init(found, locator)
  }

  /// Reads an exchange's block, or the requested part of it; if it is broken, reports on stderr why it is skipped.
  package func exchange(_ source: ExchangeSource, _ extent: ExchangeExtent = .whole, in context: Context) -> Exchange? {
    let (exchange, diagnostics) = configuration.read(source, extent, hooks: HookRegistry.shipped.names)
    if exchange == nil { report([UnreadableExchange(name: source.name, diagnostics: diagnostics)], in: context) }
    return exchange
  }

  /// Reports on stderr why exchanges are skipped, with one finding per mistake, as in `validate-config`.
  package func report(_ broken: [UnreadableExchange], in context: Context) {
    guard !broken.isEmpty, let file = configuration.files.last else { return }
    let review = ConfigReview(
      file.source, builtin: configuration.files.first?.source ?? file.source, hooks: HookRegistry.shipped.names)
    for exchange in broken.prefix(Self.maximumReported) {
      context.note("\(exchange.name) is left out because its block is invalid:")
      let errors = review.errors(of: exchange.name)
      let shown = errors.isEmpty ? exchange.diagnostics.filter { $0.severity == .error } : errors
      for error in SourceDiagnostic.list(Array(shown.prefix(Self.maximumReported))) {
        context.errorOutput.write(context.redacted(error.rendered(palette: context.errorPalette(mode: .auto))))
      }
    }
    let more = broken.count - Self.maximumReported
    if more > 0 { context.note("\(more) more exchanges are left out; run: market validate-config\(found.option)") }
  }

  /// The limit for exchanges and for errors per exchange; more would push the actual output off the screen.
  private static let maximumReported = 20

  /// Returns the exchanges with these names, or else all enabled ones.
  package func chosenExchanges(_ names: [String]?, _ extent: ExchangeExtent, in context: Context) throws -> [Exchange] {
    try choice(of: names, extent, in: context).exchanges
  }

  private func choice(
    of names: [String]?, _ extent: ExchangeExtent, in context: Context
  ) throws -> ExchangeChoice {
    let choice = try exchanges(named: names, extent, hooks: HookRegistry.shipped.names)
    report(choice.broken, in: context)
    let sentences = choice.retired.map(\.sentence)
    if choice.exchanges.isEmpty, !sentences.isEmpty { throw CommandError.noAnswer(sentences.joined(separator: "; ")) }
    for sentence in sentences { context.note(sentence) }
    return choice
  }

  /// Returns the exchanges with these names, or else the enabled ones with an account that has what is asked for; and
  /// the names of those whose block is invalid, so that it is unknown whether theirs has.
  package func exchangesWithAccount(
    _ names: [String]?, in context: Context, has isOffered: (AccountSpec) -> Bool
  ) throws -> (exchanges: [Exchange], invalid: [String]) {
    let choice = try choice(of: names, ExchangeExtent(hasAccount: true), in: context)
    let exchanges = choice.exchanges.filter { names != nil || $0.account.map(isOffered) ?? false }
    // What is disabled is not missed.
    let invalid = choice.broken.map(\.name).filter { configuration.exchange(named: $0)?.isEnabled() != false }
    return (exchanges, invalid)
  }

  /// Returns the most common payment currency of some exchanges, for a command line that names none, and a note about
  /// the choice.
  ///
  /// - Parameters:
  ///   - exchanges: nil for all enabled ones.
  ///   - command: the command whose argument is missing.
  package func defaultPayment(
    of asset: String, _ exchanges: [Exchange]?, _ command: String
  ) throws(UsageProblem) -> (payment: String, note: String) {
    let exchanges = exchanges ?? enabledExchanges
    let payments = commonPayments(of: asset, on: exchanges)
    guard let (payment, count) = payments.first else {
      throw .other("missing argument PAYMENT; write the pair as BTC USDT or as BTC/USDT")
    }
    let reason =
      exchanges.count == 1
      ? "using \(payment), the main payment currency of \(exchanges[0].name)"
      : "using \(payment), in which \(count) of \(exchanges.count) exchanges have pairs"
    let other = payments.dropFirst().first?.name ?? "USD"
    return (
      payment,
      TerminalText.sanitized(
        "\(asset)/\(payment): \(reason); for another, run: market \(command) \(asset) \(other)")
    )
  }

  private var enabledExchanges: [Exchange] {
    configuration.exchanges.compactMap { configuration.read($0, ExchangeExtent()).exchange }.filter(\.isEnabled)
  }

  /// Returns the payment currencies that exchanges have for an asset.
  ///
  /// - Parameter exchanges: nil for all enabled ones.
  package func payments(of asset: String, on exchanges: [Exchange]?) -> [String] {
    commonPayments(of: asset, on: exchanges ?? enabledExchanges).map(\.name)
  }

  package func canonicalPair(_ pair: Pair) -> Pair {
    Pair(asset: canonicalAsset(pair.asset), payment: canonicalPayment(pair.payment))
  }

  /// The colors set in the config; nil for those of the locale.
  package var preferredScheme: ColorScheme? { ColorScheme(rawValue: configuration.settings.colors) }
}

extension ExchangeChoiceProblem {
  /// - Parameter command: The one that was run; nil if unknown.
  func commandError(of command: Command?) -> any Error {
    switch self {
    case .retired(let exchange): return CommandError.noAnswer(exchange.sentence)
    case .withCurrency(let typed, let exchange):
      let hasPair = command?.arguments.contains { [.pair, .payment].contains($0.kind) } ?? false
      let reason = hasPair ? "the currency belongs in the pair: " : ""
      return UsageProblem.other("invalid exchange '\(typed)'; \(reason)write \(exchange) alone")
    case .disabled(let name, let file): return UsageProblem.other("exchange '\(name)' is disabled in \(file)")
    case .unknown(let name, let suggestion, let known, let file):
      let words = name.split(separator: " ")
      let list = words.count > 1 ? "separate exchanges with a comma: \(words.joined(separator: ","))" : nil
      // `market list BTC`
      let takesExchange = command?.arguments.contains { $0.isOptional && $0.kind == .exchange } ?? false
      let mayMeanAsset = takesExchange && Pair.isName(name)
      let all =
        switch known.count {
        case 0: "it has no exchanges"
        case 1...8: "expected \(known.listed("or"))"
        default:
          "list them with: market exchanges\(file.option)"
            + (mayMeanAsset ? ", or look for pairs with: market search \(name.shellWord)\(file.option)" : "")
        }
      let hint = suggestion.map { "did you mean '\($0)'?" } ?? list ?? all
      return UsageProblem.other("unknown exchange '\(name)' in \(file.path); \(hint)")
    }
  }
}

extension Exchange {
  /// Returns the market, or all of them if none is named.
  ///
  /// - Throws: if there is none.
  @discardableResult
  package func requireMarkets(_ wanted: Market?) throws(UsageProblem) -> [ExchangeMarket] {
    let found = markets.filter { wanted == nil || $0.market == wanted }
    guard !found.isEmpty else { throw .other("\(name) has no market '\(wanted?.rawValue ?? "")' in the config") }
    return found
  }
}

extension HookRegistry {
  /// The hooks that are compiled in.
  package static let shipped = HookRegistry(shippedHooks)
}
