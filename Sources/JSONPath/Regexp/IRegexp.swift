/// A regular expression in the interoperable dialect I-Regexp (RFC 9485).
///
///     let pattern = try IRegexp("(?<asset>[A-Z]+)-(?<payment>USDT?)", allowingNamedGroups: true)
///     pattern.captures("BTC-USDT")   // ["asset": "BTC", "payment": "USDT"]
///
/// Matching takes time proportional to the lengths of the text and the pattern multiplied, never more: there is no
/// backtracking. `.` matches all scalars but line feed and carriage return; `^` and `$` are anchors.
package struct IRegexp: Sendable {
  /// The pattern as it was written.
  package let pattern: String
  /// The names of the groups in the order of their opening parentheses.
  package let groupNames: [String]
  private let program: RegexpProgram

  /// Reads a pattern as strictly as RFC 9485 asks.
  ///
  /// Groups may be nested 64 deep, and counted repetitions written out may have 10 000 states.
  ///
  /// - Parameter allowingNamedGroups: with true, `(?<name>…)` is allowed too, which RFC 9485 does not know.
  package init(_ pattern: String, allowingNamedGroups: Bool = false) throws(IRegexpSyntaxError) {
    var parser = IRegexpParser(pattern, allowingNamedGroups: allowingNamedGroups)
    let node = try parser.parse()
    program = try RegexpCompiler.program(for: node, groupCount: parser.groupNames.count)
    groupNames = parser.groupNames
    self.pattern = pattern
  }

  /// Whether the whole text matches.
  package func matchesWhole(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var machine = PikeMachine(program, keepsGroups: false)
      return machine.matchWhole(bytes) != nil
    }
  }

  /// Whether some part of the text matches, be it an empty one.
  package func matchesAnywhere(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var machine = PikeMachine(program, keepsGroups: false)
      return machine.matchesAnywhere(bytes)
    }
  }

  /// What the named groups hold where the whole text matches, nil where it does not.
  ///
  /// Quantifiers are greedy and of alternatives the first possible counts, from left to right. A group that had no part
  /// in the match is left out. One that was repeated holds its last part, the last that is not empty if there is one:
  /// `(?<a>x*)*` on "x" holds "x".
  package func captures(_ text: String) -> [String: String]? {
    var text = text
    return text.withUTF8 { bytes -> [String: String]? in
      var machine = PikeMachine(program, keepsGroups: true)
      guard let slots = machine.matchWhole(bytes) else { return nil }

      var captures: [String: String] = [:]
      for (group, name) in groupNames.enumerated() {
        let (start, end) = (slots[2 * group], slots[2 * group + 1])
        guard start >= 0, end >= start else { continue }
        captures[name] = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
      }
      return captures
    }
  }
}

/// Why a text is no I-Regexp, and where.
package struct IRegexpSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The UTF-8 offset, from 0, of the first character of the pattern that cannot be right; of what is opened and never
  /// closed, its first character.
  package let offset: Int
  /// What is wrong, in lower case and without a full stop.
  package let message: String

  package init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }

  package var description: String { "offset \(offset): \(message)" }
}
