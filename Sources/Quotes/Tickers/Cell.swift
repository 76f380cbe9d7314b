/// A number of a row, or the reason why there is none. There is no third, and never a zero in its place.
package enum Cell: Sendable, Hashable {
  case value(Decimal)
  case missing(Missing)

  /// The number that a text is, as nearly all numbers of exchanges are sent.
  ///
  /// One call for all that has to be done: this is the hot path of every table, and calls between rooms add up.
  ///
  /// - Parameters:
  ///   - plain: the text in ASCII, without a byte around the number.
  ///   - power: the power of ten that the number is multiplied by.
  ///   - mustBePositive: whether zero and less mean that there is none: `missing(.zero)`.
  /// - Returns: nil where the text is no number, one with more digits than a decimal keeps, or one that no market has.
  package init?(plain bytes: UnsafeBufferPointer<UInt8>, power: Int, mustBePositive: Bool) {
    // Without a sign, so it is positive or zero.
    if power == 0, let usual = Decimal.parseUsual(bytes) {
      self = mustBePositive && usual.isZero ? .missing(.zero) : .value(usual)
      return
    }
    var wasRounded = false
    guard let parsed = Decimal.parse(bytes, wasRounded: &wasRounded), !wasRounded else { return nil }
    let decimal = power == 0 ? parsed : parsed.scaledByPowerOfTen(power)
    // What a market has is said of the number as it is meant, not of the digits.
    guard !decimal.isBeyondMarkets else { return nil }
    self = mustBePositive && decimal.signum <= 0 ? .missing(.zero) : .value(decimal)
  }

  /// A number that was worked out; `missing(.notANumber)` for one that no market has.
  package init(workedOut number: Decimal) { self = number.isBeyondMarkets ? .missing(.notANumber) : .value(number) }

  package var value: Decimal? {
    if case .value(let value) = self { value } else { nil }
  }

  package var missing: Missing? {
    if case .missing(let reason) = self { reason } else { nil }
  }
}

/// Why a cell is empty. Plain bytes, as ``InternedText`` explains.
package enum Missing: Sendable, Hashable {
  /// The mapping has no such field.
  case notOffered
  /// The exchange does not list the pair; no failure.
  case notListed
  /// A symbol names the pair, and no rule of the config takes it apart.
  case unsplit
  /// The path led to nothing.
  case pathMiss
  /// The path led to several values.
  case pathMany
  /// The path led to a JSON null.
  case jsonNull
  /// The path led to something that is no number.
  case notANumber
  /// Zero or less, where only more than zero makes sense.
  case zero
  /// Too old to be shown as current.
  case stale
  /// The request needs a secret that the user has not given.
  case noSecret
  /// The request was not sent, for what it is signed with cannot be used: `not-allowed`, `nonce-ahead`, `clock` and the like.
  case notSent(InternedText)
  /// The lookup of that name could not be fetched.
  case lookupFailed(InternedText)
  /// The lookup does not have the row's key.
  case lookupMiss
  /// The lookup has the row's key more than once.
  case lookupAmbiguous
  /// The answer has not a single row.
  case emptyAnswer
  /// The answer is no JSON.
  case notJSON
  /// The answer has that HTTP status.
  case http(Int)
  /// No answer in time.
  case timeout
  /// No answer for another reason, in the words of the transport.
  case noAnswer(InternedText)
  /// A stream brings nothing: `stream-silent`, `stream-closed 1006`.
  case stream(InternedText)
  /// The exchange reports an error, with its own code (which may be empty).
  case exchangeError(InternedText)
  /// The exchange needs a hook that is not compiled in.
  case hookMissing
  /// Nobody asked for the cell.
  case notAsked
  /// The exchange does not say whether the taker bought or sold.
  case sideUnknown
  /// The open of an exchange rate is not known, so neither is its change.
  case openUnknown
  /// The day before, which a change is measured against, has no candle.
  case noDayBefore
  /// No exchange rate leads to the currency that was asked for.
  case noRate
  /// The source's own figures contradict each other.
  case contradictory
  /// Nobody who was asked says what the asset costs.
  case noPrice
  /// The prices that there are cannot be of one coin.
  case identity

  /// The code that is shown and written: `path-miss`, `http-451`, `lookup-failed contracts`.
  package var code: String {
    switch self {
    case .notOffered: "not-offered"
    case .notListed: "not-listed"
    case .unsplit: "unsplit"
    case .pathMiss: "path-miss"
    case .pathMany: "path-many"
    case .jsonNull: "json-null"
    case .notANumber: "not-a-number"
    case .zero: "zero"
    case .stale: "stale"
    case .noSecret: "no-secret"
    case .notSent(let reason): "\(reason)"
    case .lookupFailed(let name): Missing.code("lookup-failed", name)
    case .lookupMiss: "lookup-miss"
    case .lookupAmbiguous: "lookup-ambiguous"
    case .emptyAnswer: "empty-answer"
    case .notJSON: "not-json"
    case .http(let status): "http-\(status)"
    case .timeout: "timeout"
    case .noAnswer(let reason): Missing.code("no-answer", reason)
    case .stream(let code): "\(code)"
    case .exchangeError(let code): Missing.code("venue-error", code)
    case .hookMissing: "hook-missing"
    case .notAsked: "not-asked"
    case .sideUnknown: "side-unknown"
    case .openUnknown: "open-unknown"
    case .noDayBefore: "no-day-before"
    case .noRate: "no-rate"
    case .contradictory: "contradictory"
    case .noPrice: "no-price"
    case .identity: "identity"
    }
  }

  /// Why a request that is signed may not be sent.
  package static let notSentCodes = [
    "not-allowed", "bad-secret", "nonce-ahead", "nonce-busy", "nonce-store", "clock", "no-crypto",
  ]

  private static func code(_ name: String, _ detail: InternedText) -> String {
    detail == "" ? name : "\(name) \(detail)"
  }
}

extension Missing {
  /// The reason that a code names, as ``code`` writes it; any other text is a reason why there was no answer.
  package init(code: String) {
    let plain: [Missing] = [
      .notOffered, .notListed, .unsplit, .pathMiss, .pathMany, .jsonNull, .notANumber, .zero, .stale, .noSecret,
      .lookupMiss, .lookupAmbiguous, .emptyAnswer, .notJSON, .timeout, .hookMissing, .notAsked, .openUnknown,
      .noDayBefore, .noRate,
      .contradictory, .sideUnknown, .noPrice, .identity,
    ]
    if let reason = plain.first(where: { $0.code == code }) {
      self = reason
      return
    }
    func detail(_ name: String) -> InternedText? {
      if code == name { return "" }
      return code.hasPrefix(name + " ") ? InternedText(String(code.dropFirst(name.count + 1))) : nil
    }
    if Self.notSentCodes.contains(code) {
      self = .notSent(InternedText(code))
    } else if code.hasPrefix("http-"), let status = Int(code.dropFirst(5)) {
      self = .http(status)
    } else if let name = detail("lookup-failed") {
      self = .lookupFailed(name)
    } else if let error = detail("venue-error") {
      self = .exchangeError(error)
    } else if code.hasPrefix("stream-") {
      self = .stream(InternedText(code))
    } else {
      self = .noAnswer(detail("no-answer") ?? InternedText(code))
    }
  }
}
