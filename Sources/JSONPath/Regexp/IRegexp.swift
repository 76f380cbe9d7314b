/// A regular expression in the interoperable dialect I-Regexp (RFC 9485).
///
///     let pattern = try IRegexp("(?<asset>[A-Z]+)-(?<payment>USDT?)", allowingNamedGroups: true)
///     pattern.captures("BTC-USDT")   // ["asset": "BTC", "payment": "USDT"]
///
/// Matching never takes longer than the length of the text times that of the pattern: there is no backtracking. `.`
/// matches all scalars except line feed and carriage return; `^` and `$` are anchors.
package struct IRegexp: Sendable {
  /// The original pattern.
  package let pattern: String
  /// The names of the groups, in the order of their opening parentheses.
  package let groupNames: [String]
  private let program: RegexpProgram

  /// The number of states, each of which a character may be compared with.
  var stateCount: Int { program.instructions.count }

  /// Parses a pattern strictly by RFC 9485.
  ///
  /// Groups may be nested 64 deep, and a pattern may have 10 000 states once counted repetitions are expanded.
  ///
  /// - Parameter allowingNamedGroups: Whether to accept `(?<name>…)`, which is not part of RFC 9485.
  package init(_ pattern: String, allowingNamedGroups: Bool = false) throws(SyntaxError) {
    var parser = IRegexpParser(pattern, allowingNamedGroups: allowingNamedGroups)
    let node = try parser.parse()
    program = try RegexpCompiler.program(for: node, groupCount: parser.groupNames.count)
    groupNames = parser.groupNames
    self.pattern = pattern
  }

  /// Returns whether the whole text matches.
  package func matchesWhole(_ text: String) -> Bool { run(on: text) { $0.matchWhole($1) != nil } }

  /// Returns whether some part of the text matches, even an empty one.
  package func matchesAnywhere(_ text: String) -> Bool { run(on: text) { $0.matchesAnywhere($1) } }

  /// Returns what the named groups captured if the whole text matches, otherwise nil.
  ///
  /// Quantifiers are greedy, and the first alternative that works wins, from left to right. A group that took no part
  /// in the match is omitted. A repeated group holds its last match, or the last nonempty one if there is one:
  /// `(?<a>x*)*` on "x" holds "x".
  package func captures(_ text: String) -> [String: String]? {
    run(on: text, keepingGroups: true) { machine, bytes -> [String: String]? in
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

  private func run<Value>(
    on text: String, keepingGroups: Bool = false, _ match: (inout PikeMachine, UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    var text = text
    return text.withUTF8 { bytes in
      var machine = PikeMachine(program, keepsGroups: keepingGroups)
      return match(&machine, bytes)
    }
  }
}
