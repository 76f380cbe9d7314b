/// A number in a row, or the reason it is missing. There is nothing else, and never a zero as a stand-in.
package enum Cell: Sendable, Hashable {
  case value(Decimal)
  case missing(Missing)

  /// Parses a number in the form that nearly all exchanges send.
  ///
  /// One call does everything: this is the hot path of every table, and calls between modules add up.
  ///
  /// - Parameters:
  ///   - plain: The text in ASCII, with nothing around the number.
  ///   - power: The power of ten that the number is multiplied by.
  ///   - mustBePositive: Whether zero or less counts as missing.
  /// - Returns: nil if the text is not a number, has more digits than a decimal keeps, or is beyond any market.
  package init?(plain bytes: UnsafeBufferPointer<UInt8>, power: Int, mustBePositive: Bool) {
    // It has no sign, so it is positive or zero.
    if power == 0, let usual = Decimal.parseUsual(bytes) {
      self = mustBePositive && usual.isZero ? .missing(.zero) : .value(usual)
      return
    }
    var wasRounded = false
    guard let parsed = Decimal.parse(bytes, wasRounded: &wasRounded), !wasRounded else { return nil }
    let decimal = power == 0 ? parsed : parsed.scaledByPowerOfTen(power)
    // The limits of markets apply to the scaled number, not to the digits.
    guard !decimal.isBeyondMarkets else { return nil }
    let cell = Cell.value(decimal)
    self = mustBePositive ? cell.positive : cell
  }

  /// Creates a cell from a computed number; `missing(.notANumber)` for one beyond any market.
  package init(workedOut number: Decimal) { self = number.isBeyondMarkets ? .missing(.notANumber) : .value(number) }

  /// The same cell, but missing with the reason if the number is not above zero.
  package var positive: Cell {
    guard case .value(let number) = self, number.signum <= 0 else { return self }
    return .missing(number.isZero ? .zero : .negative)
  }

  package var value: Decimal? { if case .value(let value) = self { value } else { nil } }

  package var missing: Missing? { if case .missing(let reason) = self { reason } else { nil } }
}

/// Why a cell is empty. Trivially copyable, as ``InternedText`` explains.
package enum Missing: Sendable, Hashable {
  /// The reasons that are told by their codes alone, which are the raw values.
  package enum Plain: String, Sendable, CaseIterable {
    /// The mapping has no such field.
    case notOffered = "not-offered"
    /// The exchange does not list the pair; not a failure.
    case notListed = "not-listed"
    /// The exchange lists the pair, but does not trade it now; not a failure.
    case halted
    /// A symbol names the pair, but no rule of the config splits it.
    case unsplit
    /// The path matched nothing.
    case pathMiss = "path-miss"
    /// The path matched several values.
    case pathMany = "path-many"
    /// The path matched a JSON null.
    case jsonNull = "json-null"
    /// The path matched something that is not a number.
    case notANumber = "not-a-number"
    /// Zero, where only positive numbers make sense, or a division by zero.
    case zero
    /// Below zero, where only positive numbers make sense: some exchanges send -1 for what they do not know.
    case negative
    /// Too old to be shown as current.
    case stale
    /// The lookup does not contain the row's key.
    case lookupMiss = "lookup-miss"
    /// The lookup contains the row's key more than once.
    case lookupAmbiguous = "lookup-ambiguous"
    /// The answer contains no rows.
    case emptyAnswer = "empty-answer"
    /// The answer is not JSON.
    case notJSON = "not-json"
    /// No answer in time.
    case timeout
    /// The exchange needs a hook that is not compiled in.
    case hookMissing = "hook-missing"
    /// The cell was not requested.
    case notRequested = "not-asked"
    /// The exchange does not say whether the taker bought or sold.
    case sideUnknown = "side-unknown"
    /// The open of an exchange rate is not known, so neither is its change.
    case openUnknown = "open-unknown"
    /// The previous day, which a change is measured from, has no candle.
    case noDayBefore = "no-day-before"
    /// No exchange rate leads to the requested currency.
    case noRate = "no-rate"
    /// The source's own figures contradict each other.
    case contradictory
    /// No exchange that was asked reports a price of the asset.
    case noPrice = "no-price"
    /// The available prices cannot be of the same coin.
    case identity
    /// The exchange rate is far from every other one known.
    case implausible
  }

  case plain(Plain)
  case notSent(NotSent)
  /// The lookup with that name could not be fetched.
  case lookupFailed(InternedText)
  /// The answer has that HTTP status.
  case http(Int)
  case noAnswer(NoAnswer)
  /// A stream delivers nothing: `stream-silent`, `stream-closed 1006`.
  case stream(InternedText)
  /// The exchange reported an error, with its own code (which may be empty).
  case exchangeError(InternedText)

  /// The code as shown and written: `path-miss`, `http-451`, `lookup-failed contracts`.
  package var code: String {
    switch self {
    case .noAnswer, .notSent(.noRequest): "no-answer \(word)"
    default: word
    }
  }

  /// The code without `no-answer`, where that is said already: `unreachable`.
  package var word: String {
    switch self {
    case .plain(let reason): reason.rawValue
    case .notSent(let reason): reason.rawValue
    case .lookupFailed(let name): Missing.code("lookup-failed", name)
    case .http(let status): "http-\(status)"
    case .noAnswer(let reason): reason.rawValue
    case .stream(let code): "\(code)"
    case .exchangeError(let code): Missing.code("venue-error", code)
    }
  }

  private static func code(_ name: String, _ detail: InternedText) -> String {
    detail == "" ? name : "\(name) \(detail)"
  }
}

/// The plain reasons by their names.
extension Missing {
  package static var notOffered: Missing { .plain(.notOffered) }
  package static var notListed: Missing { .plain(.notListed) }
  package static var halted: Missing { .plain(.halted) }
  package static var unsplit: Missing { .plain(.unsplit) }
  package static var pathMiss: Missing { .plain(.pathMiss) }
  package static var pathMany: Missing { .plain(.pathMany) }
  package static var jsonNull: Missing { .plain(.jsonNull) }
  package static var notANumber: Missing { .plain(.notANumber) }
  package static var zero: Missing { .plain(.zero) }
  package static var negative: Missing { .plain(.negative) }
  package static var stale: Missing { .plain(.stale) }
  package static var lookupMiss: Missing { .plain(.lookupMiss) }
  package static var lookupAmbiguous: Missing { .plain(.lookupAmbiguous) }
  package static var emptyAnswer: Missing { .plain(.emptyAnswer) }
  package static var notJSON: Missing { .plain(.notJSON) }
  package static var timeout: Missing { .plain(.timeout) }
  package static var hookMissing: Missing { .plain(.hookMissing) }
  package static var notRequested: Missing { .plain(.notRequested) }
  package static var sideUnknown: Missing { .plain(.sideUnknown) }
  package static var openUnknown: Missing { .plain(.openUnknown) }
  package static var noDayBefore: Missing { .plain(.noDayBefore) }
  package static var noRate: Missing { .plain(.noRate) }
  package static var contradictory: Missing { .plain(.contradictory) }
  package static var noPrice: Missing { .plain(.noPrice) }
  package static var identity: Missing { .plain(.identity) }
  package static var implausible: Missing { .plain(.implausible) }
}

extension Missing {
  /// The request needs a secret that the user has not provided.
  package static var noSecret: Missing { .notSent(.noSecret) }

  /// Whether the exchange has answered that it does not list the pair, or does not trade it, which is not a failure.
  package var isAbsence: Bool { self == .notListed || self == .halted }

  /// Creates the reason for a code as written by ``code``; nil for any other text.
  package init?(code: String) {
    if let reason = Plain(rawValue: code) {
      self = .plain(reason)
      return
    }
    func detail(_ name: String) -> InternedText? {
      if code == name { return "" }
      return code.hasPrefix(name + " ") ? InternedText(String(code.dropFirst(name.count + 1))) : nil
    }
    if let reason = NotSent(rawValue: code) {
      self = .notSent(reason)
    } else if code.hasPrefix("http-"), let status = Int(code.dropFirst(5)) {
      self = .http(status)
    } else if let name = detail("lookup-failed") {
      self = .lookupFailed(name)
    } else if let error = detail("venue-error") {
      self = .exchangeError(error)
    } else if code.hasPrefix("stream-") {
      self = .stream(InternedText(code))
    } else if code == Missing.notSent(.noRequest).code {
      self = .notSent(.noRequest)
    } else if code.hasPrefix("no-answer "), let reason = NoAnswer(rawValue: String(code.dropFirst(10))) {
      self = .noAnswer(reason)
    } else {
      return nil
    }
  }
}
