#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program with a live screen, on a terminal simulated by a test.
package final class LiveSession {
  /// How the terminal replies to which queries, if at all.
  package struct Manners: Sendable {
    /// The width of `┃` in cells.
    package var barWidth = 1
    /// Whether it replies to the queries at start and end.
    package var answers = true
    /// Whether it confirms that it has read a frame.
    package var confirms = true
    /// Whether replies arrive byte by byte.
    package var isSplit = false

    package init(barWidth: Int = 1, answers: Bool = true, confirms: Bool = true, isSplit: Bool = false) {
      self.barWidth = barWidth
      self.answers = answers
      self.confirms = confirms
      self.isSplit = isSplit
    }
  }

  package let terminal: TerminalProcess
  package var manners: Manners
  /// Everything written by the program.
  package private(set) var written: [UInt8] = []
  /// The number of bytes already searched for queries.
  private var looked = 0
  /// Pending replies, if they are held back.
  package private(set) var held: [String] = []
  /// The number of cursor positions reported.
  private var places = 0
  /// Whether replies wait for `answerHeld`.
  package var holdsAnswers = false

  package init(
    _ program: String, _ arguments: [String] = [], _ manners: Manners = Manners(), environment: [String: String] = [:],
    columns: UInt16 = 60, rows: UInt16 = 10
  ) throws {
    self.manners = manners
    // Swift's crash handler would otherwise ask whether to debug.
    let own = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
    terminal = try TerminalProcess(
      program, arguments, environment: own.merging(environment) { $1 }, columns: columns, rows: rows)
  }

  package var text: String { String(decoding: written, as: UTF8.self) }

  /// Returns the bytes written since a position, as text.
  package func text(since start: Int) -> String { String(decoding: written[start...], as: UTF8.self) }

  package func count(of part: String, since start: Int = 0) -> Int {
    text(since: start).split(separator: part, omittingEmptySubsequences: false).count - 1
  }

  /// Simulates the terminal for a moment.
  package func play(milliseconds: Int32 = 20) {
    written += terminal.read(milliseconds: milliseconds)
    answer()
  }

  /// Simulates the terminal until a condition holds; returns false if it does not within a minute.
  package func play(until holds: () -> Bool) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(60)
    while clock.now < end {
      if holds() { return true }
      play()
    }
    return holds()
  }

  /// Simulates the terminal until the program has written a text after the given position.
  package func play(untilWritten part: String, since start: Int = 0) -> Bool {
    play { text(since: start).contains(part) }
  }

  package func ending() -> Int32? {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(60)
    while clock.now < end {
      play(milliseconds: 5)
      if let code = terminal.ending(milliseconds: 0) {
        play(milliseconds: 0)
        return code
      }
    }
    return nil
  }

  package func answerHeld() {
    for answer in held { say(answer) }
    held = []
  }

  private static let queries: [(bytes: String, kind: Kind)] = [
    ("\u{1B}[6n", .place), ("\u{1B}]11;?\u{1B}\\", .ground), ("\u{1B}[>0q", .version), ("\u{1B}[c", .attributes),
    ("\u{1B}[5n", .ready),
  ]

  private enum Kind {
    case place, ground, version, attributes, ready
  }

  private func answer() {
    while true {
      let found = Self.queries.compactMap { query -> (end: Int, kind: Kind)? in
        let bytes = Array(query.bytes.utf8)
        guard looked + bytes.count <= written.count else { return nil }
        return (looked...written.count - bytes.count).first { written[$0...].starts(with: bytes) }
          .map { ($0 + bytes.count, query.kind) }
      }.min { $0.end < $1.end }
      guard let found else { return }
      looked = found.end
      guard let answer = answer(to: found.kind) else { continue }
      if holdsAnswers { held.append(answer) } else { say(answer) }
    }
  }

  private func answer(to kind: Kind) -> String? {
    if kind == .ready { return manners.confirms ? "\u{1B}[0n" : nil }
    guard manners.answers else { return nil }
    switch kind {
    case .place:
      places += 1
      return "\u{1B}[1;\(1 + (places == 1 ? manners.barWidth : 2))R"
    case .ground: return "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\"
    case .version: return "\u{1B}P>|probe 1\u{1B}\\"
    case .attributes: return "\u{1B}[?62;22c"
    case .ready: return nil
    }
  }

  private func say(_ answer: String) {
    if manners.isSplit {
      for scalar in answer.unicodeScalars {
        terminal.write(String(scalar))
        _ = poll(nil, 0, 3)
      }
    } else {
      terminal.write(answer)
    }
  }
}
