import Config
import Mapping
import Quotes

/// The exchange that a new one is like, and what of it can be proved.
struct LikeFamily {
  let exchange: Exchange
  let market: Market

  init(_ name: String, _ market: Market, in draft: ConfigDraft) throws {
    let configuration = try draft.configuration()
    guard let source = configuration.exchange(named: name) else {
      let near =
        Spelling.suggestion(for: name, among: configuration.exchangeNames).map { "; did you mean '\($0)'?" } ?? ""
      throw CommandError.noAnswer("there is no exchange '\(name)' to start from\(near)")
    }
    guard let exchange = configuration.read(source).exchange else {
      throw CommandError.noAnswer("'\(source.name)' is broken itself; see validate-config")
    }
    guard exchange.market(market) != nil else {
      throw CommandError.noAnswer("'\(exchange.name)' has no \(market.rawValue) market")
    }
    self.exchange = exchange
    self.market = market
  }

  /// Something that the exchange answers and a sample can be of.
  enum Part: Hashable {
    case place(SamplePreview.Place)
    case lookup(String)
  }

  private var tables: ExchangeMarket? { exchange.market(market) }

  /// All that may be given an answer: the parts of the table, those for one pair, the lookups.
  var parts: [Part] {
    let bulk = tables?.tickers ?? []
    let single = tables?.ticker ?? []
    return bulk.indices.map { .place(.table($0)) } + single.indices.map { .place(.single($0)) }
      + lookups.map { .lookup($0) }
  }

  /// The lookups that are asked for.
  private var lookups: [String] {
    var names: [String] = []
    for spec in (tables?.tickers ?? []) + (tables?.ticker ?? []) {
      for lookup in spec.lookups where lookup.request != nil && !names.contains(lookup.name) {
        names.append(lookup.name)
      }
    }
    return names
  }

  var hasOrderBook: Bool { tables?.orderbook != nil }

  /// How a part is called: `tickers`, `tickers linear`, `ticker`, `lookup contracts`.
  func name(of part: Part) -> String {
    switch part {
    case .place(.table(let index)): "tickers" + suffix(tables?.tickers, index)
    case .place(.single(let index)): "ticker" + suffix(tables?.ticker, index)
    case .lookup(let name): "lookup \(name)"
    }
  }

  private func suffix(_ specs: [TableSpec]?, _ index: Int) -> String {
    guard let specs, specs.count > 1, specs.indices.contains(index) else { return "" }
    return " " + Self.word(of: specs[index], among: specs, index)
  }

  /// What tells a part from the others: a value of its `set` that no other has, else its number.
  private static func word(of spec: TableSpec, among specs: [TableSpec], _ index: Int) -> String {
    let own = spec.set.first { item in
      specs.filter { $0.set.contains { $0.name == item.name && $0.value == item.value } }.count == 1
    }
    return own?.value ?? (spec.partName.isEmpty ? "\(index + 1)" : spec.partName)
  }

  /// What stands before an answer's place on the command line, and the part that it means: `linear=`, `ticker=`,
  /// `contracts=`.
  var labels: [(label: String, part: Part)] {
    var labels: [(label: String, part: Part)] = []
    let bulk = tables?.tickers ?? []
    let single = tables?.ticker ?? []
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
