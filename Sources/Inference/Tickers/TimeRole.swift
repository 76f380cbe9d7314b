import Config
package import Quotes

/// Finds the time of a row and its unit.
package struct TimeRole {
  package enum Form: Hashable, Sendable {
    case unit(TimeUnit)
    /// ISO 8601 text; false if it has no zone.
    case iso8601(saysZone: Bool)
    /// A date without time, in a config format; it has no zone.
    case date(format: String)

    var saysZone: Bool {
      switch self {
      case .unit: true
      case .iso8601(let saysZone): saysZone
      case .date: false
      }
    }

    /// The members of a time of this form in the config.
    var members: [(name: String, value: ConfigValue)] {
      switch self {
      case .unit(let unit): [("unit", .text(unit.rawValue))]
      case .iso8601: [("unit", .text("iso8601"))]
      case .date(let format): [("format", .text(format))]
      }
    }
  }

  private(set) var finding: RoleFinding?
  private(set) var form: Form?
  private(set) var isTrade = false

  /// - Parameters:
  ///   - only: the given column whose form is to be determined.
  ///   - arrival: when the answer arrived; nil if unknown.
  init(_ columns: [SampleColumn], taken: Set<Int>, only: Int?, arrival: Instant?) {
    let free = columns.indices.filter { only == nil ? !taken.contains($0) : $0 == only }
    let found = free.compactMap { Self.candidate(columns[$0], $0, isGiven: only != nil, arrival) }
    // Among several equally good times, the latest is that of the quote, unless it is still to come.
    let latest = arrival?.advanced(by: .seconds(60)) ?? Instant(nanoseconds: .max)
    let dated = found.map { one in
      let times = columns[one.finding.column].presentTexts.compactMap { Self.moment($0, one.form) }
      return (one: one, newest: times.filter { $0 <= latest }.max() ?? Instant(nanoseconds: .min))
    }
    let sorted = dated.sorted {
      ($0.one.finding.confidence, $0.newest) > ($1.one.finding.confidence, $1.newest)
    }.map(\.one)
    guard let form = sorted.first?.form, var best = sorted.first?.finding else { return }
    if sorted.count > 1 {
      best.runnerUp = .init(column: sorted[1].finding.column, confidence: sorted[1].finding.confidence)
    }
    let column = columns[best.column]
    isTrade = column.leafName.hasAny([.trade, .last, .close]) || column.isOfLastTrade
    if !isTrade, let scatter = Self.scatter(of: column.presentTexts, form) {
      isTrade = true
      best.evidence.append(scatter)
    }
    (finding, self.form) = (best, form)
  }

  /// Returns nil if a column is not the time of its row.
  private static func candidate(
    _ column: SampleColumn, _ index: Int, isGiven: Bool, _ arrival: Instant?
  ) -> (finding: RoleFinding, form: Form)? {
    guard let form = form(of: column.presentTexts) else { return nil }
    let name = isGiven ? 1 : column.nameScore(.time)
    // The listing time of a pair says nothing about its price.
    guard isGiven || !column.isOfListing && name > 0.04 else {
      // A funding rate, a mark price and an index are renewed for all pairs at once, also for those that nobody trades.
      guard !column.leafName.hasAny([.funding, .mark, .index, .interest]),
        let fresh = arrival.flatMap({ freshness(column.texts, form, at: $0) })
      else { return nil }
      return (RoleFinding(role: .time, column: index, confidence: 0.8, evidence: [fresh, evidence(form)]), form)
    }
    var finding = RoleFinding(role: .time, column: index, confidence: 1 - (1 - name) * 0.5, evidence: ["its name"])
    if !isGiven, form == .iso8601(saysZone: false) {
      finding.doubt(finding.confidence * 0.7, because: evidence(form))
    } else {
      finding.evidence.append(evidence(form))
    }
    if let doubt = listingDates(column.presentTexts, form) { finding.doubt(because: doubt) }
    // One moment for all rows is that of the answer.
    if !isGiven, FieldLexicon.isClock(column.leafName), Set(column.presentTexts).count == 1 {
      finding.doubt(because: clock)
    }
    return (finding, form)
  }

  /// What is said of the time of the server.
  static let clock = "a clock's time, which says when the answer was sent, not how old the quote is"

  /// Returns evidence that the times are those of the quotes, whatever the name: all are of the last minute before the
  /// answer arrived, as nothing else that happened to each pair.
  private static func freshness(_ texts: [String?], _ form: Form, at arrival: Instant) -> String? {
    guard form.saysZone, texts.count >= 3 else { return nil }
    let ages = texts.compactMap { text in
      text.flatMap { moment($0, form) }.map { arrival.nanoseconds(since: $0) / Instant.second }
    }
    guard ages.count == texts.count, let least = ages.min(), let most = ages.max(), least >= -2, most <= 60 else {
      return nil
    }
    return "at most \(max(1, Int(most)).counted("second")) before the answer arrived, in all \(ages.count) rows"
  }

  /// Returns evidence that the times are those of something that happened once to each pair, such as its listing: of a
  /// market's pairs, more than one was traded within the last day.
  private static func listingDates(_ texts: [String], _ form: Form) -> String? {
    let times = texts.compactMap { moment($0, form) }.sorted()
    guard times.count >= 4 else { return nil }
    // A few may be ahead of all others: days of delivery, or a wrong clock.
    let latest = times[times.count - 1 - times.count / 20]
    let behind = times.count { latest.nanoseconds(since: $0) > Instant.day }
    guard times.count - behind <= max(1, times.count / 10) else { return nil }
    return "\(behind) of \(times.count) are more than a day behind the latest, as dates of listing are"
  }

  /// Returns evidence that the times are those of each pair's last trade, as quotes all have the answer's time.
  private static func scatter(of texts: [String], _ form: Form) -> String? {
    let times = texts.compactMap { moment($0, form) }
    guard times.count >= 2, let latest = times.max() else { return nil }
    let behind = times.count { latest.nanoseconds(since: $0) > Instant.minute }
    guard behind * 10 > times.count else { return nil }
    return "of the last trade: \(behind) of \(times.count) are more than a minute behind the latest"
  }

  /// A clock that times without a zone are of, as the answer's arrival shows.
  struct LocalClock {
    /// Its offset from UTC, in whole hours.
    let zoneSeconds: Int
    let evidence: String

    /// Returns nil if nothing speaks against UTC.
    ///
    /// - Parameters:
    ///   - newest: the newest of the times, taken for UTC.
    ///   - things: what they are the times of: `trade`.
    ///   - lead: how far ahead of the arrival it may be.
    ///   - lag: how far behind it usually is; a whole number of hours more is the clock's distance from UTC. None, if
    ///     nothing follows from old times.
    init?(
      _ newest: Instant, _ form: Form, at arrival: Instant?, of things: String, lead: Int64 = Instant.minute,
      lag: Int64 = Instant.minute
    ) {
      guard !form.saysZone, let arrival else { return nil }
      let (ahead, hour) = (newest.nanoseconds(since: arrival), 60 * Instant.minute)
      let hours: Int64
      if ahead > lead, ahead <= 14 * hour {
        hours = (ahead + hour - 1) / hour
        evidence =
          "no \(things) is after the answer arrived: local time, of \(Self.offset(hours)) or further ahead"
      } else if (-12 * hour - lag...(-hour)).contains(ahead), -ahead % hour < lag {
        hours = ahead / hour
        evidence =
          "the newest \(things) is \(Int(-hours).counted("hour")) old to the minute: local time, perhaps of "
          + Self.offset(hours)
      } else {
        return nil
      }
      zoneSeconds = Int(hours) * 3600
    }

    private static func offset(_ hours: Int64) -> String { ClockZone(offsetSeconds: Int(hours) * 3600).offset }
  }

  static func moment(_ text: String, _ form: Form) -> Instant? {
    switch form {
    case .unit(let unit):
      // Zero is not a time.
      Decimal(text).flatMap { $0 == 0 ? nil : Instant($0, unit: unit) }
    case .iso8601: isNever(text) ? nil : Instant.iso8601(text, defaultOffsetSeconds: 0)
    case .date(let format): (try? TimeFormat(format))?.parse(text, offsetSeconds: 0)
    }
  }

  static func evidence(_ form: Form) -> String {
    switch form {
    case .unit(let unit): "its size is that of \(unit.rawValue) since 1970"
    case .iso8601(true): "ISO 8601"
    case .iso8601(false): "ISO 8601 without a zone"
    case .date(let format): "dates as \(format), without a zone"
    }
  }

  /// Returns the date format shared by all texts. Dates are only times for candles; otherwise they are too coarse.
  static func dateForm(of texts: [String]) -> Form? {
    ["yyyy-MM-dd", "yyyy/MM/dd", "yyyy.MM.dd", "yyyyMMdd"].lazy.map { Form.date(format: $0) }.first { form in
      !texts.isEmpty && texts.allSatisfy { moment($0, form).map { !$0.isBeforeCoins } ?? false }
    }
  }

  /// Returns the offset from UTC of the clock that times without a zone are of: the newest of several is as far from the
  /// answer's arrival; nil if none fits.
  static func zoneSeconds(of texts: [String], _ form: Form, at arrival: Instant) -> Int? {
    let newest = texts.compactMap { moment($0, form) }.max()
    guard !form.saysZone, texts.count >= 3, let newest else { return nil }
    let seconds = Int(newest.nanoseconds(since: arrival) / Instant.second)
    let step = 1800
    let zone = Int((Double(seconds) / Double(step)).rounded()) * step
    // The newest quote of many is hardly older than a minute.
    return (zone - 90...zone + 30).contains(seconds) && abs(zone) <= 14 * 3600 ? zone : nil
  }

  /// Returns the format of moments that are written for people, if all texts have it: `28/11/2026 00:08:48`. Where days
  /// and months cannot be told apart, the day comes first.
  static func writtenFormat(of texts: [String]) -> String? {
    let days = ["dd/MM/yyyy", "MM/dd/yyyy", "dd.MM.yyyy", "dd-MM-yyyy", "yyyy/MM/dd", "yyyy-MM-dd", "dd MMM yyyy"]
    let clocks = ["HH:mm:ss", "HH:mm:ss.SSS", "HH:mm", "hh:mm:ss a"]
    let ends = ["", " Z", " 'UTC'", " 'GMT'"]
    let present = texts.filter { !$0.isEmpty }.prefix(50)
    return days.lazy.flatMap { day in clocks.flatMap { clock in ends.map { "\(day) \(clock)\($0)" } } }.first {
      pattern in
      guard !present.isEmpty, let format = try? TimeFormat(pattern) else { return false }
      return present.allSatisfy { format.parse($0, offsetSeconds: 0).map { !$0.isBeforeCoins } ?? false }
    }
  }

  /// Returns the form shared by nearly all texts, of which the first fifty are read: units by magnitude, from 2001 to
  /// 2096.
  package static func form(of texts: some Sequence<String>) -> Form? {
    let present = Array(texts.lazy.filter { !$0.isEmpty && $0 != "0" && !Self.isNever($0) }.prefix(50))
    guard let form = present.first.flatMap({ form(of: $0) }) else { return nil }
    let agreeing = present.count { Self.form(of: $0) == form }
    return agreeing * 10 >= present.count * 8 ? form : nil
  }

  /// Returns whether a text is the first moment of a calendar, which programs write where there is none:
  /// `0001-01-01T00:00:00Z`.
  private static func isNever(_ text: String) -> Bool {
    ["0001-01-01", "1970-01-01"].contains(where: text.hasPrefix) && !text.dropFirst(10).contains { "1"..."9" ~= $0 }
  }

  private static func form(of text: String) -> Form? {
    if let number = Decimal(text) {
      for (unit, power) in [(TimeUnit.seconds, 9), (.milliseconds, 12), (.microseconds, 15), (.nanoseconds, 18)] {
        let low = Decimal(1).scaledByPowerOfTen(power)
        if number >= low, number < low * 4 { return .unit(unit) }
      }
      return nil
    }
    guard text.utf8.count >= 16, let moment = Instant.iso8601(text, defaultOffsetSeconds: 0) else { return nil }
    // A text without a zone is parsed differently under two default zones.
    let other = Instant.iso8601(text, defaultOffsetSeconds: 3600)
    return .iso8601(saysZone: moment == other)
  }
}

extension SampleColumn {
  /// Whether it is within the last trade of its row: `$.last_trade.ts`.
  fileprivate var isOfLastTrade: Bool {
    path.names.dropLast().contains { parent in
      let name = FieldName(parent)
      return name.hasAny([.trade, .last]) && !name.hasAny([.updated, .time])
    }
  }

  fileprivate var isOfListing: Bool {
    FieldName.chunks(of: title).contains {
      ["listed", "listing", "onboard", "launch", "launched"].contains($0.lowercased())
    }
  }
}
