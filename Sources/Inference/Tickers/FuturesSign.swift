/// What says that rows are futures. Mistaking these for spot would silently compare the two.
package struct FuturesSign {
  private let symbol: SymbolProposal?
  private let columns: [SampleColumn]

  init(_ symbol: SymbolProposal?, _ columns: [SampleColumn]) { (self.symbol, self.columns) = (symbol, columns) }

  private var rules: [AffixedRule] { symbol?.rules ?? [] }

  /// What speaks for futures, if anything does, and whether it proves them; what does not is only worth a question.
  var evidence: (text: String, isProof: Bool)? { proof.map { ($0, true) } ?? question.map { ($0, false) } }

  /// The evidence that they are futures, so that amounts may count contracts; nil if there is none.
  var proof: String? {
    if case .settled? = rules.first?.rule { return "every symbol names its settlement currency" }
    let isProduct = { (affix: String) in Self.words(of: affix).contains(where: SampleColumn.futuresWords.contains) }
    if let part = commonPart(where: isProduct, \.parts) { return "every symbol has '\(part)'" }
    if let ending = symbol?.assetEnding, !ending.isEmpty { return "every asset has '\(ending)'" }
    // Some exchanges give all rows the members of both, with zeros in those of the other.
    let funding = columns.first { $0.leafName.has(.funding) && $0.filledShare >= 0.5 && $0.hasValues }
    return funding.map { "\($0.path.text) is a funding rate" }
  }

  /// What speaks for futures without proving them; nil if there is nothing.
  private var question: String? {
    // Contracts are open until they are closed; coins that were bought are not.
    let interest = columns.first {
      $0.plainName.contains("openinterest") && $0.filledShare >= 0.5 && $0.hasValues
    }
    return interest.map { "\($0.path.text) is the open interest" }
      ?? commonPart(where: Self.mayBeProduct, \.affixes).map { "every symbol has '\($0)'" }
  }

  /// Returns a part of the symbols that belongs to no code, if each rule has such a one.
  private func commonPart(where isWanted: (String) -> Bool, _ parts: (AffixedRule) -> [String]) -> String? {
    let found = rules.map { parts($0).first(where: isWanted) }
    return found.allSatisfy { $0 != nil } ? found.first ?? nil : nil
  }

  /// Returns whether an affix may be that of another product than spot: `M` of `XBTUSDTM`, `PF_` of `PF_XBTUSD`. Small
  /// letters before the codes only say that a pair follows: `t` of `tBTCUSD`; a name before a colon is the exchange's:
  /// `BINANCE:` of `BINANCE:BTCUSDT`.
  private static func mayBeProduct(_ affix: String) -> Bool {
    !affix.isEmpty && !affix.allSatisfy(\.isLowercase) && !affix.hasSuffix(":")
      && !words(of: affix).contains { $0.hasPrefix("SP") || ["TICKER", "MARKET"].contains($0) }
  }

  fileprivate static func words(of text: some StringProtocol) -> [String] {
    text.uppercased().split { !$0.isLetter }.map(String.init)
  }

  /// Returns the word of an address that names futures, as written there; nil if there is none.
  ///
  /// - Parameter address: host, path and query, whose names say nothing.
  package static func word(inAddress address: String) -> String? {
    let halves = address.split(separator: "?", maxSplits: 1)
    let query = halves.count > 1 ? halves[1].split(separator: "&") : []
    let words = (halves.prefix(1) + query.map { $0.drop { $0 != "=" } }).flatMap { $0.split { !$0.isLetter } }
    return words.contains { $0.lowercased() == "spot" }
      ? nil : words.first { wordsOfAddresses.contains($0.lowercased()) }.map(String.init)
  }

  private static let wordsOfAddresses: Set = [
    "future", "futures", "perp", "perps", "perpetual", "perpetuals", "swap", "swaps", "contract", "contracts", "linear",
    "inverse", "mix", "fapi", "dapi", "derivative", "derivatives",
  ]
}

extension AffixedRule {
  /// Whether the symbols it splits name a contract rather than a spot pair: `BTC_USDT_PERP`, `BTC/USDT:USDT`.
  var isOfFutures: Bool {
    if case .settled = rule { return true }
    return suffix.hasPrefix(":")
      || parts.contains { FuturesSign.words(of: $0).contains(where: SampleColumn.futuresWords.contains) }
  }

  /// An expression for the symbols that have its affixes.
  var outline: String {
    var middle = ".+"
    if case .settled(let separators) = rule { middle = separators.expression }
    if case .separator(let joint, _) = rule, joint.contains(where: \.isLetter) {
      middle += StreamInference.escaped(joint) + ".+"
    }
    return StreamInference.escaped(prefix) + middle + StreamInference.escaped(suffix)
  }

  fileprivate var affixes: [String] { [prefix, suffix] }

  fileprivate var parts: [String] {
    if case .separator(let joint, _) = rule { affixes + [joint] } else { affixes }
  }
}
