import Config

extension Drift {
  /// Returns everything about a drift that is not reported elsewhere.
  ///
  /// - Parameter part: The part of the exchange that it concerns, for the sentences.
  func findings(about subject: Finding.Subject, of part: String? = nil) -> [Found] {
    losses(about: subject, of: part) + shifts.map { $0.found(about: subject, of: part) }
  }

  /// Returns what is gone or has moved, but not what has changed its meaning.
  func losses(about subject: Finding.Subject, of part: String?) -> [Found] {
    movedRows(about: subject, of: part) + lost.map { $0.found(about: subject, of: part) }
  }

  /// Returns where the rows have moved to; empty if they have not.
  func movedRows(about subject: Finding.Subject, of part: String? = nil) -> [Found] {
    guard let rows else { return [] }
    let text = "the rows were at \(rows.lost) in the recording, but are not there now"
    return [Found(.rowsMoved, text.said(of: part), about: subject, help: rows.rowsHelp, [rows])]
  }
}

extension Drift.Lost {
  /// `every row of the recording`, `19 of 20 rows of the recording`.
  var recordedText: String {
    if !isInRow { return "the recording" }
    return recorded.count == recorded.of
      ? "every row of the recording" : "\(recorded.count) of \(recorded.of) rows of the recording"
  }

  func found(about subject: Finding.Subject, of part: String? = nil) -> Found {
    let now = isInRow ? "is in none now" : "is gone now"
    let text = "\(replacement.lost) (\(uses.joined(separator: ", "))) was in \(recordedText) and \(now)"
    return Found(.fieldLost, text.said(of: part), about: subject, [replacement])
  }
}

extension Drift.Shift {
  func found(about subject: Finding.Subject, of part: String? = nil) -> Found {
    let text = "\(uses.joined(separator: ", ")): \(text)"
    return Found(Finding(.fieldShifted, isProblem ? .error : .note, text.said(of: part), about: subject, help: help))
  }
}

extension String {
  fileprivate func said(of part: String?) -> String { part.map { "\($0): \(self)" } ?? self }
}
