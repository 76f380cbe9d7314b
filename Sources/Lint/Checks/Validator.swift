import Config
import HTTP

/// A validator that finds everything that is wrong with a config in one run: what reading reports, and what no single
/// block shows.
struct Validator {
  private let configuration: Configuration
  /// The compiled-in hooks; nil ignores unknown names.
  private let hooks: [String]?
  /// Computes known answers; nil skips them.
  private let crypto: (any Cryptography)?

  init(_ configuration: Configuration, hooks: [String]? = nil, crypto: (any Cryptography)? = nil) {
    (self.configuration, self.hooks, self.crypto) = (configuration, hooks, crypto)
  }

  /// The checks that look at more than one place.
  private static var checks: [any ConfigCheck.Type] {
    [
      ExchangeNameCheck.self, TextCheck.self, SecretCheck.self, SymbolRuleCheck.self, PaymentListCheck.self,
      ScaleCheck.self, AliasCheck.self, NetworkCheck.self, LooseEndCheck.self, MissingPartCheck.self, CostCheck.self,
      ReferenceCheck.self, RouteCheck.self, WatchlistCheck.self, SameRequestCheck.self, SamePlaceCheck.self,
      SwappedSidesCheck.self, MisnamedFieldCheck.self, ExchangedNamesCheck.self, ChangedOffersCheck.self,
      AskedPairCheck.self, IndexKeyCheck.self, KnownAnswerCheck.self, HiddenKeyCheck.self,
    ]
  }

  /// Returns every finding once, in the order of the files and their text.
  func findings() -> [Finding] {
    let reading = configuration.readWhole(hooks: hooks)
    let all = reading.findings
    // Keys that an exchange lacks because its base is missing are not findings of their own.
    let strays = all.filter { [.unknownExchange, .chainedLike].contains($0.code) }
    let orphans = configuration.exchanges.filter { source in strays.contains { source.owns($0.place) } }
    var result = all.filter { finding in finding.code != .missingKey || !orphans.contains { $0.owns(finding.place) } }
    var indexes = Dictionary(
      result.indices.map { (result[$0].withoutHeirs, $0) }, uniquingKeysWith: { first, _ in first })
    let inspection = Inspection(configuration, reading, hooks: hooks, crypto: crypto)
    for check in Self.checks {
      for finding in check.findings(in: inspection) {
        if let index = indexes[finding.withoutHeirs] {
          result[index].inheritors += finding.inheritors.filter { !result[index].inheritors.contains($0) }
        } else {
          indexes[finding.withoutHeirs] = result.count
          result.append(finding)
        }
      }
    }
    let known = Dictionary(grouping: result, by: \.code)
    result += OverriddenCheck.findings(in: inspection).filter { finding in
      known[finding.code]?.contains { $0.place == finding.place } != true
    }
    result += KindCheck.findings(in: configuration.files, besides: result)
    result = result.mergingMissingKeys(in: configuration.exchanges)
    return result.enumerated().sorted { order(of: $0) < order(of: $1) }.map(\.element)
  }

  private func order(of item: (offset: Int, element: Finding)) -> (Int, Int, Int) {
    let place = item.element.place
    let file = configuration.files.firstIndex { $0.source === place?.file } ?? configuration.files.count
    return (file, place?.range.lowerBound ?? 0, item.offset)
  }
}

/// A check for one kind of finding that depends on more than the place itself.
protocol ConfigCheck: Sendable {
  static func findings(in inspection: Inspection) -> [Finding]
}

extension Finding {
  fileprivate var withoutHeirs: Finding { inherited(by: []) }

  /// Returns the finding as one of an exchange, which inherits it if the text belongs to another.
  func found(in source: ExchangeSource) -> Finding { source.owns(place) ? self : inherited(by: [source.name]) }

  func inherited(by exchanges: [String]) -> Finding {
    var copy = self
    copy.inheritors = exchanges
    return copy
  }
}
