package import Config
package import Quotes

/// The decision which provider of a route gives the rate of a pair at a moment, which gives the open, and why the
/// others do not.
///
/// A pure function of the route, the moment and each provider's last replies. If it needs to know more first, it lists
/// the providers to ask; the caller asks them and decides again:
///
///     var decision = RateDecision(route, at: now, states, known: known)
///     while !decision.wanted.isEmpty { …; decision = RateDecision(…) }
package struct RateDecision: Sendable {
  /// A provider whose reply is needed.
  package struct Want: Sendable, Hashable {
    package let provider: String
    /// The earliest arrival that will do; nil requires a reply as recent as the provider can have it.
    package let since: Instant?
  }

  /// The last rate used for a pair, against which a new one is checked.
  package enum Known: Sendable, Hashable {
    case rate(Decimal)
    /// The first one, from this provider, which no other has confirmed, and the time it was of, if known.
    case unchecked(Decimal, provider: String, at: Instant? = nil)
    /// None so far.
    case none
    /// Nothing is remembered, as in a replay.
    case unremembered

    /// nil if there is none.
    package var rate: Decimal? {
      switch self {
      case .rate(let rate), .unchecked(let rate, _, _): rate
      case .none, .unremembered: nil
      }
    }
  }

  /// nil while providers remain to be asked, and if no rule gives a rate.
  package private(set) var quote: RateQuote?
  /// The verdict of each rule, in order; rules after one that waits for a reply are missing.
  package private(set) var verdicts: [RateVerdict] = []
  /// Why the open is unknown, if it should come from another provider's rate.
  package private(set) var openReason: OpenAbsence?
  /// The providers to ask before this can be decided; empty once it is.
  package private(set) var wanted: [Want] = []

  /// The rules whose rate is old, each by its place: used only if no other has a newer one.
  private var old: [(rule: Int, choice: Choice)] = []

  private let route: RateRoute
  private let now: Instant
  private let today: Int
  private let secondOfDay: Int
  private let states: [String: RouteProvider]
  private let known: Known
  private let isOtherTime: Bool

  /// - Parameters:
  ///   - states: the known states of the route's providers; any that is missing is requested.
  ///   - isOtherTime: whether `now` is not this machine's time, as with `fx --at`: whatever is later is no fault of a
  ///     clock.
  package init(
    _ route: RateRoute, at now: Instant, _ states: [String: RouteProvider], known: Known, isOtherTime: Bool = false
  ) {
    self.route = route
    self.now = now
    self.isOtherTime = isOtherTime
    self.states = states
    self.known = known
    let clock = CivilTime(now, offsetSeconds: route.zoneSeconds)
    today = clock.dayNumber
    secondOfDay = clock.hour * 3600 + clock.minute * 60 + clock.second
    decide()
  }

  private mutating func decide() {
    for (place, rule) in route.rules.enumerated() {
      if let quote {
        verdicts.append(verdict(after: quote, on: rule.use))
        continue
      }
      if let hours = rule.hours, !hours.contains(secondOfDay) {
        verdicts.append(.outsideHours(hours))
        continue
      }
      switch states[rule.use] {
      case .excluded(let reason)?:
        verdicts.append(.excluded(reason))
      case .known(let state)?:
        switch choice(of: rule, state) {
        case nil: return
        case .success(let choice)? where choice.labels.contains(.old) && !rule.needsToday:
          old.append((place, choice))
          verdicts.append(.old(choice.reading))
        case .success(let choice)? where old.contains { !isNewer(choice.reading, than: $0.choice.reading) }:
          verdicts.append(.notNewer(choice.reading))
        case .success(let choice)?:
          guard let quote = quoted(choice, rule) else { return }
          self.quote = quote
          verdicts.append(.taken)
        case .failure(let refusal)?:
          verdicts.append(refusal.verdict)
        }
      case nil:
        wanted.append(Want(provider: rule.use, since: nil))
        // Request the open or a witness at the same time, so that neither waits for the other.
        if let open = rule.open { want(openFrom: open) } else if isFirst { want(witnessBesides: rule.use) }
        return
      }
    }
    takeOld()
  }

  /// Uses the newest old rate if there is no other.
  private mutating func takeOld() {
    guard quote == nil, var newest = old.first else { return }
    for other in old.dropFirst() where isNewer(other.choice.reading, than: newest.choice.reading) { newest = other }
    guard let quote = quoted(newest.choice, route.rules[newest.rule]) else { return }
    self.quote = quote
    verdicts[newest.rule] = .taken
  }

  /// Returns the verdict on a rule after the one that was used.
  private func verdict(after quote: RateQuote, on name: String) -> RateVerdict {
    guard name != quote.provider, name != quote.openProvider, case .known(let state)? = states[name] else {
      return .notNeeded
    }
    // Without a key it was not asked.
    return state.trouble?.reason == .noSecret
      ? .notNeeded : .witness(state.replies.lazy.compactMap(\.reading).first?.rate)
  }

  /// Returns whether a rate is certainly newer than another. A rate without a time is newer than those of the days
  /// before its own.
  private func isNewer(_ reading: RateReading, than other: RateReading) -> Bool {
    if let time = reading.time, let other = other.time { return time > other }
    guard let day = reading.day(zoneSeconds: route.zoneSeconds) else { return false }
    return other.day(zoneSeconds: route.zoneSeconds).map { day > $0 } ?? true
  }

  // MARK: The rate

  private struct Choice {
    let reading: RateReading
    let arrival: Instant?
    var labels: [RateLabel] = []
  }

  private struct Refusal: Error {
    let verdict: RateVerdict
  }

  /// Returns the newest of a provider's replies that the rule may use; nil if another provider has to be asked first.
  private mutating func choice(of rule: RateRoute.Rule, _ state: ProviderState) -> Result<Choice, Refusal>? {
    var refusal: RateVerdict?
    for reply in newestFirst(state.replies) {
      let reading: RateReading
      switch checked(reply) {
      case .failure(let failure):
        refusal = refusal ?? .failed(failure)
        continue
      case .success(let value): reading = value
      }
      var choice = Choice(reading: reading, arrival: reply.arrival)
      let day = reading.day(zoneSeconds: route.zoneSeconds)
      // A rate that could not be renewed is only valid for its own day.
      if let trouble = state.trouble ?? refusal.map(Self.failure) {
        guard day == today else { return .failure(Refusal(verdict: .outdated(reading, trouble))) }
        choice.labels.append(.kept(trouble))
      }
      if rule.needsToday, day != today { return .failure(Refusal(verdict: refusal ?? .notOfToday(reading))) }
      // Only now: a rate that the rule refuses anyway costs no other provider's call.
      switch credit(of: reading.rate, by: rule.use) {
      case .taken(let remark):
        choice.labels += labels(of: reading, state) + (remark.map { [$0] } ?? [])
        return .success(choice)
      case .refused(let other, let witness):
        refusal = refusal ?? .implausible(rate: reading.rate, known: other, by: witness)
      case .open: return nil
      }
    }
    return .failure(Refusal(verdict: refusal ?? .failed(state.trouble ?? AnswerFailure(.notRequested))))
  }

  /// Returns a provider's replies with its newest rate before the others: a server that is behind may send an older one
  /// than another server did before.
  private func newestFirst(_ replies: [ProviderState.Reply]) -> [ProviderState.Reply] {
    let times = replies.map { reply in try? checked(reply).get().time }
    guard let newest = times.compactMap(\.self).max(), let place = times.firstIndex(of: newest),
      let first = times.firstIndex(where: { $0 != nil }), first < place
    else { return replies }
    var sorted = replies
    sorted.insert(sorted.remove(at: place), at: first)
    return sorted
  }

  private func labels(of reading: RateReading, _ state: ProviderState) -> [RateLabel] {
    var labels: [RateLabel] = []
    let isUndated = reading.day(zoneSeconds: 0) == nil || reading.hasUnreadTime
    let isDaily = state.isDaily || (reading.time == nil && !isUndated)
    let days = reading.day(zoneSeconds: route.zoneSeconds).map { today - $0 }
    let isOld =
      reading.time.map { RateQuote.isOld(now.nanoseconds(since: $0), isDaily: isDaily) }
      ?? days.map { $0 > RateQuote.oldDays } ?? false
    if isOld { labels.append(.old) } else if isDaily { labels.append(.daily) }
    if isUndated { labels.append(.undated) }
    if state.isImplied { labels.append(.implied) }
    return labels
  }

  /// Returns the reading of a reply, unless its time is in the future.
  private func checked(_ reply: ProviderState.Reply) -> Result<RateReading, AnswerFailure> {
    guard case .success(let reading) = reply.outcome else { return reply.outcome }
    func failure(_ stamp: String, advice: String = "") -> Result<RateReading, AnswerFailure> {
      let words = isOtherTime ? "later: it was not known at that time" : "in the future" + advice
      return .failure(AnswerFailure(.stale, "its \(stamp), is \(words)"))
    }
    if let time = reading.time, time.isAhead(of: now) {
      return failure("time, \(time.iso8601)", advice: ": \(time.whatToCheck(at: now).text)")
    }
    // No time zone is more than fourteen hours ahead of UTC.
    let latest = CivilTime(now, offsetSeconds: 14 * 3600).dayNumber
    if reading.time == nil, let day = reading.day(zoneSeconds: 0), day > latest {
      return failure("date, \(reading.date ?? "")")
    }
    return .success(reading)
  }

  /// Returns whether a rate is more than a fifth off the last known one.
  package static func isFar(_ rate: Decimal, from known: Decimal) -> Bool {
    (rate - known).magnitude.scaledByPowerOfTen(1) > known.magnitude * 2
  }

  /// Returns whether a rate is more than 3 % off another one: no currency of ours moves as far between two runs, and no
  /// two providers differ as much.
  private static func isJump(_ rate: Decimal, from other: Decimal) -> Bool {
    (rate - other).magnitude.scaledByPowerOfTen(2) > other.magnitude * 3
  }

  /// Whether a rate is believed.
  private enum Credit {
    case taken(RateLabel?)
    /// It contradicts this one: the last one used, or another provider's.
    case refused(Decimal, by: String?)
    /// Another provider has to be asked first.
    case open
  }

  /// Whether there is no rate to check a new one against that more than one provider vouches for.
  private var isFirst: Bool {
    switch known {
    case .none, .unchecked: true
    case .rate, .unremembered: false
    }
  }

  /// Compares a rate with the last one used. If it is far from that, another provider must confirm it; the very first
  /// one must not contradict whatever else is known, and is labeled if nothing is.
  private mutating func credit(of rate: Decimal, by name: String) -> Credit {
    switch known {
    case .unremembered: return .taken(nil)
    case .rate(let known):
      guard Self.isFar(rate, from: known) else { return jump(rate, from: known, by: name) }
      if let witness = confirmation(of: rate, besides: name) { return .taken(.confirmed(witness)) }
      return want(witnessBesides: name) ? .open : .refused(known, by: nil)
    case .unchecked(let known, let provider, _) where !Self.isFar(rate, from: known) && provider != name:
      return .taken(nil)
    case .unchecked(let known, _, _):
      return first(rate, by: name, isFar: Self.isFar(rate, from: known) ? known : nil)
    case .none:
      return first(rate, by: name, isFar: nil)
    }
  }

  /// Compares a rate with the last one used, from which it is less than a fifth away. After a jump a second
  /// provider must agree, or the rate says so.
  private mutating func jump(_ rate: Decimal, from known: Decimal, by name: String) -> Credit {
    guard Self.isJump(rate, from: known), confirmation(of: rate, besides: name) == nil else { return .taken(nil) }
    return want(witnessBesides: name) ? .open : .taken(.unconfirmed(since: known))
  }

  /// Compares a rate with those of other providers. Two of them are asked at most, and all if the rate is in doubt.
  ///
  /// - Parameter known: an unchecked rate that it contradicts.
  private mutating func first(_ rate: Decimal, by name: String, isFar known: Decimal?) -> Credit {
    let others = witnesses(besides: name)
    if others.contains(where: { !Self.isJump(rate, from: $0.rate) }) { return .taken(nil) }
    let isInDoubt = known != nil || !others.isEmpty
    if isInDoubt || attempts(besides: name) < 2, want(witnessBesides: name) { return .open }
    if let near = others.first(where: { !Self.isFar(rate, from: $0.rate) }) {
      return .taken(.unconfirmed(since: near.rate, by: near.provider))
    }
    if let other = others.first { return .refused(other.rate, by: other.provider) }
    // Without another provider, the newer of two unchecked rates is as good as the older.
    guard let known, route.providers.contains(where: { $0 != name && mayBeAsked($0) }) else {
      return .taken(remark(onLone: rate))
    }
    return .refused(known, by: nil)
  }

  /// Returns the remark on a rate that no other provider is known to agree with: whether it has jumped since the last one,
  /// unless that is so old that it may have moved as far.
  private func remark(onLone rate: Decimal) -> RateLabel {
    guard case .unchecked(let known, _, let time?) = known, Self.isJump(rate, from: known),
      now.nanoseconds(since: time) <= Int64(RateQuote.oldDays) * Instant.day
    else { return .unchecked }
    return .unconfirmed(since: known)
  }

  /// Returns whether a provider could ever answer.
  private func mayBeAsked(_ name: String) -> Bool {
    switch states[name] {
    case .excluded?: false
    case .known(let state)?: state.trouble?.reason != .noSecret
    case nil: true
    }
  }

  /// Returns the number of other providers that were asked; those without a key were not.
  private func attempts(besides name: String) -> Int {
    route.providers.count { other in
      guard other != name, case .known(let state)? = states[other] else { return false }
      return state.trouble?.reason != .noSecret
    }
  }

  /// How many days old another provider's rate may be to be compared with: in a month few currencies move by a fifth.
  private static let witnessDays = 31

  /// How many days old a close may be. The longest holiday so far, Chuseok of 2017 with a temporary one and two
  /// weekends, closed Korea's banks for ten days: until nine on the eleventh, that of the day before is the last.
  private static let closeDays = 11

  /// Returns the newest rate of each other provider that has one of this month.
  private func witnesses(besides name: String) -> [(provider: String, rate: Decimal)] {
    route.providers.compactMap { other in
      guard other != name, case .known(let state)? = states[other], let newest = state.replies.first,
        let reading = try? checked(newest).get(), isOfThisMonth(reading, newest.arrival)
      else { return nil }
      return (other, reading.rate)
    }
  }

  private func isOfThisMonth(_ reading: RateReading, _ arrival: Instant?) -> Bool {
    if let day = reading.day(zoneSeconds: route.zoneSeconds) { return today - day <= Self.witnessDays }
    return arrival.map { now.nanoseconds(since: $0) <= Int64(Self.witnessDays) * Instant.day } ?? false
  }

  /// Returns another provider whose newest rate is within 2 % of this one.
  private func confirmation(of rate: Decimal, besides name: String) -> String? {
    witnesses(besides: name).first { ($0.rate - rate).magnitude.scaledByPowerOfTen(2) <= rate * 2 }?.provider
  }

  /// Adds the first provider that has not been asked to those to ask. Returns whether there is one.
  @discardableResult
  private mutating func want(witnessBesides name: String) -> Bool {
    guard let next = route.providers.first(where: { $0 != name && states[$0] == nil }) else { return false }
    wanted.append(Want(provider: next, since: nil))
    return true
  }

  private static func failure(_ verdict: RateVerdict) -> AnswerFailure {
    switch verdict {
    case .failed(let failure), .outdated(_, let failure): failure
    case .implausible(let rate, let known, let witness):
      AnswerFailure(
        .implausible,
        "\(rate.rateText) is more than 20 % away from \(witness.map { "\($0)'s" } ?? "the last known") "
          + "\(known.rateText), and no other source confirms it")
    default: AnswerFailure(.notRequested)
    }
  }

  // MARK: The open

  /// Returns the quote with its open; nil if a provider has to be asked for the open first.
  private mutating func quoted(_ choice: Choice, _ rule: RateRoute.Rule) -> RateQuote? {
    var quote: RateQuote
    if let name = rule.open {
      if want(openFrom: name) { return nil }
      let open = open(from: name, of: choice.reading)
      if case .failure(let absence) = open { openReason = absence }
      quote = RateQuote(
        choice.reading.pair, choice.reading.rate, since: try? open.get().rate, provider: rule.use)
      if case .success(let close) = open { (quote.openProvider, quote.openTime) = (name, close.time) }
      quote.quotedBy = choice.reading.quotedBy
      quote.time = choice.reading.time
      quote.date = choice.reading.date
    } else {
      quote = RateQuote(choice.reading, provider: rule.use)
    }
    quote.arrival = choice.arrival
    quote.labels = choice.labels
    return quote
  }

  /// Adds the provider of the open to those to ask unless it is known. Returns whether it did.
  @discardableResult
  private mutating func want(openFrom name: String) -> Bool {
    guard states[name] == nil else { return false }
    wanted.append(Want(provider: name, since: closeSince(name)))
    return true
  }

  /// Returns the earliest arrival of a close. Outside the provider's hours, its last rate is a close only if it was
  /// requested after the day ended, that is after the last midnight. nil within its hours: then any rate of an earlier
  /// day is a close.
  private func closeSince(_ name: String) -> Instant? {
    let own = route.rules.filter { $0.use == name }
    guard !own.isEmpty, own.allSatisfy({ $0.hours?.contains(secondOfDay) == false }) else { return nil }
    return midnight
  }

  /// The last midnight in the route's time zone.
  private var midnight: Instant {
    let second: Int64 = 1_000_000_000
    let shift = Int64(route.zoneSeconds)
    let (sum, overflow) = (Int64(today) * 86_400 - shift).multipliedReportingOverflow(by: second)
    return Instant(nanoseconds: overflow ? now.nanoseconds : sum)
  }

  /// Returns why an answer may have arrived before the day of its rate had ended; nil if it did not.
  private func doubt(ofCloseHeardAt arrival: Instant, _ since: Instant, code: String?) -> OpenAbsence.Reason? {
    if arrival < since { return .early(isByClockAhead: false, code: code) }
    return arrival.isAhead(of: now) && !isOtherTime ? .early(isByClockAhead: true, code: code) : nil
  }

  /// Returns the provider's rate of the last completed day.
  ///
  /// - Parameter current: the rate whose change is wanted; no close is far from it, or later.
  private func open(from name: String, of current: RateReading) -> Result<RateReading, OpenAbsence> {
    func none(_ reason: OpenAbsence.Reason) -> Result<RateReading, OpenAbsence> {
      .failure(OpenAbsence(provider: name, reason: reason))
    }
    let state: ProviderState
    switch states[name] {
    case .known(let known)?: state = known
    case .excluded(let reason)?: return none(.unusable(code: RateVerdict.excluded(reason).code))
    case nil: return none(.unusable(code: "not asked"))
    }
    let since = closeSince(name)
    var reason: String?
    for reply in state.replies {
      let reading: RateReading
      switch checked(reply) {
      case .failure(let failure):
        reason = reason ?? failure.reason.code
        continue
      case .success(let value): reading = value
      }
      if Self.isFar(reading.rate, from: current.rate) {
        reason = reason ?? "implausible"
        continue
      }
      guard let day = reading.day(zoneSeconds: route.zoneSeconds) else { return none(.undated) }
      if day >= today { return none(.ofToday) }
      if today - day > Self.closeDays { return none(.old(days: today - day)) }
      if let since, let arrival = reply.arrival,
        let doubt = doubt(ofCloseHeardAt: arrival, since, code: state.trouble?.reason.code)
      {
        return none(doubt)
      }
      // A daily rate of the morning cannot have changed since the evening's close.
      guard isNewer(current, than: reading) else {
        return none(.later(isUndated: current.day(zoneSeconds: route.zoneSeconds) == nil))
      }
      return .success(reading)
    }
    return none((reason ?? state.trouble?.reason.code).map { .unusable(code: $0) } ?? .noneOfEarlierDay)
  }
}
