import Formats
import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// The order book of one pair on one or more exchanges.
package struct OrderBookReport: LineReport {
  package struct Order: Sendable {
    /// The size in the asset; above zero.
    package let size: Decimal
    /// Each exchange's taker fee in percent, in the order of the answers; nil if unknown.
    package let takerFees: [Decimal?]

    package init(size: Decimal, takerFees: [Decimal?]) {
      self.size = size
      self.takerFees = takerFees
    }
  }

  let answers: [PairAnswer<OrderBook>]
  let depth: Int
  let step: Decimal?
  let order: Order?
  let time: Instant
  let zone: ClockZone
  let isExplained: Bool

  /// The levels that are shown, after joining and truncation.
  private let shown: [OrderBook?]
  private let steps: [Decimal?]
  /// Why a book is excluded from round trips; nil if it is not.
  private let objections: [Flag?]

  /// - Parameters:
  ///   - answers: the books with all received levels.
  ///   - depth: how many levels per side are shown and summed.
  ///   - step: levels are joined to multiples of this, above zero, in the payment currency of the first book; see
  ///     `Steps.ofBooks`.
  ///   - identity: compares the books of different exchanges.
  ///   - time: the reference time for the ages of books.
  package init(
    _ answers: [PairAnswer<OrderBook>], depth: Int, step: Decimal? = nil, order: Order? = nil,
    identity: IdentityCheck, at time: Instant, zone: ClockZone, isExplained: Bool = false
  ) {
    self.isExplained = isExplained
    self.answers = answers
    self.depth = depth
    self.step = step
    self.order = order
    self.time = time
    self.zone = zone
    steps = Steps.ofBooks(answers.map { ($0.pair.payment, $0.value) }, step)
    shown = zip(answers, steps).map { answer, step in
      answer.value.map { book in (step.map { book.stepped(by: $0) } ?? book).best(depth) }
    }
    objections = Self.objections(to: answers, identity)
  }

  /// Returns each book's own flags first; the remaining books are compared within each currency.
  private static func objections(to answers: [PairAnswer<OrderBook>], _ identity: IdentityCheck) -> [Flag?] {
    let own = answers.map { $0.value?.flags.first(where: \.excludes) }
    let among = answers.identityFlags(identity) { $0.flags.contains(where: \.excludes) ? nil : $0.price }
    return zip(own, among).map { $0 ?? $1 }
  }

  package var isEmpty: Bool { answers.allSatisfy { $0.value == nil } }

  /// The distance from the middle, in percent, within which the second ratio counts.
  static let nearPercent = Decimal(1).scaledByPowerOfTen(-1)

  // MARK: Text

  package func text(on page: Page) -> String {
    let drawings = answers.indices.map { index in
      shown[index].map { OrderBookDrawing(answers[index], $0, step: steps[index], at: time, zone: zone, on: page) }
    }
    let least = drawings.compactMap { $0?.minimumWidth }.max() ?? 40
    let words = page.language
    let title =
      answers.isEmpty
      ? words("Order book", "호가창") : words("\(answers.pairTitle()) order book", "\(answers.pairTitle()) 호가창")
    var sections = [page.header(title, time: time)]
    sections.append(
      page.beside(answers.count, least: least) { range, width in
        zip(range, OrderBookDrawing.beside(Array(drawings[range]), width)).map { index, drawn in
          drawn?.lines ?? [StyledText(answers[index].title(words), .heading), answers[index].absence]
        }
      } + page.hiddenNote(drawings.flatMap { $0?.hiddenTitles(page.pictureWidth) ?? [] }.unique))
    if let order, !isEmpty { sections.append(page.lines(orderLines(order, on: page))) }
    // With several books, the order's lines already name the flagged ones.
    sections.append(page.remarks(order != nil && answers.count > 1 ? notes(words) { $0.notes } : notes(words)))
    if isExplained { sections.append(Explanation.text(of: answers, on: page)) }
    return page.sections(sections)
  }

  package var notes: [String] { notes(.english) }

  private func notes(_ language: Language) -> [String] {
    notes(language) { $0.notes + ($0.value?.flags ?? []).map { "\($0.code): \($0.message(language))" } }
  }

  private func notes(_ language: Language, _ own: (PairAnswer<OrderBook>) -> [String]) -> [String] {
    answers.named(language, own) + answers.conversionNotes(at: time, language)
  }

  // MARK: Order

  private struct OrderSide {
    /// The index of the answer.
    let place: Int
    let isPurchase: Bool
    /// nil if the book has no offers to fill it from.
    let fill: OrderBook.Fill?

    var name: String { isPurchase ? "buy" : "sell" }
  }

  private func sides(_ order: Order) -> [OrderSide] {
    answers.enumerated().flatMap { place, answer in
      guard let book = answer.value else { return [] as [OrderSide] }
      return [
        OrderSide(place: place, isPurchase: true, fill: book.buying(order.size)),
        OrderSide(place: place, isPurchase: false, fill: book.selling(order.size)),
      ]
    }
  }

  /// What there is to say about an order, the most useful first.
  private enum OrderSubject: Int {
    case size, bestTrip
    /// A fill that the best trip consists of, or one without any trip.
    case usedFill
    /// The fees of the best trip, and that nothing is known of transfers, if not on its own line.
    case terms
    case otherFill, leftOut, returnTrip, noTrip
  }

  /// - Parameter most: how many lines there is room for. If not for all, those that fit are kept, the most useful first,
  ///   each fill and trip without its details.
  func orderLines(_ order: Order, on page: Page, upTo most: Int = .max) -> [StyledText] {
    let all = orderParts(order, on: page, isBrief: false).flatMap(\.lines)
    guard all.count > most else { return all }
    let parts = orderParts(order, on: page, isBrief: true)
    var room = most
    var kept: Set<Int> = []
    let ranked = parts.indices.sorted { (parts[$0].subject.rawValue, $0) < (parts[$1].subject.rawValue, $1) }
    for place in ranked where parts[place].lines.count <= room {
      room -= parts[place].lines.count
      kept.insert(place)
    }
    return parts.indices.filter(kept.contains).flatMap { parts[$0].lines }
  }

  private func orderParts(
    _ order: Order, on page: Page, isBrief: Bool
  ) -> [(subject: OrderSubject, lines: [StyledText])] {
    let words = page.language
    let asset = answers.first?.pair.asset ?? ""
    let names = answers.sourceNames()
    let best = answers.count > 1 ? trips(order).first : nil
    let size = words("order of \(order.size.shortest) \(asset)", "주문 수량 \(order.size.shortest) \(asset)")
    var parts: [(subject: OrderSubject, lines: [StyledText])] = [(.size, [StyledText(size, .heading)])]
    for side in sides(order) {
      let isUsed = best.map { side.place == (side.isPurchase ? $0.buy : $0.sell) } ?? true
      let name = side.isPurchase ? words("buy", "매수") : words("sell", "매도")
      let head = StyledText(words("  \(name) \(names[side.place])", "  \(names[side.place]) \(name)"))
      let figures = self.parts(of: side, words)
      // Why a book is left out may have no line of its own.
      let flags = isBrief ? [objections[side.place]].compactMap { $0.map { StyledText($0.code, .warning) } } : []
      let line = [head] + figures.prefix(1) + flags + figures.dropFirst()
      parts.append((isUsed ? .usedFill : .otherFill, Self.lines(line, needed: 2 + flags.count, on: page, isBrief)))
    }
    guard answers.count > 1 else { return parts }
    for (name, objection) in zip(names, objections) {
      guard let objection else { continue }
      let leftOut = words("left out", "제외")
      let line = StyledText("  \(name): \(leftOut), \(objection.code): \(objection.message(words))", .warning)
      parts.append((.leftOut, line.wrapped(to: page.width)))
    }
    guard let best else {
      let none =
        comparableCount > 1
        ? words("no two exchanges can fill the whole order in one currency", "같은 통화로 주문 전량을 체결할 두 거래소가 없음")
        : words("no two books can be compared", "비교할 수 있는 두 호가창 없음")
      return parts + [(.noTrip, StyledText("  \(none)", .dim).wrapped(to: page.width))]
    }
    let trip = tripParts(best, order, words)
    let lines = Self.lines(trip, needed: 1, on: page, isBrief)
    parts.append((.bestTrip, lines))
    if isBrief, lines == Self.lines([trip[0]], needed: 1, on: page, isBrief) {
      parts.append((.terms, (StyledText(blanks: 4) + trip[1]).wrapped(to: page.width)))
    }
    return parts + [(.returnTrip, returnLines(best, order, on: page, isBrief))]
  }

  /// Returns parts on as many lines as they take, or briefly those that are needed and what else has room beside them.
  private static func lines(_ parts: [StyledText], needed: Int, on page: Page, _ isBrief: Bool) -> [StyledText] {
    let width = page.width ?? .max
    let statuses = parts.enumerated().map { $0 < needed ? StatusPart(needed: [$1]) : StatusPart($1) }
    let lines =
      isBrief
      ? StyledText.fitting(statuses, "  ", width: width) : StyledText.flow(parts, width: width, indent: 4)
    return lines.flatMap { $0.wrapped(to: page.width) }
  }

  private func parts(of side: OrderSide, _ words: Language) -> [StyledText] {
    let pair = answers[side.place].pair
    guard let fill = side.fill else {
      let offers = side.isPurchase ? words("asks", "매도 호가") : words("bids", "매수 호가")
      return [StyledText(words("-  no \(offers)", "-  \(offers) 없음"), .dim)]
    }
    let end = "\(fill.size.shortest) \(pair.asset)"
    guard fill.isWhole else {
      return [StyledText(words("-  book ends at \(end)", "-  호가가 \(end)에서 끝남"), .warning)]
    }
    return [
      StyledText(words("average", "평균 체결가") + " \(fill.averagePrice.shownPrice)"),
      StyledText(fill.slippagePercent.map { words("slippage", "슬리피지") + " \($0.finePercentText) %" } ?? ""),
      StyledText(words(fill.levels.counted("level"), "호가 \(fill.levels)개")),
      StyledText("\(fill.money.shownPrice) \(pair.payment)", .dim),
    ]
  }

  /// A purchase on one exchange and a sale on another.
  private struct Trip {
    let buy: Int
    let sell: Int
    let value: RoundTrip
    /// nil if either fee is unknown.
    let netPercent: Decimal?
    let percent: Decimal
  }

  /// Returns all possible round trips, with both orders fully filled, in one currency and on comparable books; the one
  /// that leaves the most first, after fees if all are known.
  private func trips(_ order: Order) -> [Trip] {
    let purchases = answers.map { $0.value?.buying(order.size) }
    let sales = answers.map { $0.value?.selling(order.size) }
    var trips: [Trip] = []
    for buy in answers.indices {
      for sell in answers.indices where sell != buy && objections[buy] == nil && objections[sell] == nil {
        guard let cost = purchases[buy], cost.isWhole, let proceeds = sales[sell], proceeds.isWhole,
          let trip = trip(buy, cost.money, sell, proceeds.money), let percent = trip.percent()
        else { continue }
        let fees = (order.fee(buy), order.fee(sell))
        var net: Decimal?
        if case (let buyFee?, let sellFee?) = fees { net = trip.percent(buyFee: buyFee, sellFee: sellFee) }
        trips.append(Trip(buy: buy, sell: sell, value: trip, netPercent: net, percent: percent))
      }
    }
    // By what is left, if all fees are known. The sort is stable: ties keep the order of the answers.
    let countsFees = trips.allSatisfy { $0.netPercent != nil }
    func share(_ trip: Trip) -> Decimal { countsFees ? trip.netPercent ?? trip.percent : trip.percent }
    return trips.sorted { share($0) > share($1) }
  }

  /// The number of books that may be part of a round trip.
  private var comparableCount: Int { zip(answers, objections).count { $0.value != nil && $1 == nil } }

  private var tripAbsence: String {
    answers.count < 2 ? "one-exchange" : comparableCount < 2 ? "not-comparable" : "not-filled"
  }

  private func trip(_ buy: Int, _ cost: Decimal, _ sell: Int, _ proceeds: Decimal) -> RoundTrip? {
    if answers[buy].pair.payment == answers[sell].pair.payment { return RoundTrip(cost: cost, proceeds: proceeds) }
    guard let from = answers[buy].conversion, let to = answers[sell].conversion, from.currency == to.currency,
      let cost = from.converted(cost), let proceeds = to.converted(proceeds)
    else { return nil }
    return RoundTrip(cost: cost, proceeds: proceeds)
  }

  /// Returns the reverse trip, with the two exchanges swapped.
  private func returnLines(_ trip: Trip, _ order: Order, on page: Page, _ isBrief: Bool) -> [StyledText] {
    if let back = trips(order).first(where: { $0.buy == trip.sell && $0.sell == trip.buy }) {
      return Self.lines(tripParts(back, order, page.language), needed: 1, on: page, isBrief)
    }
    // Both books exist and their currencies match, so one of the books is too short.
    let line =
      StyledText(head(buy: trip.sell, sell: trip.buy, page.language))
      + StyledText(page.language("-  a book ends before the whole order", "-  호가가 주문보다 먼저 끝남"), .dim)
    return Self.lines([line], needed: 1, on: page, isBrief)
  }

  /// `  buy Kraken, sell Indodax: `
  private func head(buy: Int, sell: Int, _ words: Language) -> String {
    let names = answers.sourceNames()
    let (buy, sell) = (names[buy], names[sell])
    return words("  buy \(buy), sell \(sell): ", "  \(buy) 매수, \(sell) 매도: ")
  }

  /// Returns what a trip leaves, and its terms.
  private func tripParts(_ trip: Trip, _ order: Order, _ words: Language) -> [StyledText] {
    let names = answers.sourceNames()
    func fee(_ index: Int) -> String {
      "\(names[index]) \(order.fee(index).map { "\($0.shortest) %" } ?? words("not known", "확인 안 됨"))"
    }
    let head = head(buy: trip.buy, sell: trip.sell, words)
    let net = trip.netPercent.map { StyledText("\($0.signedFinePercentText) %", Style(ofChange: $0)) } ?? .nothing
    return [
      StyledText(head) + StyledText("\(trip.percent.signedFinePercentText) %", Style(ofChange: trip.percent))
        + StyledText(words(" before fees, ", " (수수료 전), ")) + net
        + StyledText(words(" after fees", " (수수료 후)")),
      StyledText("(\(fee(trip.buy)), \(fee(trip.sell)); \(words("transfers: not known", "입출금: 확인 안 됨")))", .dim),
    ]
  }

  // MARK: Data

  package func json() -> [UInt8] {
    var value: JSONValue = ["time": .string(time.iso8601), "depth": .integer(depth), "step": .text(step?.shortest)]
    value += [
      "venues": .list(answers.indices) {
        answers[$0].json(at: time) + json(of: $0) + Explanation.member(of: answers[$0], isExplained)
      }
    ]
    if let order {
      let trips = trips(order)
      value += [
        "size": .string(order.size.shortest), "roundTrip": trips.first.map(json) ?? nil,
        "roundTripReason": .text(trips.isEmpty ? tripAbsence : nil), "roundTrips": .list(trips, json),
        "excluded": excludedJSON,
      ]
    }
    return value.document
  }

  private var excludedJSON: JSONValue { .list(answers.indices.filter { objections[$0] != nil }, excludedJSON) }

  private func excludedJSON(_ index: Int) -> JSONValue {
    [
      "exchange": .string(answers[index].exchange), "pair": .string("\(answers[index].pair)"),
      "reason": .text(objections[index]?.code), "message": .text(objections[index]?.message),
    ]
  }

  private func json(of index: Int) -> JSONValue {
    guard let book = shown[index], let whole = answers[index].value else { return [:] }
    var value: JSONValue = [
      "bookTime": .text(whole.time?.iso8601), "sequence": .text(whole.sequence),
      "reasons": .reasons([("bookTime", whole.timeMissing?.code)]), "flags": .texts(whole.flags.codes),
      "bid": .text(whole.bids.first?.price.description), "ask": .text(whole.asks.first?.price.description),
      "spread": .text(whole.spread?.shortest), "spreadPercent": .text(whole.spreadPercent?.quotientText),
      "middle": .text(whole.middle?.shortest),
    ]
    if !whole.flags.isEmpty {
      value += ["flagMessages": .members(whole.flags.messagesByCode.map { ($0.code, .text($0.message)) })]
    }
    if step != nil { value += ["step": .text(steps[index]?.shortest)] }
    if let conversion = answers[index].conversion { value += ["converted": .text(conversion.text(whole.middle))] }
    let near: JSONValue =
      ["withinPercent": .string(Self.nearPercent.shortest)] + Self.json(of: whole.sizes(within: Self.nearPercent))
      + ["reached": .bool(Self.reachesNear(whole))]
    value +=
      Self.json(of: book.sizes()) + [
        // A book of one side has no middle.
        "near": whole.middle == nil ? nil : near,
        "bids": Self.json(of: book.bids, endsWithinStep: book.endsWithinStep.bids),
        "asks": Self.json(of: book.asks, endsWithinStep: book.endsWithinStep.asks),
      ]
    guard let order else { return value }
    return value + [
      "order": [
        "buy": whole.buying(order.size).map { json(of: $0) } ?? nil,
        "sell": whole.selling(order.size).map { json(of: $0) } ?? nil,
        "takerFeePercent": .text(order.fee(index)?.shortest),
      ]
    ]
  }

  private static func json(of sizes: (bids: Decimal, asks: Decimal)) -> JSONValue {
    [
      "bidSize": .string(sizes.bids.shortest), "askSize": .string(sizes.asks.shortest),
      "bidPercent": .text(share(sizes)?.quotientText),
    ]
  }

  private static func json(of levels: [OrderBook.Level], endsWithinStep: Bool) -> JSONValue {
    .list(levels.withTotals.enumerated()) { index, row in
      let value: JSONValue = [
        "price": .string(row.level.price.description), "size": .string(row.level.size.description),
        "total": .string(row.total.description),
      ]
      let isInPart = endsWithinStep && index == levels.count - 1
      return isInPart ? value + ["reasons": ["size": .string(LevelRecords.inPart)]] : value
    }
  }

  /// - Parameter fill: nil for a side without levels.
  private func json(of fill: OrderBook.Fill?) -> JSONValue {
    [
      "size": .string(fill?.size.shortest ?? "0"), "whole": .bool(fill?.isWhole ?? false),
      "money": .text(fill?.money.shortest), "averagePrice": .text(fill?.averagePrice.exactQuotientText),
      "levels": .integer(fill?.levels ?? 0), "slippagePercent": .text(fill?.slippagePercent?.quotientText),
    ]
  }

  private func json(of trip: Trip) -> JSONValue {
    [
      "buy": .string(answers[trip.buy].exchange), "buyPair": .string("\(answers[trip.buy].pair)"),
      "sell": .string(answers[trip.sell].exchange), "sellPair": .string("\(answers[trip.sell].pair)"),
      "cost": .string(trip.value.cost.quotientText), "proceeds": .string(trip.value.proceeds.quotientText),
      "percent": .string(trip.percent.quotientText), "netPercent": .text(trip.netPercent?.quotientText),
    ]
  }

  /// Returns whether both sides reach that distance from the middle; otherwise there may be more within it.
  static func reachesNear(_ book: OrderBook) -> Bool {
    guard let middle = book.middle, let bid = book.bids.last, let ask = book.asks.last else { return false }
    let distance = middle * nearPercent.scaledByPowerOfTen(-2)
    return bid.price <= middle - distance && ask.price >= middle + distance
  }

  /// Returns the bids' share of both sides, in percent; nil if both are empty.
  static func share(_ sizes: (bids: Decimal, asks: Decimal)) -> Decimal? {
    sizes.bids.percent(of: sizes.bids + sizes.asks)
  }

  /// Returns bids against asks, in percent: `55.1 : 44.9`.
  ///
  /// - Parameter share: the bids' share in percent.
  static func ratio(_ share: Decimal) -> String {
    "\(share.shownShare.fixedText(places: 1)) : \((100 - share.shownShare).fixedText(places: 1))"
  }

  package func ndjson() -> [UInt8] {
    var lines = LineWriter()
    LevelRecords(answers, levels: shown).write(into: &lines)
    if let order { addOrder(order, to: &lines) }
    return lines.finished(answers, isExplained: isExplained)
  }

  /// Adds a line for each side of each book, for each round trip, and for each book excluded from them.
  private func addOrder(_ order: Order, to lines: inout LineWriter) {
    for side in sides(order) {
      let fee = order.fee(side.place)
      lines.object(
        "order", of: answers[side.place],
        ["side": .string(side.name), "orderSize": .string(order.size.shortest)] + json(of: side.fill) + [
          "takerFeePercent": .text(fee?.shortest),
          "reasons": .reasons(reasons(of: side, fee)),
        ])
    }
    for trip in trips(order) { lines.object("roundTrip", json(of: trip)) }
    for index in answers.indices where objections[index] != nil { lines.object("excluded", excludedJSON(index)) }
  }

  private func reasons(of side: OrderSide, _ fee: Decimal?) -> [(title: String, code: String?)] {
    let empty = side.isPurchase ? "no-asks" : "no-bids"
    return (side.fill == nil ? ["money", "averagePrice", "slippagePercent"].map { ($0, empty) } : [])
      + (fee == nil ? [("takerFeePercent", "not-known")] : [])
  }

  /// Returns an order's figures if one is to be priced, otherwise the levels.
  package func csv() -> [UInt8] { order.map(orderCSV) ?? LevelRecords(answers, levels: shown).csv() }

  private func orderCSV(_ order: Order) -> [UInt8] {
    var writer = CSVWriter(
      titles: PairAnswer<OrderBook>.fieldTitles + [
        "side", "orderSize", "size", "whole", "averagePrice", "money", "levels", "slippagePercent", "takerFeePercent",
        "excluded",
      ] + PairAnswer<OrderBook>.lastTitles)
    for side in sides(order) {
      let (fill, fee) = (side.fill, order.fee(side.place))
      writer.addRecord(
        answers[side.place].fields + [
          .text(side.name), .number(order.size.shortest), .number(fill?.size.shortest ?? "0"),
          .flag(fill?.isWhole == true), .number(fill?.averagePrice.exactQuotientText), .number(fill?.money.shortest),
          .number(fill.map { "\($0.levels)" } ?? "0"), .number(fill?.slippagePercent?.quotientText),
          .number(fee?.shortest), .text(objections[side.place]?.code), .reasons(reasons(of: side, fee)),
          answers[side.place].lastField,
        ])
    }
    return writer.finished()
  }
}

extension OrderBookReport.Order {
  fileprivate func fee(_ index: Int) -> Decimal? { takerFees.indices.contains(index) ? takerFees[index] : nil }
}
