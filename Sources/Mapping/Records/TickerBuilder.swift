import Config
import JSON
package import Quotes

/// A builder of the rows of one response: what they have in common, and how each of their cells is read.
final class TickerBuilder: Sendable {
  /// What all rows have in common.
  let blank: TickerRow
  /// The bases of the blank row, kept separately since a row is large.
  private let bases: Bases
  private let record: RecordPlan<TickerField>
  /// The fields that are plain numbers, and the others, each in field order.
  private let plainFields: [PlainField]
  private let otherFields: [(field: TickerField, value: ValuePlan)]
  private let mappedFields: [TickerField]
  /// The fields that have a mapping, and those that messages never have, if the builder reads messages: their cells are
  /// from the table.
  private let mapped: TickerFields
  private let unsent: TickerFields
  private let unsentFields: [TickerField]
  /// The headline field of a row: the price, or its substitute.
  private let headline: TickerField?
  private let time: ValuePlan?
  private let plainTime: PlainTime?
  /// The price, if it or one of its alternatives names a basis.
  private let priceWithBasis: ValuePlan?
  private let traces: Bool
  private let arrival: Instant?
  private let check: MeaningCheck
  private let changeIsFromOpen: Bool
  private let turnoverIsComputed: Bool
  /// Whether figures of the rows are of a calendar day.
  private let hasCalendarDay: Bool
  /// Bid and ask, if the rows have both.
  private let offers: TickerFields
  /// Whether messages have a price, but neither change nor open.
  private let lacksChange: Bool

  convenience init(_ plan: TablePlan, _ options: Interpretation, arrival: Instant?) {
    self.init(plan.record, of: plan.spec, plan.market, options, arrival: arrival)
  }

  init(
    _ record: RecordPlan<TickerField>, of spec: TableSpec, _ market: Market, _ options: Interpretation,
    arrival: Instant?
  ) {
    check = options.check.adapted(to: spec)
    self.arrival = arrival
    traces = options.traces
    func basis(_ field: TickerField) -> String? { record[field]?.spec.basis }
    let ticker = Ticker(
      exchange: spec.owner, market: market, symbol: "", pair: Pair(asset: "", payment: ""), arrival: arrival,
      changeBasis: basis(.changePricePercent24).flatMap { ChangeBasis(rawValue: $0) },
      highBasis: basis(.high).flatMap { ChangeBasis(rawValue: $0) } ?? .rolling24h,
      lowBasis: basis(.low).flatMap { ChangeBasis(rawValue: $0) } ?? .rolling24h,
      timeBasis: basis(.time).flatMap { TimeBasis(rawValue: $0) } ?? .quote)
    blank = TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
    bases = Bases(ticker)
    hasCalendarDay = ticker.hasCalendarDay
    self.record = record
    let headline = TickerField.headlines.first { record[$0] != nil }
    self.headline = headline
    var plainFields: [PlainField] = []
    var otherFields: [(TickerField, ValuePlan)] = []
    for field in TickerField.allCases where field != .time {
      guard let value = record[field] else { continue }
      if let number = PlainNumber(value, field.kind) {
        plainFields.append(PlainField(field: field, number: number, isHeadline: field == headline))
      } else {
        otherFields.append((field, value))
      }
    }
    (self.plainFields, self.otherFields) = (plainFields, otherFields)
    mappedFields = plainFields.map(\.field) + otherFields.map(\.0)
    let figures = TickerField.allCases.filter { $0 != .time }
    mapped = TickerFields(figures.filter { record[$0] != nil })
    offers = mapped.isSuperset(of: .offers) ? .offers : TickerFields()
    unsentFields = figures.filter { record[$0] == nil }
    unsent = TickerFields(unsentFields)
    lacksChange = headline == .price && unsent.isSuperset(of: TickerFields([.changePricePercent24, .open]))
    time = record[.time]
    plainTime = time.flatMap { PlainTime($0) }
    priceWithBasis = record[.price].flatMap { $0.namesBasis ? $0 : nil }
    changeIsFromOpen = record.changeIsFromOpen
    turnoverIsComputed = record.turnoverIsComputed
  }

  /// Fills a blank row that already has its names.
  ///
  /// - Parameters:
  ///   - rank: the order of its product in the part.
  ///   - multiplier: the number of units of the asset that the exchange counts as one.
  func fill<Rows>(
    _ row: inout TickerRow, rank: ProductRank, multiplier: Decimal?, _ reader: ValueReader<Rows>, at place: RowPlace
  ) {
    row.rank = rank
    readFields(of: &row.ticker, reader, at: place)
    if let multiplier { row.ticker.divide(by: multiplier) }
    if hasCalendarDay, let arrival { row.ticker.expire(row.ticker.endedFigures(at: arrival, made: check.answerMade)) }
    let flags = check.findings(
      row.ticker, arrival: arrival, changeIsFromOpen: changeIsFromOpen, turnoverIsComputed: turnoverIsComputed)
    if !flags.isEmpty { row.ticker.flags = flags }
    if traces {
      let ticker = row.ticker
      row.traces = reader.traces(record, at: place, multiplier: multiplier) { ticker.explainedText($0) }
    }
  }

  /// The part of a row that a message updates.
  struct RowUpdate {
    /// Besides the time, which tells nothing by itself.
    var fields = TickerFields()
    /// Whether there is a new price or substitute, and not just the reason why there is none.
    var hasPrice = false
  }

  /// Updates a row from a message. A field whose path leads to nothing keeps its cell, since the message does not
  /// mention it; but bid and ask come together.
  ///
  /// - Parameters:
  ///   - standing: the flags that no message can judge.
  ///   - renewsChange: see ``renewsChange(of:)``.
  ///   - said: the fields that messages have mentioned so far.
  ///   - trade: what was known of its last trade.
  ///   - ownTime: the time in the row; nil if it has none.
  func apply<Rows>(
    to ticker: inout Ticker, standing: [Flag], renewsChange: Bool, said: inout TickerFields, trade: inout LastTrade,
    ownTime: Instant?, arrival: Instant, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> RowUpdate {
    // Messages that have a time of their own trades are believed.
    let isDated = trade.isOfTable && bases.time == .quote && headline == .price
    let hasCalendarDay = ticker.hasCalendarDay
    // What the message does not have stays, unless the message is of a later day. A time in another unit, or by a clock
    // that is ahead, proves nothing about the day.
    if hasCalendarDay { ticker.expire(ticker.endedFigures(byTheirClock: min(ownTime ?? arrival, arrival))) }
    var update =
      applyPlain(to: &ticker, ownTime: ownTime, reader, at: place) ?? applyEdited(to: &ticker, reader, at: place)
    withdrawOffers(of: &ticker, missingIn: &update)
    if update.fields.isEmpty { return update }
    if isDated { trade.date(&ticker, after: update) }
    note(arrival, of: &ticker, update)
    if renewsChange, update.hasPrice { ticker.renewChange() }
    if hasCalendarDay { ticker.expire(ticker.endedFigures(at: arrival)) }
    said = TickerFields(rawValue: said.rawValue | update.fields.rawValue)
    let isSaid = mapped.rawValue & ~said.rawValue == 0
    let ofTable = ticker.flags.isEmpty ? [] : ticker.flags.filter(\.isOfTable)
    // A copy of a row costs as much as all its checks, and most streams have every figure.
    if isSaid, !unsentFields.contains(where: { ticker[$0].value != nil }) {
      ticker.flags = findings(ticker, arrival)
    } else {
      let unsent = unsent.union(mapped.subtracting(said)).fields
      ticker.flags = findings(separated(&ticker, unsent, isNewPrice: update.hasPrice), arrival)
    }
    // A message that is late itself proves nothing about now, whenever the last trade was.
    if isDated, update.hasPrice, let ownTime, let flag = check.quoteFinding(time: ownTime, arrival: arrival),
      !ticker.flags.contains(where: { $0.kind == flag.kind })
    {
      ticker.flags.append(flag)
    }
    if !ofTable.isEmpty { ticker.flags = ofTable + ticker.flags }
    // Not those about figures that the row does not have any more.
    for flag in standing
    where flag.isAbout(unsent.union(mapped.subtracting(said)), of: ticker)
      && !ticker.flags.contains(where: { $0.kind == flag.kind })
    {
      ticker.flags.append(flag)
    }
    if reader.rows.repeatsMember(place.index) { ticker.flags.append(.repeatedMember) }
    return update
  }

  /// Notes when a message arrived: a price that it does not have stays as old as it was.
  private func note(_ arrival: Instant, of ticker: inout Ticker, _ update: RowUpdate) {
    // A bid stands for the price only in a row without one.
    if update.hasPrice, headline == .price || ticker.price.value == nil {
      ticker.otherPriceArrival = nil
    } else if ticker.otherPriceArrival == nil {
      ticker.otherPriceArrival = ticker.arrival
    }
    ticker.arrival = arrival
  }

  private func findings(_ ticker: Ticker, _ arrival: Instant) -> [Flag] {
    check.findings(
      ticker, arrival: arrival, changeIsFromOpen: changeIsFromOpen, turnoverIsComputed: turnoverIsComputed)
  }

  /// Returns the row without the figures that no message has had: those of a minute ago prove nothing about a price of
  /// now. Bids and asks, which move with the price, do not stay beside a new one.
  private func separated(_ ticker: inout Ticker, _ unsent: [TickerField], isNewPrice: Bool) -> Ticker {
    var sent = ticker
    for field in unsent where ticker[field].value != nil {
      sent[field] = .missing(.notRequested)
      if isNewPrice, field == .bid || field == .ask { ticker[field] = .missing(.stale) }
    }
    return sent
  }

  /// Returns whether the change of a row of the table moves with the prices of messages, which lack it: if it is that of
  /// the row's price from its open.
  func renewsChange(of row: Ticker) -> Bool { lacksChange && row.isChangeFromOpen }

  /// Returns the flags of a row of the table that are about figures which no message has had.
  ///
  /// - Parameter said: the fields that messages have mentioned so far.
  func standingFlags(of row: Ticker, said: TickerFields) -> [Flag] {
    let unsent = unsent.union(mapped.subtracting(said))
    return row.flags.isEmpty ? [] : row.flags.filter { !$0.isOfTable && $0.isAbout(unsent, of: row) }
  }

  /// Returns the time in a message row; nil if it has none.
  func ownTime<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> Instant? {
    if let plainTime, let instant = reader.plainTime(plainTime, at: place) { return instant }
    return time.flatMap { reader.time($0, at: place).instant }
  }

  /// Updates a row on the path of nearly all messages: plain numbers in a row of single units. Returns nil if a row
  /// needs more than that; anything already updated can stay.
  ///
  /// - Parameter ownTime: the time in the row; nil if it has none.
  private func applyPlain<Rows>(
    to ticker: inout Ticker, ownTime: Instant?, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> RowUpdate? {
    guard otherFields.isEmpty, priceWithBasis == nil, time == nil || plainTime != nil, ticker.isAsSent else {
      return nil
    }
    var update = RowUpdate()
    var bits: UInt16 = 0
    for index in plainFields.indices {
      let plain = plainFields[index]
      guard case .slot(let slot) = reader.rows.rowValue(plain.number.path, at: place) else { return nil }
      if case .missing = slot.kind { continue }
      guard let cell = reader.plainCell(plain.number, of: slot) else { return nil }
      ticker[plain.field] = cell
      ticker.take(bases, of: plain.field)
      bits |= plain.bit
      if plain.isHeadline, case .value = cell { update.hasPrice = true }
    }
    update.fields = TickerFields(rawValue: bits)
    if let ownTime {
      if tellsTime(update) { (ticker.time, ticker.timeMissing, ticker.timeBasis) = (ownTime, nil, bases.time) }
    } else if let plainTime, !reader.isMissing(plainTime.path, at: place) {
      return nil
    } else if update.hasPrice {
      forgetTime(of: &ticker)
    }
    return update
  }

  /// Withdraws the side of the offers that a message lacks beside the other, and both if it should have nothing else: the
  /// book has none there, and the offer of before is gone.
  @inline(__always)
  private func withdrawOffers(of ticker: inout Ticker, missingIn update: inout RowUpdate) {
    let sent = update.fields.rawValue & offers.rawValue
    if sent == offers.rawValue || sent == 0 && offers.rawValue != mapped.rawValue { return }
    for field in [TickerField.bid, .ask] where !update.fields.contains(TickerFields(field)) {
      ticker[field] = .missing(.pathMiss)
      update.fields.insert(TickerFields(field))
    }
  }

  /// Returns whether the message's time is that of the price in the row: not if it should have one and has none.
  private func tellsTime(_ update: RowUpdate) -> Bool { update.hasPrice || headline == nil }

  private func applyEdited<Rows>(
    to ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> RowUpdate {
    var sent = blank.ticker
    // Values computed from the price start from the single-unit price, but are read in multiples.
    sent.price = ticker.price
    if let price = ticker.price.value, let multiplier = ticker.multiplier {
      sent.price = .value(price.scaled(by: multiplier))
    }
    readFields(of: &sent, reader, at: place)
    if let multiplier = ticker.multiplier { sent.divide(by: multiplier) }
    let isAsSent = sent.isAsSent && ticker.isAsSent
    var update = RowUpdate()
    for field in mappedFields {
      let cell = sent[field]
      if case .missing(.plain(.pathMiss)) = cell { continue }
      ticker[field] = cell
      if !isAsSent { ticker.takeWorkings(of: field, from: sent) }
      ticker.take(Bases(sent), of: field)
      update.fields.insert(TickerFields(field))
      if field == headline, case .value = cell { update.hasPrice = true }
    }
    if time != nil, sent.timeMissing != .pathMiss {
      if !tellsTime(update) { return update }
      ticker.takeTime(from: sent)
    } else if update.hasPrice {
      forgetTime(of: &ticker)
    }
    return update
  }

  /// Removes the time of an earlier price, which is not that of a new one without a time.
  private func forgetTime(of ticker: inout Ticker) {
    (ticker.time, ticker.timeMissing) = (nil, time == nil ? .notOffered : .pathMiss)
  }

  private func readFields<Rows>(of ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace) {
    for index in plainFields.indices {
      let plain = plainFields[index]
      if let cell = reader.plainCell(plain.number, at: place) {
        ticker[plain.field] = cell
      } else {
        readEdited(plain.field, of: &ticker, reader, at: place)
      }
    }
    if !otherFields.isEmpty { readOtherFields(of: &ticker, reader, at: place) }
    if priceWithBasis != nil { readPriceBasis(of: &ticker, reader, at: place) }
    if let plainTime, let instant = reader.plainTime(plainTime, at: place) {
      (ticker.time, ticker.timeMissing) = (instant, nil)
    } else {
      readEditedTime(of: &ticker, reader, at: place)
    }
  }

  @inline(never)
  private func readOtherFields<Rows>(of ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace) {
    for index in otherFields.indices {
      let (field, value) = otherFields[index]
      if case .fromOpen(let open) = value.origin {
        ticker.changePricePercent24 = change(to: ticker.price, from: open, reader, at: place)
        ticker.markComputed(field, isQuotient: true)
        continue
      }
      ticker.set(field, to: reader.number(value, at: place))
      if value.isComputed { ticker.markComputed(field, isQuotient: value.hasQuotient) }
    }
  }

  @inline(never)
  private func readPriceBasis<Rows>(of ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace) {
    guard let priceWithBasis, let name = reader.basis(priceWithBasis, at: place),
      let basis = PriceBasis(rawValue: name)
    else { return }
    ticker.priceBasis = basis
  }

  @inline(never)
  private func readEditedTime<Rows>(of ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace) {
    if let time { (ticker.time, ticker.timeMissing) = reader.time(time, at: place) }
  }

  /// Not inlined, to keep the loop over the plain columns short.
  @inline(never)
  private func readEdited<Rows>(
    _ field: TickerField, of ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace
  ) {
    if let value = record[field] { ticker.set(field, to: reader.number(value, at: place)) }
  }

  /// Returns how much a price is above an open, in percent.
  private func change<Rows>(
    to price: Cell, from open: ValuePlan, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> Cell {
    guard let price = price.value else { return price }
    switch reader.number(open, at: place).cell.positive {
    case .missing(let reason): return .missing(reason)
    case .value(let open):
      return price.percent(above: open).map { .value($0) } ?? .missing(.zero)
    }
  }
}

extension Flag {
  /// Returns whether all figures of a row that the flag may be about, besides the price, are among these.
  package func isAbout(_ fields: TickerFields, of row: Ticker) -> Bool {
    let figures: [TickerField] =
      switch kind {
      case .change: [.changePricePercent24, .open]
      case .range: [.open, .high, .low]
      case .turnover: [.volume24, .turnover24]
      case .bidAsk, .offers: [.bid, .ask]
      default: []
      }
    let present = figures.filter { row[$0].value != nil }
    return !present.isEmpty && fields.isSuperset(of: TickerFields(present))
  }
}

/// A field that is a plain number.
private struct PlainField {
  let field: TickerField
  let number: PlainNumber
  /// Its bit in ``TickerFields``: a set is made once per message and not once per field.
  let bit: UInt16
  let isHeadline: Bool

  init(field: TickerField, number: PlainNumber, isHeadline: Bool) {
    (self.field, self.number, self.isHeadline) = (field, number, isHeadline)
    bit = TickerFields(field).rawValue
  }
}

extension RecordPlan<TickerField> {
  /// Whether change and open are the same fact, so that comparing them would prove nothing.
  var changeIsFromOpen: Bool {
    guard let change = self[.changePricePercent24] else { return false }
    if case .fromOpen = change.origin { return true }
    // `last - change` is a fact of its own beside a percentage that the exchange sends.
    guard let open = self[.open], open.isComputed else { return false }
    return !open.spec.places.isDisjoint(with: change.spec.places)
  }

  /// Whether either of volume and turnover is computed from just the other and the price, so that they cannot confirm
  /// each other. Contracts times their size are an independent figure: comparing them with the turnover reveals a wrong
  /// size. So is an average price that the volume is multiplied by: it must be a price of the day.
  var turnoverIsComputed: Bool {
    guard let turnover = self[.turnover24], let volume = self[.volume24] else { return false }
    guard turnover.isComputed || volume.isComputed else { return false }
    let others = [self[.price], self[.open], self[.high], self[.low]].compactMap(\.self)
    func places(_ values: [ValuePlan]) -> Set<String> { values.reduce(into: []) { $0.formUnion($1.spec.places) } }
    func proves(_ value: ValuePlan, against other: ValuePlan) -> Bool {
      guard value.isComputed else { return true }
      let (own, theirs, prices) = (value.spec.places, other.spec.places, places(others))
      if own.isSuperset(of: theirs) { return !own.subtracting(theirs).isSubset(of: prices) }
      return own.isDisjoint(with: theirs.union(prices))
    }
    return !proves(turnover, against: volume) || !proves(volume, against: turnover)
  }
}

extension Flag {
  /// One name has several values, of which the last counts.
  static var repeatedMember: Flag { Flag(.malformed, .repeatedMember) }
}
