import Catalog
import Terminal

extension Option {
  static let exchange = Option(
    "exchange", short: "e", value: "A,B", help: "these exchanges only, in any letters")
}

extension ConfigLoader {
  /// The venues to ask: those that `--exchange` names, else all that are enabled.
  func chosenVenues(_ invocation: Invocation, in context: Context) throws -> [Venue] {
    let named = invocation.values(of: .exchange).flatMap { $0.split(separator: ",") }.map(String.init)
    guard invocation.has(.exchange) else {
      return catalog.venues.compactMap { venue($0, in: context) }.filter(\.isEnabled)
    }
    guard !named.isEmpty else { throw UsageProblem.other("--exchange names no exchange") }
    var venues: [Venue] = []
    var closed: [RetiredVenue] = []
    for name in named {
      if catalog.venue(named: name) == nil, let retired = catalog.retiredVenue(named: name) {
        closed.append(retired)
        continue
      }
      let source = try source(named: name)
      guard let venue = venue(source, in: context), !venues.contains(where: { $0.name == venue.name }) else { continue }
      guard venue.isEnabled else { throw UsageProblem.other("\(venue.name) is switched off in the config") }
      venues.append(venue)
    }
    // A closed exchange among others takes nothing away from them.
    let sentences = closed.map { TerminalText.sanitized($0.sentence) }
    if venues.isEmpty, !sentences.isEmpty { throw CommandError.noAnswer(sentences.joined(separator: "; ")) }
    for sentence in sentences { context.note(sentence) }
    return venues
  }

  /// The canonical name of an asset that the user wrote in any letters.
  func canonicalAsset(_ name: String) -> String {
    let upper = name.uppercased()
    return catalog.aliases[upper] ?? upper
  }
}
