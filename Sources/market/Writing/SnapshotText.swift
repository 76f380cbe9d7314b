import Mapping
import MarketData
import Quotes
import Terminal

/// Writes a snapshot for people.
struct SnapshotText {
  let snapshot: Snapshot
  let palette: Palette
  /// Cells a line; nil for a pipe.
  let width: Int?
  let alert: PremiumAlert
  /// Weekdays in the reader's language.
  let language: WeekdayNames
  /// What a replay says of itself; nil when the answers are live.
  let replayNote: String?
  /// The markets that were asked for.
  let markets: [Market]

  func text() -> String {
    var sections = [header()]
    if markets.contains(.spot) { sections.append(spotSection()) }
    if markets.contains(.futures) { sections.append(futuresSection()) }
    let remarks = conversionLine() + flaggedRows()
    if !remarks.isEmpty { sections.append(remarks) }
    return sections.joined(separator: "\n")
  }

  // MARK: Header

  private func header() -> String {
    HeaderText(
      title: "\(snapshot.pair)", time: snapshot.time, rate: snapshot.rate, language: language, replayNote: replayNote
    ).text(with: palette)
  }

  // MARK: Spot

  private func spotSection() -> String {
    var text = palette.paint("Spot", as: .heading) + "\n"
    guard !snapshot.spot.isEmpty else { return text + nothingLine(.spot) }
    var table = Table(columns: [
      TableColumn("exchange", minimumWidth: 8), TableColumn("price", .right), convertedColumn,
      TableColumn("24h %", .right), basisColumn(of: snapshot.spot),
      TableColumn("turnover 24h", .right, dropping: 0), TableColumn("over low %", .right, dropping: 2),
      TableColumn("age", .right, dropping: 1), remarksColumn(of: snapshot.spot),
    ])
    for row in snapshot.spot {
      let ticker = row.ticker
      table.addRow([
        StyledText(ticker.exchange), ticker.cellText(.price, ticker.changeStyle), converted(ticker),
        ticker.cellText(.changePricePercent24, ticker.changeStyle), ticker.basisText, ticker.turnoverText,
        overLowest(row), row.ageCell, ticker.remarks,
      ])
    }
    text += table.rendered(width: width, palette: palette)
    return text + premiumLine().painted(with: palette) + "\n"
  }

  private func overLowest(_ row: TickerRow) -> StyledText {
    guard let percent = snapshot.percentOverLowest(row) else { return StyledText("-", .dim) }
    return StyledText(percent.signedPercentText)
  }

  private func premiumLine() -> StyledText {
    switch snapshot.premium {
    case .failure(let absence):
      return StyledText("max premium -  ") + StyledText("(\(absence))", .dim)
    case .success(let premium):
      let high = snapshot.spot[premium.high].ticker
      let low = snapshot.spot[premium.low].ticker
      let style = Style(ofPremium: premium.percent, strong: alert.orange, weak: alert.grey)
      return StyledText("max premium ") + StyledText("\(premium.percentText) %", style)
        + StyledText("  \(high.exchange) \(high.text(.price) ?? "") over \(low.exchange) \(low.text(.price) ?? "")")
    }
  }

  // MARK: Futures

  private func futuresSection() -> String {
    var text = palette.paint("Futures", as: .heading) + "\n"
    guard !snapshot.futures.isEmpty else { return text + nothingLine(.futures) }
    var table = Table(columns: [
      TableColumn("exchange", minimumWidth: 8), TableColumn("product", shortening: 1, dropping: 2),
      TableColumn("price", .right), convertedColumn, TableColumn("24h %", .right),
      basisColumn(of: snapshot.futures), TableColumn("disparity %", .right),
      TableColumn("difference", .right, dropping: 0), TableColumn("age", .right, dropping: 1),
      remarksColumn(of: snapshot.futures),
    ])
    for (row, disparity) in zip(snapshot.futures, snapshot.disparities) {
      let ticker = row.ticker
      var cells: [StyledText] = [StyledText(ticker.exchange), StyledText(ticker.product ?? "", .dim)]
      cells += [
        ticker.cellText(.price, ticker.changeStyle), converted(ticker),
        ticker.cellText(.changePricePercent24, ticker.changeStyle), ticker.basisText,
      ]
      switch disparity {
      case .success(let disparity):
        cells.append(StyledText(disparity.percent.signedPercentText, Style(ofChange: disparity.percent)))
        cells.append(StyledText(disparity.difference.shortest))
      case .failure(let absence):
        cells += [StyledText("\(absence)", .dim), StyledText("-", .dim)]
      }
      table.addRow(cells + [row.ageCell, ticker.remarks])
    }
    text += table.rendered(width: width, palette: palette)
    return text + disparityLine().painted(with: palette) + "\n"
  }

  private func disparityLine() -> StyledText {
    guard let first = snapshot.ranking.first else { return StyledText("disparity -", .dim) }
    var line = StyledText("disparity first ") + name(first)
    if let last = snapshot.ranking.last { line = line + StyledText("   last ") + name(last) }
    return line
  }

  private func name(_ disparity: Disparity) -> StyledText {
    let ticker = snapshot.futuresRow(of: disparity).ticker
    let product = ticker.product.map { " \($0)" } ?? ""
    return StyledText("\(disparity.percent.signedPercentText) %", Style(ofChange: disparity.percent))
      + StyledText(" \(ticker.exchange)\(product)")
  }

  // MARK: Another currency

  /// Without a title where no other currency was asked for.
  private var convertedColumn: TableColumn {
    TableColumn(snapshot.conversion.map { "in \($0.currency)" } ?? "", .right, minimumWidth: 0)
  }

  private func converted(_ ticker: Ticker) -> StyledText {
    guard let conversion = snapshot.conversion else { return StyledText("") }
    guard let price = ticker.price.value.flatMap({ conversion.converted($0) }) else { return StyledText("-", .dim) }
    return StyledText(price.rateText, .dim)
  }

  /// By which rate the other currency came to be, where the header does not have it already.
  private func conversionLine() -> String {
    guard let conversion = snapshot.conversion else { return "" }
    var parts: [String] = []
    if let report = conversion.rate {
      if let quote = report.quote {
        let view = RateView(quote, at: snapshot.time)
        parts.append((["\(report.pair) \(quote.rate.rateText)", view.provider] + view.remarks).joined(separator: ", "))
      } else {
        parts.append("no rate of \(report.pair): \(report.reason ?? "")")
      }
    }
    if conversion.isAssumed { parts.append("\(conversion.payment) counted as one \(conversion.countedAs)") }
    if conversion.currency != conversion.target {
      parts.append("\(conversion.currency) counted as one \(conversion.target)")
    }
    guard !parts.isEmpty else { return "" }
    let line = "in \(conversion.currency): " + parts.joined(separator: "; ")
    return palette.paint(TerminalText.sanitized(line), as: .dim) + "\n"
  }

  // MARK: Remarks

  /// What changes are measured from; without a title where all are rolling.
  private func basisColumn(of rows: [TickerRow]) -> TableColumn {
    let isEmpty = rows.allSatisfy { $0.ticker.basisText.width == 0 }
    return TableColumn(isEmpty ? "" : "since", minimumWidth: 0)
  }

  /// Without a title where no row has a remark.
  private func remarksColumn(of rows: [TickerRow]) -> TableColumn {
    let isEmpty = rows.allSatisfy { $0.ticker.remarks.width == 0 }
    return TableColumn(isEmpty ? "" : "remarks", minimumWidth: isEmpty ? 0 : 8, shortening: 0)
  }

  /// Why a row is flagged or left out of the headlines: one line each.
  private func flaggedRows() -> String {
    var lines: [String] = []
    for row in snapshot.spot + snapshot.futures {
      let ticker = row.ticker
      let name = [ticker.exchange, ticker.product ?? ticker.market.rawValue].joined(separator: " ")
      for flag in ticker.flags {
        let kind = flag.excludes ? "left out" : "flagged"
        lines.append("\(name): \(kind), \(flag.code): \(flag.message)")
      }
      if let objection = ticker.headlineObjection(anyBasis: snapshot.anyPriceBasis), ticker.flags.isEmpty {
        lines.append("\(name): left out, \(objection.explanation)")
      }
    }
    return lines.map { palette.paint(TerminalText.sanitized($0), as: .dim) + "\n" }.joined()
  }

  private func nothingLine(_ market: Market) -> String {
    let asked = snapshot.reports.filter { $0.market == market }
    guard !asked.isEmpty else { return "no exchange of the config has this market\n" }
    let failed = asked.filter { $0.status == .failed }.count
    let reason =
      switch failed {
      case 0: "none of \(asked.count) lists it"
      case asked.count: "\(failed) of \(asked.count) failed"
      default: "\(failed) of \(asked.count) failed, the others do not list it"
      }
    return "no row: \(reason)\n"
  }
}

extension HeadlineObjection {
  fileprivate var explanation: String {
    switch self {
    case .missing(let reason): "its price is missing: \(reason.code)"
    case .basis(let basis): "its price is no last trade: \(basis.rawValue) (--basis any lets it in)"
    case .flagged(let flag): flag.message
    }
  }
}

extension Ticker {
  /// The turnover to the unit: its tail is of no use to the eye. JSON and csv have every digit.
  fileprivate var turnoverText: StyledText {
    guard let turnover = turnover24.value else { return cellText(.turnover24) }
    return StyledText(
      turnover >= 100 ? turnover.rounded(toPlaces: 0).shortest : turnover.rounded(toSignificantDigits: 4).shortest)
  }
}
