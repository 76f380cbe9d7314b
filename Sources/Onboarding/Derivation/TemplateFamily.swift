import Config
import Mapping
import Quotes

/// The exchange that a new one resembles, and which parts of it can be proved.
struct TemplateFamily {
  let exchange: Exchange
  let market: Market

  init(_ name: String, _ market: Market, in draft: ConfigDraft) throws(OnboardingProblem) {
    let configuration = try draft.configuration()
    guard let source = configuration.exchange(named: name) else {
      throw .unknownExchange(
        name, path: draft.path, suggestion: Spelling.suggestion(for: name, among: configuration.exchangeNames))
    }
    guard let exchange = configuration.read(source).exchange else { throw .brokenExchange(source.name) }
    guard exchange.market(market) != nil else { throw .noMarket(market, of: exchange.name) }
    (self.exchange, self.market) = (exchange, market)
  }

  /// An endpoint that a sample can come from.
  enum Part: Hashable {
    case place(SamplePreview.Place)
    case lookup(String)

    /// Whether its answer is about all pairs.
    var isOfTable: Bool { if case .place(.table) = self { true } else { false } }
  }

  private var tables: ExchangeMarket? { exchange.market(market) }
  private var bulk: [TableSpec] { tables?.tickers ?? [] }
  private var single: [TableSpec] { tables?.ticker ?? [] }

  /// All parts that answers can be given for: those of the table, those for one pair, the lookups.
  var parts: [Part] {
    bulk.indices.map { .place(.table($0)) } + single.indices.map { .place(.single($0)) }
      + lookups.map { .lookup($0) }
  }

  /// The lookups that need a request.
  private var lookups: [String] {
    (bulk + single).flatMap(\.lookups).filter { $0.request != nil }.map(\.name).unique
  }

  var blocks: [BlockKind] { tables?.blocks ?? [] }

  /// Returns the name of a part: `tickers`, `tickers linear`, `ticker`, `lookup contracts`.
  func name(of part: Part) -> String {
    switch part {
    case .place(.table(let index)): "tickers" + suffix(bulk, index)
    case .place(.single(let index)): "ticker" + suffix(single, index)
    case .lookup(let name): "lookup \(name)"
    }
  }

  private func suffix(_ specs: [TableSpec], _ index: Int) -> String {
    specs.count > 1 && specs.indices.contains(index) ? " " + Self.word(of: specs[index], among: specs, index) : ""
  }

  /// Returns what distinguishes a part from the others: a unique value in its `set`, or else its number.
  private static func word(of spec: TableSpec, among specs: [TableSpec], _ index: Int) -> String {
    let own = spec.set.first { item in
      specs.count { $0.set.contains { $0.name == item.name && $0.value == item.value } } == 1
    }
    return own?.value ?? (spec.partName.isEmpty ? "\(index + 1)" : spec.partName)
  }

  /// The labels before an answer's source on the command line, and their parts: `linear=`, `ticker=`, `contracts=`.
  var labels: [(label: String, part: Part)] {
    var labels: [(label: String, part: Part)] = []
    for (index, spec) in bulk.enumerated() {
      let part = Part.place(.table(index))
      if bulk.count > 1 {
        labels.append((Self.word(of: spec, among: bulk, index), part))
        if !spec.partName.isEmpty { labels.append((spec.partName, part)) }
        labels.append(("\(index + 1)", part))
      } else {
        labels.append(("tickers", part))
      }
    }
    for (index, spec) in single.enumerated() {
      let part = Part.place(.single(index))
      labels.append((single.count > 1 ? "ticker-" + Self.word(of: spec, among: single, index) : "ticker", part))
    }
    return labels + lookups.map { ($0, .lookup($0)) }
  }
}
