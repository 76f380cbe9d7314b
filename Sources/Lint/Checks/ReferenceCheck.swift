import Config
import JSON

/// Names of rate providers and exchanges in the rates' part.
enum ReferenceCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    let providers = inspection.configuration.providerNames
    let exchanges = inspection.configuration.exchangeNames
    var result: [Finding] = []
    // A config of another version was not read at all: then its names lead nowhere, and nobody is helped by that.
    if providers.isEmpty, exchanges.isEmpty { return [] }
    for file in inspection.configuration.files {
      for route in file.root["fx"]?["routes"]?.members ?? [] {
        for rule in route.value["rules"]?.elements ?? [] {
          for key in ["use", "open"] {
            if let node = rule[key], let name = node.json.string, !providers.contains(name) {
              result.append(.unknownProvider(name, known: providers, at: node))
            }
          }
        }
      }
    }
    for provider in inspection.providers {
      guard case .ticker(let exchange, _) = provider.source, !exchanges.contains(exchange),
        let node = provider.node["ticker"]?["exchange"]
      else { continue }
      result.append(.unknownExchange(exchange, known: exchanges, at: node))
    }
    return result
  }
}
