import Mapping
import MarketData
import Quotes
import Terminal

/// Writes a premium for people: for each price of the dollar a table of exchanges against exchanges.
struct PremiumText {
  let snapshot: PremiumSnapshot
  let palette: Palette
  /// Cells a line; nil for a pipe.
  let width: Int?
  /// Weekdays in the reader's language.
  let language: WeekdayNames
  /// What a replay says of itself; nil when the answers are live.
  let replayNote: String?

  private var question: PremiumQuestion { snapshot.question }
  private var table: LocalPremiumTable { snapshot.table }

  func text() -> String {
    let title = "\(question.asset) in \(question.local) over \(question.dollars.joined(separator: ", "))"
    let header = HeaderText(
      title: title, time: snapshot.time, rate: snapshot.rate, language: language, replayNote: replayNote
    ).text(with: palette)
    var sections = [header + conditions()]
    guard !table.premiums.isEmpty else {
      return (sections + [nothing(), exclusions()]).filter { !$0.isEmpty }.joined(separator: "\n")
    }
    sections += DollarBasis.allCases.map { section($0) }
    sections.append(remarks())
    return sections.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: Head

  /// The prices of dollar tokens, and what the figures are of.
  private func conditions() -> String {
    var lines: [StyledText] = []
    let usable = table.local.filter { (try? $0.price.get()) != nil }
    if !usable.isEmpty {
      let prices = usable.map { "  \($0.ticker.exchange) \($0.priceText)" }.joined()
      lines.append(StyledText("\(question.asset)/\(question.local)\(prices)"))
    }
    for token in Set(snapshot.tokens.map(\.ticker.pair.asset)).sorted() {
      var line = StyledText("\(token)/\(question.local)")
      for row in snapshot.tokens where row.ticker.pair.asset == token {
        let isUsable = row.ticker.headlineObjection() == nil
        line = line + StyledText("  \(row.ticker.exchange) ") + row.ticker.cellText(.price, isUsable ? .neutral : .dim)
        if !isUsable { line = line + StyledText(" ") + row.ticker.remarks }
      }
      lines.append(line)
    }
    if let size = question.size {
      lines.append(StyledText("for \(size.shortest) \(question.local), by the order books", .dim))
    }
    if question.countsFees { lines += feeLines }
    return lines.map { $0.painted(with: palette) + "\n" }.joined()
  }

  /// The fees that went into the figures: they differ by customer, so the reader has to see them.
  private var feeLines: [StyledText] {
    let compared = (table.local + table.dollar).filter { (try? $0.price.get()) != nil }
    let fees = compared.compactMap { row in
      snapshot.fees[row.ticker.key].map { "\(row.ticker.exchange) \(row.ticker.pair.payment) \($0.shortest)" }
    }
    let line = "net of taker fees, in percent: " + fees.joined(separator: ", ")
    return TerminalText.wrapped(line, cells: width).map { StyledText($0, .dim) }
  }

  private func nothing() -> String {
    let sides = [
      ("\(question.asset)/\(question.local)", table.local),
      ("\(question.asset) in " + question.dollars.joined(separator: " or "), table.dollar),
    ]
    let missing = sides.filter { side in !side.1.contains { (try? $0.price.get()) != nil } }.map(\.0)
    return missing.map { "no exchange has a usable price of \($0)\n" }.joined()
  }

  // MARK: Tables

  private func section(_ basis: DollarBasis) -> String {
    let title: String
    switch basis {
    case .official:
      let rate = snapshot.rate.quote.map { " \($0.rate.rateText)" } ?? ""
      title = "At the official USD/\(question.local)\(rate), %"
    case .token: title = "At the price of a dollar token on each \(question.local) exchange, %"
    }
    var text = palette.paint(title, as: .heading) + "\n"
    guard let best = table.best(on: basis) else { return text + reasonForNone(basis) + "\n" }
    text += matrix(basis)
    var lines = [StyledText("best  ") + sentence(best, basis)]
    if let worst = table.worst(on: basis) { lines.append(StyledText("worst ") + sentence(worst, basis)) }
    if let reverse = reverseLine(basis) { lines.append(reverse) }
    return text + lines.map { $0.painted(with: palette) + "\n" }.joined()
  }

  private func matrix(_ basis: DollarBasis) -> String {
    let localRows = table.local.indices.filter { index in table.premiums.contains { $0.local == index } }
    let dollarRows = table.dollar.indices.filter { index in table.premiums.contains { $0.dollar == index } }
    var layout = Table(
      columns: [
        TableColumn("against", minimumWidth: 8), TableColumn("", minimumWidth: 3),
        TableColumn("price", .right, dropping: 0),
      ]
        + localRows.map { TableColumn(table.local[$0].ticker.exchange, .right) })
    for dollar in dollarRows {
      let row = table.dollar[dollar]
      layout.addRow(
        [StyledText(row.ticker.exchange), StyledText(row.ticker.pair.payment, .dim), StyledText(row.priceText)]
          + localRows.map { local in
            table.premiums.first { $0.local == local && $0.dollar == dollar }.map { cell($0, basis) }
              ?? StyledText("-", .dim)
          })
    }
    return layout.rendered(width: width, palette: palette)
  }

  private func cell(_ premium: LocalPremium, _ basis: DollarBasis) -> StyledText {
    guard let percent = premium.percents[basis] else { return StyledText("-", .dim) }
    return StyledText((premium.basesDisagree ? "*" : "") + percent.signedPercentText, Style(ofChange: percent))
  }

  private func sentence(_ premium: LocalPremium, _ basis: DollarBasis) -> StyledText {
    guard let percent = premium.percents[basis] else { return StyledText("-", .dim) }
    let local = table.local[premium.local].ticker
    let dollar = table.dollar[premium.dollar].ticker
    return StyledText("\(percent.signedPercentText) %", Style(ofChange: percent))
      + StyledText("  \(local.exchange) over \(dollar.exchange) \(dollar.pair.payment)")
  }

  private func reverseLine(_ basis: DollarBasis) -> StyledText? {
    let reverse = snapshot.reverse
    let found = reverse.reverse(on: basis)
    guard !found.isEmpty, let most = reverse.lowest(on: basis), let percent = most.percents[basis] else {
      return nil
    }
    let local = reverse.local[most.local].ticker
    let dollar = reverse.dollar[most.dollar].ticker
    return StyledText("reverse premium in \(found.count) of \(reverse.premiums.count) pairs, most ")
      + StyledText("\(percent.signedPercentText) %", Style(ofChange: percent))
      + StyledText("  \(local.exchange) under \(dollar.exchange) \(dollar.pair.payment)")
  }

  private func reasonForNone(_ basis: DollarBasis) -> String {
    switch basis {
    case .official: "-  no official rate: " + TerminalText.sanitized(snapshot.rate.reason ?? "")
    case .token: "-  no \(question.local) exchange has a usable price of a dollar token"
    }
  }

  // MARK: Remarks

  private func remarks() -> String {
    var lines: [String] = []
    let disagreeing = table.disagreements.count
    if disagreeing > 0 {
      lines.append("* the two bases disagree in sign: \(disagreeing) of \(table.premiums.count) pairs")
    }
    let payments = Set(table.dollar.map(\.ticker.pair.payment))
    let tokens = question.dollars.filter { $0 != "USD" && payments.contains($0) }
    if !tokens.isEmpty {
      lines.append("\(tokens.joined(separator: ", ")) counted as one dollar each at the official rate")
    }
    if payments.contains("USD") { lines.append("USD counted as one USDT at the price of a token") }
    return lines.map { palette.paint($0, as: .dim) + "\n" }.joined() + exclusions()
  }

  private func exclusions() -> String {
    var lines = table.exclusions.map { exclusion in
      "\(exclusion.exchange) \(exclusion.pair): left out, \(exclusion.objection.code): \(exclusion.objection)"
    }
    lines += snapshot.heldBack.map { report in
      "\(report.exchange) \(report.pair.map { "\($0)" } ?? ""): left out, \(PremiumSnapshot.heldBackReason)"
    }
    return lines.map { palette.paint(TerminalText.sanitized($0), as: .dim) + "\n" }.joined()
  }
}

extension PricedRow {
  /// The price that the row is compared by: as the exchange sent it, or as worked out.
  var priceText: String {
    guard let price = try? price.get() else { return "-" }
    return price == ticker.price.value ? ticker.text(.price) ?? price.shortest : price.rateText
  }
}
