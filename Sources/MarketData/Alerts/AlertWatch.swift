package import Quotes

/// An alert that has fired.
package struct AlertFiring: Sendable {
  package let rule: AlertRule
  package let figures: PairFigures
  package let reading: AlertReading
  package let time: Instant
  /// Whether the user has muted alerts, so that only a line is shown.
  package let isSilent: Bool

  /// See ``AlertReading/subject(of:)``.
  package var subject: Pair? { reading.subject(of: rule) }
}

/// The state of alerts for each pair, and which of them fire: a value that takes figures and times.
///
/// An alert fires once its condition has held for as long as the alert says, and again only after the condition was
/// false for just as long, at least ten seconds. Unknown figures, such as the price of an exchange that does not
/// answer, neither fire an alert nor arm it.
package struct AlertWatch: Sendable {
  /// The state of an alert for one pair.
  package struct Standing: Sendable, Hashable {
    /// nil if unknown.
    package fileprivate(set) var holds: Bool?
    /// When `holds` last changed.
    package fileprivate(set) var since: Instant
    package fileprivate(set) var isArmed = true
    /// How often it has fired.
    package fileprivate(set) var count = 0
  }

  private struct Key: Hashable {
    let rule: String
    /// nil for an alert on figures that all pairs share, which has one state whatever pairs are followed.
    let pair: Pair?

    init(_ rule: AlertRule, _ pair: Pair) {
      self.rule = rule.text
      self.pair = rule.isPerPair ? pair : nil
    }
  }

  package private(set) var rules: [AlertRule]
  private var standings: [Key: Standing] = [:]
  private var last: Instant?
  /// When the machine woke up for the last time: prices from before it slept are not compared with newer ones.
  private var awake: Instant?
  private var muting: (start: Instant, end: Instant)?
  /// After a longer gap in the figures, conditions are not assumed to have held meanwhile; nil for no limit.
  private let maximumGapMilliseconds: Int?

  /// The minimum time for which a condition must have been false before its alert fires again.
  package static let minimumRestMilliseconds = 10_000

  /// - Parameter maximumGapMilliseconds: nil for recordings, which have no figures in between.
  package init(_ rules: [AlertRule] = [], maximumGapMilliseconds: Int? = 5000) {
    (self.rules, self.maximumGapMilliseconds) = (rules, maximumGapMilliseconds)
  }

  /// Follows these alerts from now on; those that remain keep their state.
  package mutating func follow(_ rules: [AlertRule]) {
    self.rules = rules
    let texts = Set(rules.map(\.text))
    standings = standings.filter { texts.contains($0.key.rule) }
  }

  package func standing(of rule: AlertRule, _ pair: Pair) -> Standing? { standings[Key(rule, pair)] }

  /// Takes the current figures.
  ///
  /// - Returns: The alerts that fire, in the order of the alerts, then of the pairs.
  package mutating func take(_ figures: [PairFigures], _ state: BoardState, at now: Instant) -> [AlertFiring] {
    guard !rules.isEmpty else { return [] }
    // If the clock was set back, or after a gap, whatever holds now starts holding now.
    let isContinuous = last.map { last in
      now >= last && maximumGapMilliseconds.map { now <= last.advanced(by: .milliseconds($0)) } ?? true
    }
    last = now
    if isContinuous == false { awake = now }
    let shared = AlertReading.Shared(state, at: now, awake: awake)
    var firings: [AlertFiring] = []
    for rule in rules {
      // An alert on a figure shared by all pairs fires once, and runs its command once.
      for own in figures.filter({ rule.isMeant(for: $0.pair) }).prefix(rule.isPerPair ? .max : 1) {
        let reading = AlertReading(own, shared)
        let key = Key(rule, own.pair)
        let holds = rule.condition.holds { reading($0) }
        var standing = standings[key] ?? Standing(holds: holds, since: now)
        if holds != standing.holds || isContinuous == false { (standing.holds, standing.since) = (holds, now) }
        if standing.isDue(rule, at: now) {
          standing.isArmed = false
          standing.count += 1
          firings.append(
            AlertFiring(rule: rule, figures: own, reading: reading, time: now, isSilent: isSilent(at: now)))
        } else if standing.isRested(rule, at: now) {
          standing.isArmed = true
        }
        standings[key] = standing
      }
    }
    return firings
  }

  // MARK: Muting

  package mutating func mute(from now: Instant, seconds: Int) {
    muting = (now, now.advanced(by: .seconds(seconds)))
  }

  package mutating func unmute() { muting = nil }

  /// Returns until when alerts are muted; nil if they are not.
  package func silentUntil(at now: Instant) -> Instant? {
    muting.flatMap { now >= $0.start && now < $0.end ? $0.end : nil }
  }

  package func isSilent(at now: Instant) -> Bool { silentUntil(at: now) != nil }
}

extension AlertWatch.Standing {
  fileprivate func isDue(_ rule: AlertRule, at now: Instant) -> Bool {
    isArmed && holds == true && now >= since.advanced(by: .milliseconds(rule.holdMilliseconds))
  }

  fileprivate func isRested(_ rule: AlertRule, at now: Instant) -> Bool {
    let rest = max(rule.holdMilliseconds, AlertWatch.minimumRestMilliseconds)
    return !isArmed && holds == false && now >= since.advanced(by: .milliseconds(rest))
  }
}
