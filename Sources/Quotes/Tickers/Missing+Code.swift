extension Missing {
  /// The reason that a code names, as ``code`` writes it; any other text is a reason why there was no answer.
  package init(code: String) {
    let plain: [Missing] = [
      .notOffered, .notListed, .unsplit, .pathMiss, .pathMany, .jsonNull, .notANumber, .zero, .stale, .noSecret,
      .lookupMiss, .lookupAmbiguous, .emptyAnswer, .notJSON, .timeout, .hookMissing, .notAsked, .openUnknown,
      .contradictory, .sideUnknown,
    ]
    if let reason = plain.first(where: { $0.code == code }) {
      self = reason
      return
    }
    func detail(_ name: String) -> InternedText? {
      if code == name { return "" }
      return code.hasPrefix(name + " ") ? InternedText(String(code.dropFirst(name.count + 1))) : nil
    }
    if code.hasPrefix("http-"), let status = Int(code.dropFirst(5)) {
      self = .http(status)
    } else if let name = detail("lookup-failed") {
      self = .lookupFailed(name)
    } else if let error = detail("venue-error") {
      self = .exchangeError(error)
    } else {
      self = .noAnswer(detail("no-answer") ?? InternedText(code))
    }
  }
}
