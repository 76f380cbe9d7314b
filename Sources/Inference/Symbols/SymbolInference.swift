import Config
import Quotes

/// Finds where a row names its pair, and how the symbol is split.
struct SymbolInference {
  private let rows: SampleRows
  private let hints: SampleHints
  private var wanted: Pair? { hints.pair }

  init(_ rows: SampleRows, _ hints: SampleHints) { (self.rows, self.hints) = (rows, hints) }

  func proposal() -> SymbolProposal? {
    let texts = texts().compactMap { proposal(for: $0) }
    let others = [ownKeys(), request()].compactMap(\.self)
    // Where anything names the pair, two columns of currencies may be those of fees or margins.
    let own = ownFields(readsCodes: !(texts + others).contains(where: \.isSure))
    var found = texts + [own].compactMap(\.self) + others
    found.removeAll(where: namesPaymentAlone)
    found.sort { rank($0) > rank($1) }
    guard var best = found.first else { return nil }
    if found.count > 1 { checkAgainst(found[1], &best) }
    checkUniqueness(&best)
    checkWanted(&best)
    checkOwnPayment(&best)
    checkOwnAsset(&best)
    checkOrder(&best)
    return best
  }

  /// Returns whether the symbol of the only row is the payment currency of the pair it is known to be about.
  private func namesPaymentAlone(_ proposal: SymbolProposal) -> Bool {
    guard let wanted, rows.nodes.count == 1, rows.shape == .single, let rule = proposal.rules.first?.rule,
      case .asset = rule, let pair = proposal.pairs.first.flatMap(\.self)
    else { return false }
    return hints.areSame(
      Pair(asset: pair.asset, payment: wanted.payment), Pair(asset: wanted.payment, payment: wanted.payment))
  }

  private func rank(_ proposal: SymbolProposal) -> Double {
    let fits = Double(proposal.knownPairs.count) / Double(max(1, proposal.pairs.count))
    // A separator shows where to split.
    return min(proposal.assetConfidence, proposal.paymentConfidence + 0.2) + 0.3 * fits
      - (proposal.isSplitAtPayment ? 0.06 : 0)
  }

  // MARK: Single texts

  private struct Text {
    let source: SymbolProposal.Source
    let values: [String?]
    /// The credit for the place itself.
    let bonus: Double
  }

  private func texts() -> [Text] {
    var texts: [Text] = []
    if !rows.keys.isEmpty { texts.append(Text(source: .key, values: rows.keys, bonus: 0.03)) }
    for column in rows.columns.prefix(60) {
      let present = column.presentTexts
      guard !column.hasFlags else { continue }
      // `N/A` is not a pair of N and A.
      guard !present.contains(where: ValueSpec.defaultMissing.contains) else { continue }
      guard Double(present.count) >= 0.9 * Double(column.texts.count), !present.isEmpty else { continue }
      guard column.numbers.count(where: { $0 != nil }) * 2 < present.count else { continue }
      // A time in text form has separators as well.
      guard TimeRole.form(of: present) == nil else { continue }
      let distinct = Set(present).count
      guard distinct * 10 >= present.count * 8 else { continue }
      let name = column.leafName
      let isNamed = name.has(.symbol)
      let isOther = name.hasAny([.name, .time, .status]) && !isNamed
      texts.append(
        Text(
          source: .path(column.path.text), values: column.texts,
          bonus: (isNamed ? 0.03 : 0) - (isOther ? 0.03 : 0) - 0.005 * Double(column.path.steps.count)))
    }
    return texts
  }

  private func proposal(for text: Text) -> SymbolProposal? {
    let present = text.values.compactMap(\.self)
    guard var result = SymbolSplitter(present).result() else { return nil }
    result.keep(isFutures: hints.isFutures)
    // The other currency is the name of what contains the row.
    if text.source == .key, !rows.outerKeys.isEmpty, case .asset? = result.rules.first?.rule { return nil }
    var paymentConfidence = result.confidence
    for index in result.rules.indices {
      guard case .asset = result.rules[index].rule else { continue }
      let (payment, sure, reason) = commonPayment(of: present)
      result.rules[index].rule = .asset(payment: payment)
      paymentConfidence = sure
      result.evidence.append(reason)
    }
    let pairs = text.values.map { value in
      value.flatMap { result.pair(of: $0) }.map { Pair(asset: $0.asset, payment: $0.payment) }
    }
    return SymbolProposal(
      source: text.source, rules: result.rules, skips: result.skips, skipsRest: result.skipsRest,
      assetConfidence: min(0.99, result.confidence + text.bonus),
      paymentConfidence: min(0.99, paymentConfidence + text.bonus), evidence: result.evidence,
      example: present.first ?? "", pairs: pairs)
  }

  /// Returns the payment currency of rows that only name their asset.
  ///
  /// - Parameter names: what each row names, if it names only one currency.
  private func commonPayment(of names: [String]) -> (payment: String?, confidence: Double, evidence: String) {
    if let wanted, nameMoney(names, wanted) {
      return (nil, 0, "the rows seem to name the currencies that \(wanted.asset) is priced in")
    }
    if rows.isJoined { return (nil, 0, "no row names the payment currency, and there are several lists of rows") }
    if let wanted {
      guard !isOneOfSeveral(wanted.payment) else { return (nil, 0, "the rows are paid in several currencies") }
      return (wanted.payment, 0.95, "all rows are paid in \(wanted.payment), like the given pair")
    }
    for name in rows.path.names.reversed() {
      let code = name.uppercased()
      if CurrencyCode.isPayment(code) { return (code, 0.8, "'\(name)' leads to the rows") }
    }
    return (nil, 0, "no row names the payment currency")
  }

  /// Returns whether rows name the currencies that the given asset is priced in: that of the given pair is among several
  /// and has no price of about 1, as it would have in itself, or most are money.
  private func nameMoney(_ names: [String], _ wanted: Pair) -> Bool {
    func isMoney(_ name: String) -> Bool { CurrencyCode.rank(of: name.uppercased()) == 5 }
    let money = names.count(where: isMoney)
    guard money >= 3, !isMoney(wanted.asset) else { return false }
    guard names.count == rows.nodes.count,
      let own = names.firstIndex(where: { $0.uppercased() == wanted.payment.uppercased() })
    else { return money * 2 > names.count }
    // A token of dollars is paid for with a little more or less than one.
    return !rows.columns.contains { $0.numbers[own].map { ($0 - 1).magnitude <= 0.01 } ?? false }
  }

  /// Returns whether a column has this payment currency in some rows and others in the rest.
  private func isOneOfSeveral(_ payment: String) -> Bool {
    rows.columns.contains { column in
      let codes = Set(column.presentTexts.map { $0.uppercased() })
      return codes.count > 1 && codes.contains(payment) && codes.allSatisfy(CurrencyCode.isPayment)
    }
  }

  // MARK: Separate fields

  /// - Parameter readsCodes: whether the codes alone may show that two columns are the currencies of a pair.
  private func ownFields(readsCodes: Bool) -> SymbolProposal? {
    let columns = rows.columns.map { $0.dropping($0.futuresEnding) }.filter { column in
      let present = column.presentTexts
      return !column.hasFlags && Double(present.count) >= 0.95 * Double(column.texts.count)
        && present.allSatisfy { text in
          (2...12).contains(text.utf8.count) && text.contains(where: \.isLetter)
            && text.allSatisfy { $0.isLetter || $0.isNumber }
        }
    }
    var best: (asset: SampleColumn, payment: SampleColumn, score: Double, doubt: String?)?
    for asset in columns {
      for payment in columns where payment.path != asset.path {
        guard zip(asset.texts, payment.texts).allSatisfy({ $0 != $1 }), !Self.isWhole(asset, payment) else { continue }
        let name = nameOfAsset(asset) * nameOfPayment(payment)
        let isNumbered = name < 0.3 && Self.areNumbered(asset, payment)
        let isCoded = name < 0.3 && !isNumbered && readsCodes && Self.areCurrencies(asset, payment)
        let score = (isNumbered ? 0.3 : isCoded ? 0.25 : name) + likeness(asset, payment)
        let doubt = isNumbered ? "numbers" : isCoded ? "codes" : nil
        if score > 0.3, best.map({ score > $0.score }) ?? true { best = (asset, payment, score, doubt) }
      }
    }
    guard let best else { return nil }
    let pairs = zip(best.asset.texts, best.payment.texts).map { asset, payment -> Pair? in
      guard let asset, let payment else { return nil }
      return Pair(asset: asset.uppercased(), payment: payment.uppercased())
    }
    // Which of `token0` and `token1` is paid for is not said: the price may be that of either in the other.
    let isSaid = best.doubt == nil || wanted.map { wanted in pairs.contains { $0 == wanted } } ?? false
    let confidence = min(isSaid ? 0.97 : 0.7, 0.6 + best.score * 0.4)
    func ending(of column: SampleColumn) -> String {
      rows.columns.first { $0.path == column.path }?.futuresEnding ?? ""
    }
    guard ending(of: best.payment).isEmpty else { return nil }
    return SymbolProposal(
      source: .own(asset: best.asset.path.text, payment: best.payment.path.text, symbol: symbolPath(of: pairs)),
      assetEnding: ending(of: best.asset), assetConfidence: confidence, paymentConfidence: confidence,
      evidence: ["asset and payment currency have their own fields"]
        + (isSaid ? [] : [best.doubt].compactMap(\.self).map { "only their \($0) tell them apart" }),
      example: "\(best.asset.texts.first.flatMap(\.self) ?? "") / \(best.payment.texts.first.flatMap(\.self) ?? "")",
      pairs: pairs)
  }

  /// Returns the proposal for rows that are members of members, named after either currency.
  private func ownKeys() -> SymbolProposal? {
    guard rows.outerKeys.count == rows.keys.count, !rows.keys.isEmpty,
      (rows.keys + rows.outerKeys).allSatisfy({ name in
        2...12 ~= name.utf8.count && name.allSatisfy { $0.isLetter || $0.isNumber }
      }), !Self.areWhole(rows.keys, rows.outerKeys), !Self.areWhole(rows.outerKeys, rows.keys)
    else { return nil }
    let (outer, inner) = (rows.outerKeys.map { $0.uppercased() }, rows.keys.map { $0.uppercased() })
    /// Payment currencies are well-known and, if both are, the fewer.
    func likeness(_ payments: [String], _ assets: [String]) -> Double {
      let distinct = Set(payments)
      let known = Double(distinct.count(where: CurrencyCode.isPayment)) / Double(distinct.count)
      let isMoney = CurrencyCode.rank(of: payments[0]) > CurrencyCode.rank(of: assets[0])
      return known + (distinct.count < Set(assets).count ? 0.2 : 0) + (isMoney ? 0.1 : 0)
    }
    func pairs(_ outerIsAsset: Bool) -> [Pair] {
      zip(outer, inner).map { Pair(asset: outerIsAsset ? $0 : $1, payment: outerIsAsset ? $1 : $0) }
    }
    func isWanted(_ pairs: [Pair]) -> Bool {
      wanted.map { wanted in pairs.contains { hints.areSame($0, wanted) } } ?? false
    }
    let (outerFirst, innerFirst) = (likeness(inner, outer), likeness(outer, inner))
    let outerIsAsset = isWanted(pairs(true)) || !isWanted(pairs(false)) && outerFirst >= innerFirst
    let score = outerIsAsset ? outerFirst : innerFirst
    guard score >= 0.5 else { return nil }
    let confidence = score >= 1 ? 0.95 : 0.7
    return SymbolProposal(
      source: .keys(outerIsAsset: outerIsAsset), assetConfidence: confidence, paymentConfidence: confidence,
      evidence: ["asset and payment currency are the names of the rows and of what contains them"],
      example: "\(rows.outerKeys[0]) / \(rows.keys[0])", pairs: pairs(outerIsAsset))
  }

  /// Returns whether most names begin or end with the other name, so that they are whole pairs.
  private static func areWhole(_ names: [String], _ others: [String]) -> Bool {
    let whole = zip(names, others).filter { name, other in
      name.count >= other.count + 2 && (name.hasSuffix(other) || name.hasPrefix(other))
    }
    return whole.count * 2 > names.count
  }

  /// Returns whether the supposed asset contains the payment currency as well, so that it is the symbol.
  private static func isWhole(_ asset: SampleColumn, _ payment: SampleColumn) -> Bool {
    let both = bothKnown(asset.texts, payment.texts)
    let whole = both.filter { $0.count > $1.count && ($0.hasSuffix($1) || $0.hasPrefix($1)) }
    return whole.count * 10 >= both.count * 8
  }

  /// Returns whether the names of two columns differ only in a digit, the second one being that of a later number.
  private static func areNumbered(_ first: SampleColumn, _ second: SampleColumn) -> Bool {
    let names = [first, second].map { $0.path.names.joined(separator: ".") }
    guard names[0].count == names[1].count else { return false }
    let different = zip(names[0], names[1]).filter { $0 != $1 }
    guard different.count == 1, let (one, other) = different.first else { return false }
    return one.isNumber && other.isNumber && one < other
  }

  /// Returns whether all of one column are payment currencies, and at least half of the other, of which there are more,
  /// known ones, in another combination in each row: the currencies of a pair, whatever the columns are called.
  private static func areCurrencies(_ assets: SampleColumn, _ payments: SampleColumn) -> Bool {
    let others: [NameWord] = [.volume, .count, .time, .status, .fee]
    guard !assets.wholeName.hasAny(others), !payments.wholeName.hasAny(others), assets.texts.count >= 3 else {
      return false
    }
    let paid = payments.presentTexts.map { $0.uppercased() }
    guard paid.allSatisfy(CurrencyCode.isPayment) else { return false }
    let coins = assets.presentTexts.map { $0.uppercased() }
    let pairs = Set(bothKnown(assets.texts, payments.texts).map { Pair(asset: $0, payment: $1) })
    return Set(coins).count > Set(paid).count && coins.count(where: CurrencyCode.isKnown) * 2 >= coins.count
      && pairs.count * 10 >= assets.texts.count * 9
  }

  /// Returns where rows have the exchange's own names of their pairs: of several, the one that is made of both
  /// currencies. Numbers are such names only if nothing else is said of them: `market_ask` is a price.
  private func symbolPath(of pairs: [Pair?]) -> String? {
    let named = rows.columns.filter { column in
      column.leafName.has(.symbol) && column.path.steps.count == 1 && !column.leafName.has(.identifier)
        && column.texts.allSatisfy { $0?.isEmpty == false } && Set(column.texts).count == column.texts.count
        && (!column.hasNumbers || column.isWhole && column.leafName.words.allSatisfy { [.symbol, .name].contains($0) })
    }
    let made = named.first { column in
      bothKnown(column.texts, pairs).allSatisfy { text, pair in
        [pair.asset, pair.payment].allSatisfy(text.uppercased().contains)
      }
    }
    return (made ?? named.first)?.path.text
  }

  private func nameOfAsset(_ column: SampleColumn) -> Double {
    let name = column.wholeName
    if name.hasAny([.volume, .price, .count, .time, .status, .fee, .quote]) || isWrittenOut(column) { return 0 }
    if name.has(.base) { return 0.9 }
    if name.words.contains(.unknown("target")) { return 0.6 }
    if name.words.contains(.unknown("stock")) { return 0.7 }
    if name.words == [.currency] { return 0.6 }
    if name.words == [.symbol] || column.title.isEmpty {
      let known = column.presentTexts.count { CurrencyCode.isKnown($0.uppercased()) }
      return known * 2 >= column.presentTexts.count ? 0.6 : 0
    }
    if name.has(.coin), name.has(.currency) { return 0.9 }
    return name.hasAny([.trade, .order]) && name.has(.currency) ? 0.7 : 0
  }

  private func nameOfPayment(_ column: SampleColumn) -> Double {
    let name = column.wholeName
    // `quoteAsset` is the quote.
    if name.hasAny([.volume, .count, .time, .status, .fee]) || isWrittenOut(column) { return 0 }
    if name.has(.base), !name.has(.quote) { return 0 }
    if name.words.contains(.unknown("fiat")) || name.words == [.turnover] { return 0.9 }
    if name.has(.quote) || name.words.contains(.unknown("target")) { return 0.9 }
    if name.words == [.currency] || column.title.isEmpty,
      column.presentTexts.allSatisfy({ CurrencyCode.isPayment($0.uppercased()) })
    {
      return 0.7
    }
    return name.has(.currency) || name.has(.symbol) || name.has(.price) ? 0.5 : 0
  }

  /// Returns whether a column holds names for people, such as `Bitcoin`, rather than codes: `baseName`, not `baseCode`.
  private func isWrittenOut(_ column: SampleColumn) -> Bool {
    guard column.wholeName.has(.name) else { return false }
    let codes = column.presentTexts.count { CurrencyCode.isKnown($0.uppercased()) }
    return codes * 2 < column.presentTexts.count
  }

  /// Scores whether there are few, well-known payment currencies and many assets.
  private func likeness(_ asset: SampleColumn, _ payment: SampleColumn) -> Double {
    let payments = Set(payment.texts.compactMap { $0?.uppercased() })
    let assets = Set(asset.texts.compactMap { $0?.uppercased() })
    let known = payments.count(where: CurrencyCode.isPayment)
    guard known * 2 >= payments.count else { return -0.5 }
    return assets.count > payments.count ? 0.2 : 0
  }

  private func request() -> SymbolProposal? {
    guard rows.nodes.count == 1, rows.shape == .single else { return nil }
    let confidence = wanted == nil ? 0.5 : 0.8
    return SymbolProposal(
      source: .request, assetConfidence: confidence, paymentConfidence: confidence,
      evidence: ["one row, and nothing in it names a pair"], example: wanted?.description ?? "", pairs: [wanted])
  }

  // MARK: Doubts

  /// Checks rows that name their payment currency, in a member of their own or an inner one, against the one found.
  private func checkOwnPayment(_ proposal: inout SymbolProposal) {
    if case .own = proposal.source { return }
    guard proposal.source != .request else { return }
    for column in rows.columns.prefix(60) where nameOfPayment(column) >= 0.9 {
      let codes = column.texts.map { $0?.uppercased() }
      let present = codes.compactMap(\.self)
      guard !present.isEmpty, present.allSatisfy(CurrencyCode.isPayment) else { continue }
      let both = bothKnown(codes, proposal.pairs)
      let other = both.count { $0 != $1.payment.uppercased() }
      guard other > 0 else { continue }
      proposal.paymentConfidence = min(proposal.paymentConfidence, 0.5)
      proposal.evidence.append(
        "'\(column.path.text)' names another payment currency in \(other) of \(both.count) rows")
      return
    }
  }

  /// Checks symbols split by a list of endings against a member that names the asset: it ends where the split should be.
  private func checkOwnAsset(_ proposal: inout SymbolProposal) {
    guard case .path(let own) = proposal.source, proposal.isSplitAtPayment else { return }
    for column in rows.columns.prefix(60) where column.path.text != own {
      var vote = RowRelations.Vote()
      let isOfSymbol = zip(column.texts, proposal.pairs).allSatisfy { text, pair in
        guard let text = text?.uppercased(), let pair else { return true }
        let symbol = pair.asset + pair.payment
        vote.count([pair.asset, CurrencyCode.withoutCount(pair.asset)].contains(text))
        return text.count >= 2 && text != symbol
          && (symbol.hasPrefix(text) || CurrencyCode.withoutCount(symbol).hasPrefix(text))
      }
      guard isOfSymbol, vote.holds < vote.rows, vote.share >= 0.5 else { continue }
      return proposal.change(because: "'\(column.path.text)' names another asset in \(vote.opposite.text)") {
        min($0, 0.5)
      }
    }
  }

  /// Detects assets that are mostly money, or bitcoin, paid in what is less so: the two or their names are swapped.
  private func checkOrder(_ proposal: inout SymbolProposal) {
    guard proposal.source != .request else { return }
    let pairs = proposal.knownPairs.map {
      (asset: CurrencyCode.rank(of: $0.asset.uppercased()), payment: CurrencyCode.rank(of: $0.payment.uppercased()))
    }
    let voting = pairs.count { $0.asset != $0.payment }
    let swapped = pairs.count { $0.asset >= 4 && $0.payment < 4 }
    let straight = pairs.count { $0.asset < 4 && $0.payment >= 4 }
    if swapped > straight, swapped * 2 > voting {
      proposal.change(because: "money would be the asset in \(swapped) of \(pairs.count) rows") { min($0, 0.5) }
      return
    }
    let turned = pairs.count { $0.asset > max(2, $0.payment) }
    guard pairs.count >= 3, turned * 2 > pairs.count else { return }
    proposal.change(because: "money or bitcoin would be the asset in \(turned) of \(pairs.count) rows") { min($0, 0.5) }
  }

  /// Two texts of a row that split into different pairs: one of the splits is wrong.
  private func checkAgainst(_ other: SymbolProposal, _ best: inout SymbolProposal) {
    guard best.source != .request, min(other.assetConfidence, other.paymentConfidence) > 0.9 else { return }
    let both = bothKnown(best.pairs, other.pairs)
    let same = both.count { $0 == $1 }
    // A split at a separator is wrong only if most rows say so.
    guard !both.isEmpty, same * 100 < both.count * (best.isSplitAtPayment ? 95 : 50) else { return }
    let reason = "'\(other.example)' gives another pair in \(both.count - same) of \(both.count) rows"
    best.change(because: reason) { $0 * 0.7 }
  }

  /// Pairs that occur again and again indicate trades, not tickers.
  private func checkUniqueness(_ proposal: inout SymbolProposal) {
    let pairs = proposal.knownPairs
    guard pairs.count >= 3 else { return }
    let share = Double(Set(pairs).count) / Double(pairs.count)
    guard share < 0.9 else { return }
    proposal.change(because: "only \(Set(pairs).count) different pairs in \(pairs.count) rows") { $0 * share }
  }

  private func checkWanted(_ proposal: inout SymbolProposal) {
    guard let wanted, proposal.source != .request else { return }
    let pairs = proposal.knownPairs
    if pairs.contains(where: { hints.areSame($0, wanted) }) {
      proposal.change(because: "\(wanted) is among the rows") { max($0, 0.97) }
    } else if pairs.contains(where: { hints.areSame($0, Pair(asset: wanted.payment, payment: wanted.asset)) }) {
      if case .own(let asset, let payment, let symbol) = proposal.source, proposal.assetEnding.isEmpty {
        proposal.source = .own(asset: payment, payment: asset, symbol: symbol)
      } else if proposal.rules.count == 1,
        case .separator(let separator, let paymentFirst)? = proposal.rules.first?.rule
      {
        proposal.rules[0].rule = .separator(separator, paymentFirst: !paymentFirst)
      } else {
        proposal.change(because: "\(wanted) is among the rows only the other way round") { min($0, 0.5) }
        return
      }
      proposal.pairs = proposal.pairs.map { $0.map { Pair(asset: $0.payment, payment: $0.asset) } }
      (proposal.assetConfidence, proposal.paymentConfidence) = (0.95, 0.95)
      proposal.evidence = ["the given pair is among the rows only in this order"]
    } else {
      proposal.assetConfidence *= 0.7
      proposal.evidence.append("\(wanted) is not among the rows")
    }
  }
}
