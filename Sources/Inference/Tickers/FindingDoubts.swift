import Config
import Quotes

/// Lowers the confidence in columns whose numbers prove nothing, or contradict their names.
struct FindingDoubts {
  private let columns: [SampleColumn]
  private let relations: RowRelations
  private let symbol: SymbolProposal?
  /// Whether a volume may be a number of contracts.
  private let isFutures: Bool

  init(_ columns: [SampleColumn], _ symbol: SymbolProposal?, isFutures: Bool) {
    (self.columns, self.symbol, self.isFutures) = (columns, symbol, isFutures)
    relations = RowRelations(columns: columns)
  }

  func apply(to findings: inout [RoleFinding]) {
    let price = findings[.price]?.column
    let scale = scaled(findings)
    let foreign = price.flatMap { foreignPrice($0) }
    let shared = price.flatMap { sharedCurrency($0) ?? cheapBitcoin($0) }
    let offered = price.flatMap { priceOfOffers($0, findings) }
    let range = rangeDoubt(findings)
    for index in findings.indices where findings[index].role != .time {
      let (role, column) = (findings[index].role, findings[index].column)
      if let scale, PriceRoles.roles.contains(role) { findings[index].doubt(scale) }
      if let ending = ending(column), role != .change { findings[index].doubt(Self.unit(ending)) }
      if let scale, scale.decimals == nil, role == .volume || role == .turnover, columns[column].isWhole {
        findings[index].doubt(UnitDoubt(reason: "the prices seem to count a small unit, and so may it"))
      }
      if role != .change, let unit = smallUnit(column) {
        findings[index].doubt(UnitDoubt(reason: "its name says that it counts \(unit)"))
      }
      var reasons: [String] = []
      if columns[column].isConstant { reasons.append("all rows have the same value, which proves nothing") }
      if let reason = foreignName(columns[column]), role != .change { reasons.append(reason) }
      if role == .bid || role == .ask {
        if columns[column].leafName.has(.limit) || isBound(column, findings) {
          reasons.append("its name is that of a price limit")
        }
        if let price, let reason = farOffer(column, price) { reasons.append(reason) }
      }
      if let shared, PriceRoles.roles.contains(role) { reasons.append(shared) }
      if role != .change, columns[column].mayHaveThousandsPoints {
        reasons.append("three digits after each point, which may separate thousands")
      }
      if let foreign, role == .price { reasons.append(foreign) }
      // A name that says so decides, but the reader should know.
      if let offered, role == .price { findings[index].evidence.append("it is \(offered): is it a last price?") }
      if let range, role == .high || role == .low { reasons.append(range) }
      if role == .volume || role == .turnover, let unit = bigUnit(column) {
        reasons.append("its name says that it counts \(unit)")
      }
      if role == .volume || role == .turnover, let volume = findings[.volume]?.column, let excess = excess(volume) {
        reasons.append(excess)
      }
      for reason in reasons { findings[index].doubt(because: reason) }
    }
  }

  /// Returns evidence in a name that numbers are in another currency than that of some pairs.
  private func foreignName(_ column: SampleColumn) -> String? {
    guard let code = column.wholeName.code, column.namesPayment != true else { return nil }
    return column.namesPayment == false
      ? "its name has a currency other than the payment currency of the pairs"
      : "its name has the currency \(code), and nothing shows what the pairs are paid in"
  }

  /// Returns evidence that the price is in another currency than that of the pairs: an amount whose name has that
  /// currency, divided by a volume, is the price. A day's average differs from its last price, but in the middle of all
  /// rows by less than most currencies differ from each other.
  private func foreignPrice(_ price: Int) -> String? {
    let amounts = columns.indices.filter { index in
      index != price && columns[index].hasNumbers
        && max(columns[index].nameScore(.volume), columns[index].nameScore(.turnover)) >= 0.15
    }
    for money in amounts where columns[money].namesPayment == false {
      guard let code = columns[money].wholeName.code else { continue }
      let foreign = (symbol?.pairs ?? []).map { $0.map { Self.areApart($0.payment.uppercased(), code) } ?? false }
      for volume in amounts where columns[volume].namesPayment != false {
        var ratios: [Double] = []
        let vote = relations.vote([money, volume, price]) { row, numbers in
          guard foreign.indices.contains(row), foreign[row], numbers.allSatisfy({ $0 > 0 }) else { return nil }
          let ratio = numbers[0] / numbers[1] / numbers[2]
          ratios.append(ratio)
          return (0.9...1.1).contains(ratio)
        }
        guard vote.rows >= 3, vote.share >= 0.9, let median = ratios.median, (median - 1).magnitude < 0.03 else {
          continue
        }
        return
          "a price in \(code): '\(columns[money].path.text)' / '\(columns[volume].path.text)' is it in \(vote.text)"
      }
    }
    return nil
  }

  /// Returns the numbers of a column and the pairs of their rows, where both are known.
  private func paired(_ column: Int) -> [(number: Double, pair: Pair)] {
    bothKnown(columns[column].numbers, symbol?.pairs ?? []).map { (number: $0, pair: $1) }
  }

  /// Returns evidence that the prices of all pairs are in one currency: that of a coin in bitcoin, or in euros, would be the
  /// number that it is in dollars. Other national currencies are hardly ever within a percent of the dollar.
  private func sharedCurrency(_ price: Int) -> String? {
    let rows = paired(price).filter { $0.number > 0 }.map { number, pair in
      SharedPrice(asset: pair.asset, payment: pair.payment.uppercased(), number: number)
    }
    let coins = rows.filter { ["BTC", "XBT", "ETH"].contains($0.payment) }
    let money = rows.filter { CurrencyCode.rank(of: $0.payment) >= 4 }
    let dollars = money.filter { Self.isDollar($0.payment) }
    let others = money.filter { CurrencyCode.rank(of: $0.payment) == 5 && !Self.isDollar($0.payment) }
    return Self.agreement(of: coins, with: money, within: 0.05, atLeast: 2)
      ?? Self.agreement(of: others, with: dollars, within: 0.01, atLeast: 3)
  }

  private struct SharedPrice {
    let asset: String
    let payment: String
    let number: Double
  }

  /// Returns the doubt about prices that are those of the same assets in other currencies; nil if they are not.
  private static func agreement(
    of rows: [SharedPrice], with others: [SharedPrice], within share: Double, atLeast least: Int
  ) -> String? {
    let byAsset = Dictionary(others.map { ($0.asset, $0) }) { first, _ in first }
    var vote = RowRelations.Vote()
    var same: (String, String)?
    for row in rows {
      guard let other = byAsset[row.asset] else { continue }
      let isSame = (row.number / other.number - 1).magnitude <= share
      vote.count(isSame)
      if isSame { same = same ?? (row.payment, other.payment) }
    }
    guard let same, vote.holds >= least, vote.share >= 0.5 else { return nil }
    return "prices in \(same.0) are those in \(same.1) in \(vote.text): all may be in one currency"
  }

  /// Returns evidence that the prices are rather what a unit of money costs in coins, or in a far larger unit: a
  /// bitcoin costs more than one of any national currency.
  private func cheapBitcoin(_ price: Int) -> String? {
    let prices = paired(price).filter { number, pair in
      number > 0 && Self.isBitcoin(pair.asset) && CurrencyCode.rank(of: pair.payment.uppercased()) >= 4
    }
    guard let dearest = prices.max(by: { $0.number < $1.number }), dearest.number < 1 else { return nil }
    return "a bitcoin would cost less than 1 \(dearest.pair.payment.uppercased())"
  }

  /// Returns how the price seems to be made of the offers: in nearly all rows it is their middle, or one of them. Last
  /// trades are at either, and between them where these are apart.
  private func priceOfOffers(_ price: Int, _ findings: [RoleFinding]) -> String? {
    guard let bid = findings[.bid]?.column, let ask = findings[.ask]?.column, bid != price, ask != price else {
      return nil
    }
    func vote(_ place: @escaping (_ bid: Double, _ ask: Double) -> Double) -> RowRelations.Vote {
      relations.vote([price, bid, ask]) { row, numbers in
        let unit = max(columns[bid].lastDigit(row), columns[ask].lastDigit(row))
        // Offers a few digits apart leave no room for chance.
        guard numbers[1] > 0, numbers[2] - numbers[1] > 3.5 * unit else { return nil }
        return (numbers[0] - place(numbers[1], numbers[2])).magnitude <= numbers[0].magnitude * 1e-12
      }
    }
    let middle = vote { ($0 + $1) / 2 }
    if middle.rows >= 5, middle.share >= 0.9 { return "the middle of bid and ask in \(middle.text)" }
    for (name, own) in [("bid", vote { bid, _ in bid }), ("ask", vote { _, ask in ask })]
    where own.rows >= 10 && own.share >= 0.95 { return "the \(name) in \(own.text)" }
    return nil
  }

  /// Returns evidence that high and low are rather the best offers: the two are as close as these are, or the day's
  /// average lies outside.
  private func rangeDoubt(_ findings: [RoleFinding]) -> String? {
    guard let high = findings[.high]?.column, let low = findings[.low]?.column, high != low else { return nil }
    // Nothing is traded in a row whose two are equal.
    let narrow = relations.vote([low, high]) { _, numbers in
      numbers[0] > 0 && numbers[0] < numbers[1] ? numbers[1] <= numbers[0] * (1 + Self.usualSpread) : nil
    }
    if narrow.rows >= 5, narrow.share >= 0.8 { return "high and low are as close as bid and ask in \(narrow.text)" }
    for column in columns.indices where columns[column].leafName.has(.average) && columns[column].hasNumbers {
      guard !columns[column].wholeName.has(.otherWindow), relations.areNear(column, high, factor: 1.5).share >= 0.8
      else { continue }
      let outside = relations.vote([column, low, high]) { _, numbers in
        guard numbers[1] > 0, numbers[1] < numbers[2] else { return nil }
        return numbers[0] < numbers[1] * 0.999 || numbers[0] > numbers[2] * 1.001
      }
      if outside.rows >= 4, outside.share >= 0.6 {
        return "the average '\(columns[column].path.text)' is outside low and high in \(outside.text)"
      }
    }
    return nil
  }

  /// How far apart bid and ask are at most, as a share, in most pairs of one exchange.
  private static let usualSpread = 0.002

  /// Returns whether amounts in two currencies differ: a dollar and a token of it do not.
  private static func areApart(_ one: String, _ other: String) -> Bool {
    one != other && !(isDollar(one) && isDollar(other))
  }

  private static func isBitcoin(_ asset: String) -> Bool { ["BTC", "XBT"].contains(asset.uppercased()) }

  private static func isDollar(_ code: String) -> Bool { code == "USD" || CurrencyCode.isDollarToken(code) }

  /// Returns whether a name is that of a minimum or maximum bid or ask.
  static func isBound(_ name: FieldName) -> Bool {
    name.hasAny([.minimum, .maximum]) && name.hasAny([.bid, .ask, .buy, .sell])
  }

  /// Returns whether an offer with such a name limits offers. The highest bid and the lowest ask are the best ones if they
  /// never cross, as limits do that lie on the other side of the price, and nothing else has the name of an offer.
  private func isBound(_ column: Int, _ findings: [RoleFinding]) -> Bool {
    guard Self.isBound(columns[column].wholeName) else { return false }
    guard let bid = findings[.bid]?.column, let ask = findings[.ask]?.column,
      relations.isNeverAbove(bid, ask).share == 1
    else { return true }
    return columns.indices.contains { other in
      other != bid && other != ask && columns[other].hasNumbers
        && max(columns[other].nameScore(.bid), columns[other].nameScore(.ask)) >= 0.6
    }
  }

  /// Offers of a live market are close to the price in at least some row, and never at the same distance in all.
  private func farOffer(_ column: Int, _ price: Int) -> String? {
    guard column != price else { return nil }
    let ratios = bothKnown(columns[column].numbers, columns[price].numbers)
      .filter { $0 > 0 && $1 > 0 }.map { $0 / $1 }
    guard ratios.count >= 2, let least = ratios.min(), let most = ratios.max() else { return nil }
    if ratios.allSatisfy({ ($0 - 1).magnitude > 0.04 }) { return "more than 4 % from the price in every row" }
    let isFixed = ratios.count >= 3 && most / least < 1.001 && ratios.allSatisfy { ($0 - 1).magnitude > 0.005 }
    return isFixed ? "at the same distance from the price in every row" : nil
  }

  /// Returns evidence that prices are multiples of a small unit: such a name ending, a size that no price has, or whole
  /// numbers for cheap coins as well as dear ones.
  private func scaled(_ findings: [RoleFinding]) -> UnitDoubt? {
    let prices = findings.filter { PriceRoles.roles.contains($0.role) }.map(\.column)
    guard !prices.isEmpty, prices.allSatisfy({ columns[$0].isWhole && columns[$0].presentNumbers.count >= 2 }) else {
      return nil
    }
    let isNamed = prices.contains { column in
      ending(column) != nil || ["Scaled", "scaled"].contains(FieldName.chunks(of: columns[column].title).last)
    }
    let isHuge = prices.contains { column in
      paired(column).contains { number, pair in Self.maximumPrice(of: pair).map { number >= $0 } ?? false }
    }
    let isCoarse = isTooCoarse(findings[.price]?.column ?? prices[0], of: prices)
    if let places = decimalPlaces {
      return UnitDoubt(
        reason: "whole numbers in all rows, and '\(places)' may count their decimals (see \"decimals\")",
        decimals: places)
    }
    guard isNamed || isHuge || isCoarse else { return nil }
    return UnitDoubt(reason: "whole numbers in all rows, as of prices in a small unit (see \"scale\")")
  }

  private func ending(_ column: Int) -> ScaleEnding? {
    ScaleEnding(of: FieldName.chunks(of: columns[column].path.names.last ?? ""))
  }

  private static func unit(_ ending: ScaleEnding) -> UnitDoubt {
    let unit = ending.scale.map { "units of \($0.shortest)" } ?? "a small unit"
    return UnitDoubt(reason: "its name says that it counts \(unit)", scale: ending.scale)
  }

  /// Returns whether the prices of dear and cheap coins are whole numbers of a currency that is too valuable for that.
  ///
  /// - Parameter all: the columns of prices, all of whole numbers: few rows say as much if each has several.
  private func isTooCoarse(_ price: Int, of all: [Int]) -> Bool {
    guard !columns[price].presentTexts.contains(where: { $0.contains(".") }) else { return false }
    let numbers = paired(price).compactMap { number, pair -> Double? in
      let payment = pair.payment.uppercased()
      let isValuable = CurrencyCode.isPayment(payment) && !CurrencyCode.isOfSmallValue(payment)
      return number > 0 && isValuable ? number : nil
    }
    guard numbers.count >= 3, numbers.count * Set(all).count >= 8, let least = numbers.min(), let most = numbers.max()
    else { return false }
    return most >= least * 100
  }

  /// The member that says how many of each row's digits are decimals, if there is one.
  private var decimalPlaces: String? {
    let words = ["scale", "decimal", "precision", "digits", "exponent"]
    return columns.first { column in
      let name = Spelling.folded(column.path.names.last ?? "")
      guard words.contains(where: name.contains), column.isFull, column.isWhole else { return false }
      let places = Set(column.presentNumbers)
      return places.count > 1 && places.allSatisfy { (0...18).contains($0) }
    }?.path.text
  }

  /// The hundredths and hundred-millionths of currencies, as they occur in names.
  private static let smallUnits: Set<String> = [
    "satoshi", "satoshis", "sat", "sats", "cent", "cents", "wei", "gwei", "paise", "pence", "pips",
  ]

  /// Returns the small unit that a name says its numbers count; nil if it says none.
  private func smallUnit(_ column: Int) -> String? {
    FieldName.chunks(of: columns[column].title).map { $0.lowercased() }.first { word in
      Self.smallUnits.contains(word) || word.hasSuffix("satoshi") || word.hasSuffix("satoshis")
    }
  }

  /// The endings of names whose numbers count many units as one.
  private static let bigUnits = [
    "k": "thousands", "thousand": "thousands", "thousands": "thousands", "mio": "millions", "mln": "millions",
    "million": "millions", "millions": "millions", "bn": "billions", "billion": "billions", "billions": "billions",
  ]

  private func bigUnit(_ column: Int) -> String? {
    let words = FieldName.chunks(of: columns[column].title)
    return words.count < 2 ? nil : words.last.flatMap { Self.bigUnits[$0.lowercased()] }
  }

  /// Returns evidence that a volume is in a smaller unit than coins: in a day there are more of them than there are.
  private func excess(_ column: Int) -> String? {
    let isExcess = !isFutures && paired(column).contains { Self.isBitcoin($1.asset) && $0 > 21_000_000 }
    return isExcess ? "\(columns[column].path.text) would be more bitcoin than there are" : nil
  }

  /// Returns a price that no coin reaches; nil for currencies in which there is no limit.
  private static func maximumPrice(of pair: Pair) -> Double? {
    let payment = pair.payment.uppercased()
    let isDollar = Self.isDollar(payment)
    if isDollar, CurrencyCode.isDollarToken(pair.asset.uppercased()) { return 10 }
    switch payment {
    case "BTC", "XBT", "ETH": return 1000
    case "EUR", "GBP", "CHF", "AUD", "CAD": return 10_000_000
    case "IDR", "IDRT", "IDRX", "BIDR", "VND", "BVND", "IRR", "IRT", "TMN": return 1e14
    case _ where isDollar: return 10_000_000
    case _ where CurrencyCode.isOfSmallValue(payment): return 1e12
    default: return CurrencyCode.rank(of: payment) == 5 ? 1e9 : nil
    }
  }
}
