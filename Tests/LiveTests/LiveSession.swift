import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The probe on a terminal that a test plays.
final class LiveSession {
  /// What the terminal says to which question, or that it says nothing.
  struct Manners {
    /// The cells of `┃`.
    var barWidth = 1
    /// Whether it answers the questions of the start and of the end.
    var answers = true
    /// Whether it says that it has read a frame.
    var confirms = true
    /// Whether answers come byte by byte.
    var isSplit = false
  }

  let terminal: TerminalProcess
  var manners: Manners
  /// Everything that was written.
  private(set) var written: [UInt8] = []
  /// What has been looked at for questions.
  private var looked = 0
  /// What is still to be answered, where answers are held back.
  private(set) var held: [String] = []
  /// The places of the cursor that have been told.
  private var places = 0
  /// Whether answers wait for `answerHeld`.
  var holdsAnswers = false

  init(
    _ manners: Manners = Manners(), newsEvery milliseconds: Int? = nil, columns: UInt16 = 60, rows: UInt16 = 10
  ) throws {
    self.manners = manners
    terminal = try TerminalProcess(
      try Self.probe(), milliseconds.map { ["\($0)"] } ?? [],
      // After us Swift would ask whether to look into the trap.
      environment: ["TERM": "xterm-256color", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"], columns: columns,
      rows: rows)
  }

  var text: String { String(decoding: written, as: UTF8.self) }

  /// The bytes since a moment, as text.
  func text(since start: Int) -> String { String(decoding: written[start...], as: UTF8.self) }

  func count(of part: String, since start: Int = 0) -> Int {
    text(since: start).split(separator: part, omittingEmptySubsequences: false).count - 1
  }

  /// Plays the terminal for a moment.
  func play(milliseconds: Int32 = 20) {
    written += terminal.read(milliseconds: milliseconds)
    answer()
  }

  /// Plays until something holds. False: it did not in twenty seconds.
  func play(until holds: () -> Bool) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    while clock.now < end {
      if holds() { return true }
      play()
    }
    return holds()
  }

  /// Plays until the program has written a text behind what was there.
  func play(untilWritten part: String, since start: Int = 0) -> Bool {
    play { text(since: start).contains(part) }
  }

  func ending() -> Int32? {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    while clock.now < end {
      play(milliseconds: 5)
      if let code = terminal.ending(milliseconds: 0) {
        play(milliseconds: 0)
        return code
      }
    }
    return nil
  }

  func answerHeld() {
    for answer in held { say(answer) }
    held = []
  }

  private static let questions: [(bytes: String, kind: Kind)] = [
    ("\u{1B}[6n", .place), ("\u{1B}]11;?\u{1B}\\", .ground), ("\u{1B}[>0q", .version), ("\u{1B}[c", .attributes),
    ("\u{1B}[5n", .ready),
  ]

  private enum Kind {
    case place, ground, version, attributes, ready
  }

  private func answer() {
    while true {
      let found = Self.questions.compactMap { question -> (end: Int, kind: Kind)? in
        let bytes = Array(question.bytes.utf8)
        guard looked + bytes.count <= written.count else { return nil }
        return (looked...written.count - bytes.count).first { written[$0...].starts(with: bytes) }
          .map { ($0 + bytes.count, question.kind) }
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

  /// The built probe: it lies beside the bundle of the tests, or above it.
  static func probe() throws -> String {
    #if canImport(Glibc)
      let bundle = "/proc/self/exe"
    #else
      var information = Dl_info()
      guard dladdr(#dsohandle, &information) != 0, let name = information.dli_fname else {
        throw TerminalProcess.Problem("the bundle of the tests has no name")
      }
      let bundle = String(cString: name)
    #endif
    guard let real = realpath(bundle, nil) else { throw TerminalProcess.Problem("no \(bundle)") }
    defer { free(real) }
    var folder = String(cString: real)[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      if access("\(folder)/LiveProbe", X_OK) == 0 { return "\(folder)/LiveProbe" }
    }
    throw TerminalProcess.Problem("no program 'LiveProbe' above \(String(cString: real))")
  }
}
