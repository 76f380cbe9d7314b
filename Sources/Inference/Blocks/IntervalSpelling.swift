package import Quotes

extension CandleInterval {
  /// Returns whether a word in a request may mean this interval: `1h`, `60min`, `HOUR_1`, `minutes/60`, `3600`, `PT1H`.
  ///
  /// - Parameter takesNumbers: whether a number alone may be an interval in seconds, minutes or milliseconds.
  package func isSpelled(_ word: String, takesNumbers: Bool) -> Bool {
    let text = Self.withoutMark(word.lowercased().filter { $0.isLetter || $0.isNumber })
    if let number = Int(text) { return takesNumbers && [seconds, seconds / 60, seconds * 1000].contains(number) }
    return RecordWords.units.contains { unit in
      guard seconds % unit.seconds == 0 else { return false }
      let count = seconds / unit.seconds
      let counts = ["\(count)"] + (count == 1 ? ["one", ""] : [])
      return unit.words.contains { name in
        counts.contains {
          (text == $0 + name || text == name + $0) && (!$0.isEmpty || name.count > 2 || name == "d" || name == "w")
        }
      } || counts.contains { count in text == count + (unit.words.last ?? "") + "utc" }
    } || self == .oneDay && text == "daily" || self == .oneWeek && text == "weekly"
  }

  /// Returns a duration without what marks it as one in ISO 8601: `1h` for `pt1h`, `1d` for `p1d`. Months, `p1m`, stay.
  private static func withoutMark(_ text: String) -> String {
    let isOfTime = text.hasPrefix("pt")
    let rest = text.dropFirst(isOfTime ? 2 : 1)
    guard text.hasPrefix("p"), rest.first?.isNumber == true, isOfTime || ["d", "w"].contains(rest.last) else {
      return text
    }
    return String(rest)
  }
}
