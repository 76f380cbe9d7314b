import Formats
import Mapping
import MarketData
import Quotes
import Terminal

/// A column of `show` or `tickers`, by its name in `--columns`.
package enum SnapshotColumn: String, CaseIterable, Sendable {
  case asset, payment, exchange, market, product, symbol, price
  /// The price in another currency.
  case converted
  case change
  /// What the change is measured from.
  case since
  case volume, turnover, bid, ask
  /// How far a spot price is above the lowest, in percent.
  case premium
  /// How far a futures price is above its exchange's spot price, in percent.
  case disparity
  /// The same, in the payment currency.
  case difference
  case age, remarks
  /// Whether the row is excluded from headlines.
  case excluded
  /// Why other columns are empty.
  case reasons
  /// What stands in for the last price: `mid`; empty for the last price itself.
  case basis
  /// Why the row is excluded from headlines.
  case objection
  /// What is to be known about the rate of the other currency: `unchecked`.
  case labels

  /// Creates the column with the given name or CSV title, ignoring case.
  package init?(named name: String) {
    let wanted = name.lowercased()
    let match = Self.allCases.first { $0.rawValue == wanted || $0.csvTitle(currency: nil).lowercased() == wanted }
    guard let match else { return nil }
    self = match
  }

  /// The columns of a table of one exchange, whose rows are compared with no others and have one currency.
  package static let ofTables = allCases.filter { column in
    ![.converted, .premium, .disparity, .difference, .labels].contains(column)
  }

  /// Returns the default text columns of a market.
  static func usual(in market: Market) -> [SnapshotColumn] {
    switch market {
    case .spot: [.exchange, .price, .converted, .change, .since, .turnover, .premium, .age, .remarks]
    case .futures:
      [.exchange, .product, .price, .converted, .change, .since, .disparity, .difference, .age, .remarks]
    }
  }

  private static let usualInCSV: [SnapshotColumn] = [
    .asset, .payment, .exchange, .market, .product, .symbol, .price, .change, .volume, .turnover, .bid, .ask, .since,
    .age, .disparity, .difference, .remarks, .excluded, .reasons,
  ]

  /// Returns the default CSV columns. New ones come last, so that the others keep their places.
  ///
  /// - Parameter isConverted: whether prices are also in another currency.
  static func usualInCSV(isConverted: Bool) -> [SnapshotColumn] {
    usualInCSV + (isConverted ? [.converted] : []) + [.basis, .objection] + (isConverted ? [.labels] : []) + [.premium]
  }

  /// Returns whether rows of a market can have the column.
  func exists(in market: Market) -> Bool {
    switch self {
    case .premium: market == .spot
    case .product, .disparity, .difference: market == .futures
    default: true
    }
  }

  /// The field that is shown unchanged.
  private var field: TickerField? {
    switch self {
    case .price: .price
    case .change: .changePricePercent24
    case .volume: .volume24
    case .turnover: .turnover24
    case .bid: .bid
    case .ask: .ask
    default: nil
    }
  }
}

/// A row of a snapshot, or of a table, with the data its columns need.
struct SnapshotRow {
  let row: TickerRow
  /// nil for a spot row.
  var disparity: Result<Disparity, DisparityAbsence>?
  /// How far a spot price is above the lowest, in percent.
  var percentOverLowest: Decimal?
  let objection: HeadlineObjection?
  var conversion: Conversion?
  /// When the snapshot was taken; nil for a row of a table, whose age is that on arrival.
  var time: Instant?

  var ticker: Ticker { row.ticker }
}

extension SnapshotRow {
  /// - Parameter disparity: nil for a spot row.
  init(_ row: TickerRow, _ disparity: Result<Disparity, DisparityAbsence>?, in snapshot: Snapshot) {
    (self.row, self.disparity, conversion, time) = (row, disparity, snapshot.conversion, snapshot.time)
    percentOverLowest = row.ticker.market == .spot ? snapshot.percentOverLowest(row) : nil
    objection = row.ticker.headlineObjection(snapshot.rule)
  }
}

// MARK: - Text

extension SnapshotColumn {
  /// Returns the column if requested by name: present even if empty, and a narrow terminal hides the last first.
  ///
  /// - Parameter place: its index among the requested columns.
  func column(
    of rows: [SnapshotRow], chosenAt place: Int, _ language: Language
  ) -> TableColumn {
    var column = usualColumn(of: rows, language)
    column.title = title(rows, language)
    column.dropping = place == 0 ? nil : -place
    return column
  }

  /// Returns the column with its place among those that give way on a narrow terminal. The price stays, and what a row is
  /// compared by: its distance from the lowest price or from its spot price.
  ///
  /// - Parameter rows: all rows of the table; a column empty in all of them gets no title and is omitted.
  func usualColumn(of rows: [SnapshotRow], _ language: Language) -> TableColumn {
    let title = title(rows, language)
    switch self {
    case .exchange: return TableColumn(title, shortening: 2, isKey: true)
    case .product: return TableColumn(title, shortening: 1, dropping: 5, isKey: true)
    case .price: return TableColumn(title, .decimal)
    case .converted:
      return TableColumn(rows.contains { $0.conversion != nil } ? title : "", .right, minimumWidth: 0, dropping: 2)
    // A change of another span, alone, would pass for one of 24 hours.
    case .since:
      let isEmpty = rows.allSatisfy { $0.ticker.basisText().width == 0 }
      return TableColumn(isEmpty ? "" : title, minimumWidth: 0, dropping: 6)
    case .turnover: return TableColumn(title, .right, dropping: 0)
    case .difference: return TableColumn(title, .decimal, dropping: 0)
    // The remark about an old price is cut first: the age says it.
    case .age: return TableColumn(title, .right, dropping: rows.map(\.row).haveOldTrade ? 7 : 1)
    case .remarks:
      let isEmpty = rows.allSatisfy { $0.ticker.remarks().width == 0 }
      return TableColumn(isEmpty ? "" : title, minimumWidth: isEmpty ? 0 : 8, shortening: 0, dropping: 3)
    case .change: return TableColumn(title, .right, dropping: 6)
    case .premium, .disparity, .volume: return TableColumn(title, .right)
    case .bid, .ask: return TableColumn(title, .decimal)
    case .asset, .payment, .market, .symbol, .excluded, .reasons, .basis, .objection, .labels: return TableColumn(title)
    }
  }

  private func title(_ rows: [SnapshotRow], _ language: Language) -> String {
    title(currency: rows.lazy.compactMap(\.conversion).first?.currency, language)
  }

  /// - Parameter currency: the additional currency that prices are shown in.
  func title(currency: String?, _ language: Language) -> String {
    if language == .korean { return koreanTitle(currency: currency) }
    return switch self {
    case .converted: currency.map { "in \($0)" } ?? rawValue
    case .change: "24h %"
    case .volume: "volume 24h"
    case .turnover: "turnover 24h"
    case .premium: "over low %"
    case .disparity: "disparity %"
    default: rawValue
    }
  }

  private func koreanTitle(currency: String?) -> String {
    switch self {
    case .asset: "코인"
    case .payment: "결제 통화"
    case .exchange: "거래소"
    case .market: "시장"
    case .product: "상품"
    case .symbol: "심볼"
    case .price: "현재가"
    case .converted: "\(currency ?? "다른 통화") 환산"
    case .change: "24h %"
    case .since: "기준"
    case .volume: "거래량 24h"
    case .turnover: "거래대금 24h"
    case .bid: "매수호가"
    case .ask: "매도호가"
    case .premium: "최저가 대비 %"
    case .disparity: "괴리율 %"
    case .difference: "차이"
    case .age: "경과"
    case .remarks: "비고"
    case .excluded: "제외"
    case .reasons: "빈칸 이유"
    case .basis: "가격 기준"
    case .objection: "제외 이유"
    case .labels: "환율 비고"
    }
  }

  func cell(of row: SnapshotRow, _ digits: Page.Digits, _ language: Language) -> StyledText {
    let ticker = row.ticker
    switch self {
    case .market: return StyledText(language.word(for: ticker.market))
    case .asset, .payment, .exchange, .product, .symbol, .reasons, .basis, .objection, .labels:
      let (text, style) = words(of: row)
      return StyledText(text ?? "", style)
    case .price: return ticker.cellText(.price, ticker.changeStyle, digits)
    case .change: return ticker.cellText(.changePricePercent24, ticker.changeStyle)
    case .converted:
      guard let conversion = row.conversion else { return "" }
      if conversion.currency == ticker.pair.payment { return ticker.cellText(.price, .dim, digits) }
      return ticker.price.value.flatMap { conversion.converted($0) }.map { StyledText($0.rateText, .dim) } ?? .nothing
    case .since: return ticker.basisText(language)
    case .volume, .turnover, .bid, .ask:
      return field.map { ticker.cellText($0, .neutral, digits, language) } ?? .nothing
    case .premium: return row.percentOverLowest.map { StyledText($0.signedPercentText) } ?? .nothing
    case .disparity:
      switch row.disparity {
      case .success(let disparity)?: return StyledText(percent: disparity.percent)
      // The line below the table says so once.
      case .failure(.spotNotRequested)?: return .nothing
      case .failure(let absence)?: return StyledText(absence.text(language), .dim)
      case nil: return .nothing
      }
    case .difference: return (try? row.disparity?.get()).map { StyledText($0.difference.shortest) } ?? .nothing
    case .age: return row.row.ageCell(at: row.time, language)
    case .remarks: return ticker.remarks(language)
    case .excluded: return StyledText(row.objection?.code ?? "", .dim)
    }
  }
}

extension SnapshotColumn {
  /// Returns the text of a column that is the same in print and in CSV, with its style in print; nil in the others.
  private func words(of row: SnapshotRow) -> (text: String?, style: Style) {
    let ticker = row.ticker
    return switch self {
    case .asset: (ticker.pair.asset, .neutral)
    case .payment: (ticker.pair.payment, .neutral)
    case .exchange: (ticker.exchange, .neutral)
    case .market: (ticker.market.rawValue, .neutral)
    case .product: (ticker.product, .dim)
    case .symbol: (ticker.symbol, .neutral)
    case .reasons: (reasons(of: row), .dim)
    case .basis: (ticker.priceBasis.label, .warning)
    case .objection: (row.objection?.code, .dim)
    case .labels: (row.conversion?.rate?.quote?.labels.map(\.code).joined(separator: "; "), .warning)
    case .price, .change, .converted, .since, .volume, .turnover, .bid, .ask, .premium, .disparity, .difference, .age,
      .remarks, .excluded:
      (nil, .neutral)
    }
  }

  /// Returns why cells of the row are empty, `bid not-offered; ask not-offered`.
  private func reasons(of row: SnapshotRow) -> String {
    let fields: [SnapshotColumn] = [.price, .change, .volume, .turnover, .bid, .ask]
    var reasons = fields.compactMap { column in
      column.field.flatMap { row.ticker.cell($0).missing }.map { (column, $0.code) }
    }
    if let code = row.ticker.reasonForNoAge(at: row.time) { reasons.append((.age, code)) }
    if let absence = row.disparity?.failure { reasons.append((.disparity, absence.code)) }
    if row.time != nil, let code = row.ticker.reasonForNoDistance(row.percentOverLowest, row.objection) {
      reasons.append((.premium, code))
    }
    if let missing = row.conversion?.missing { reasons.append((.converted, missing.code)) }
    return reasons.map { column, code in
      "\(column.csvTitle(currency: row.conversion?.currency)) \(code)"
    }.joined(separator: "; ")
  }
}

// MARK: - CSV

extension SnapshotColumn {
  /// - Parameter currency: the additional currency that prices are shown in.
  func csvTitle(currency: String?) -> String {
    switch self {
    case .converted: currency.map { "in\($0)" } ?? rawValue
    case .since: "changeBasis"
    case .premium: "overLowPercent"
    case .disparity: "disparityPercent"
    case .difference: "disparity"
    case .age: "ageSeconds"
    case .remarks: "flags"
    case .basis: "priceBasis"
    case .objection: "excludedBecause"
    case .labels: "rateLabels"
    default: field?.rawValue ?? rawValue
    }
  }

  func csvField(of row: SnapshotRow) -> CSVWriter.Field {
    let ticker = row.ticker
    let disparity = row.disparity.flatMap { try? $0.get() }
    switch self {
    case .asset, .payment, .exchange, .market, .product, .symbol, .reasons, .basis, .objection, .labels:
      return .text(words(of: row).text)
    case .price, .change, .volume, .turnover, .bid, .ask: return .number(field.flatMap { ticker.digits($0) })
    case .converted: return .number(row.conversion?.text(ticker.price.value))
    case .since: return .text(ticker.changeBasis?.rawValue)
    case .premium: return .number(row.percentOverLowest?.quotientText)
    case .disparity: return .number(disparity?.percent.quotientText)
    case .difference: return .number(disparity?.difference.shortest)
    case .age: return .number(ticker.ageText(at: row.time))
    case .remarks: return .text(ticker.flags.codes.joined(separator: " "))
    case .excluded: return .flag(row.objection != nil)
    }
  }
}
