import Config
import Terminal
import Views

extension Option {
  static let exchange = Option(
    "exchange", short: "e", value: "A,B", help: "these exchanges only, in any letters")
}

extension ConfigLoader {
  /// The exchanges to ask: those that `--exchange` names, else all that are enabled.
  func chosenExchanges(_ invocation: Invocation, in context: Context) throws -> [Exchange] {
    let named = invocation.values(of: .exchange).flatMap { $0.split(separator: ",") }.map(String.init)
    guard invocation.has(.exchange) else {
      return configuration.exchanges.compactMap { exchange($0, in: context) }.filter(\.isEnabled)
    }
    guard !named.isEmpty else { throw UsageProblem.other("--exchange names no exchange") }
    var exchanges: [Exchange] = []
    var closed: [RetiredExchange] = []
    for name in named {
      if configuration.exchange(named: name) == nil, let retired = configuration.retiredExchange(named: name) {
        closed.append(retired)
        continue
      }
      let source = try source(named: name)
      guard let exchange = exchange(source, in: context), !exchanges.contains(where: { $0.name == exchange.name })
      else { continue }
      guard exchange.isEnabled else { throw UsageProblem.other("\(exchange.name) is switched off in the config") }
      exchanges.append(exchange)
    }
    // A closed exchange among others takes nothing away from them.
    let sentences = closed.map { TerminalText.sanitized($0.sentence) }
    if exchanges.isEmpty, !sentences.isEmpty { throw CommandError.noAnswer(sentences.joined(separator: "; ")) }
    for sentence in sentences { context.note(sentence) }
    return exchanges
  }

  /// The canonical name of an asset that the user wrote in any letters.
  func canonicalAsset(_ name: String) -> String {
    let upper = name.uppercased()
    return configuration.aliases[upper] ?? upper
  }
}
