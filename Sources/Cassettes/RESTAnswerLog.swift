import Files
import JSON
package import Quotes

/// The times at which a run took answers that it had requested by REST alongside its streams. An answer waits for its
/// turn while other connections deliver messages; with these times, a replay has the same order as the run.
///
/// `DIR/<Exchange>/streams/taken.jsonl`, whose extension tells it from the connections beside it (`.ndjson`). It has a
/// line for each answer, with its place among the requests of its kind, as one that was requested later may be taken
/// earlier:
///
///     {"at":1763442727300.25,"taken":"start spot","number":1,"arrived":[1763442727250]}
///
/// `arrived` has the times at which the recorded answers arrived that it was made of: others may have asked for the same at
/// the same moment, and got another answer. Without it, they are taken in order of arrival.
///
/// A line `{"at":1763442727100,"asked":"poll spot-trades-BTC-USDT"}` says that the run made its first request of this
/// kind, whether or not it took an answer. The other lines are of jumps of the clock (``ClockJump``):
///
///     {"at":1763442787300,"suspended":1763442731000}            it stood still from that time on
///     {"at":1763442787300,"late":1763442784000}                 what was due since then was late
///     {"at":1763442784300,"setBack":1763442787300,"behind":3000} the clock was set back from that time
///
/// Whatever was taken after the clock had been set back says by how many milliseconds: `"behind":3000`.
package struct RESTAnswerLog: Sendable {
  /// The kind of answer that was taken.
  package enum Answer: Sendable, Hashable {
    /// The tables that the streams of a market start with.
    case start(Market)
    /// The request that a connection with this name makes before it is opened.
    case handshake(String)
    /// Pairs of a connection with this name.
    case poll(String)

    var text: String {
      switch self {
      case .start(let market): "start \(market.rawValue)"
      case .handshake(let name): "handshake \(name)"
      case .poll(let name): "poll \(name)"
      }
    }
  }

  /// A request, identified by its place among those of its kind, from 1.
  package struct Request: Sendable, Hashable {
    package let exchange: String
    let text: String
    /// nil if it was not recorded.
    let number: Int?

    /// All requests like this one.
    fileprivate var kind: Request { Request(exchange: exchange, text: text, number: nil) }
  }

  /// Numbers the requests of a run, or of its replay.
  package struct Numbers: Sendable {
    private var last: [Request: Int] = [:]

    package init() {}

    /// Returns the next request of this kind.
    package mutating func next(_ answer: Answer, of exchange: String) -> Request {
      let kind = Request(exchange: exchange, text: answer.text, number: nil)
      let number = last[kind, default: 0] + 1
      last[kind] = number
      return Request(exchange: exchange, text: answer.text, number: number)
    }
  }

  /// When an answer was taken, and when what it was made of had arrived; nil if that is not known.
  private struct Turn {
    let moment: Instant
    let arrived: Set<Instant>?
  }

  private var turns: [Request: [Turn]] = [:]
  /// The exchanges whose answers are numbered to the end of the run, and so are all known.
  private var numbered: Set<String> = []
  /// The kinds of requests that the run made, and those that its replay makes.
  private var kinds: Set<Request> = []
  private var kindsAgain: Set<Request> = []
  private var allJumps: Set<ClockJump> = []
  /// The latest time of an answer or a jump, in the run's time as all others; nil if there are none.
  private(set) var end: Instant?

  /// Removes and returns the time at which the answer to a request was taken, or returns nil if it is unknown. Answers
  /// without a number are taken in order of their requests.
  package mutating func take(_ request: Request) -> Instant? {
    kindsAgain.insert(request.kind)
    let key = turns[request] == nil ? request.kind : request
    guard let first = turns[key]?.first else { return nil }
    turns[key]?.removeFirst()
    return first.moment
  }

  /// Returns the time at which the answer to a request was taken, and leaves it; nil if it is unknown.
  package func moment(of request: Request) -> Instant? { turn(of: request)?.moment }

  /// Returns when the recorded answers arrived of which the answer to a request was made; nil if that is unknown.
  package func arrivals(of request: Request) -> Set<Instant>? { turn(of: request)?.arrived }

  private func turn(of request: Request) -> Turn? { (turns[request] ?? turns[request.kind])?.first }

  /// Returns whether the answer to a request that has no time was still to come when the run ended. Of a kind of
  /// request that the run did not make, such as one for other pairs, nothing is known.
  package func isUntaken(_ request: Request) -> Bool {
    numbered.contains(request.exchange) && kinds.contains(request.kind)
  }

  /// Notes that a replay may make requests of this kind.
  package mutating func expect(_ answer: Answer, of exchange: String) {
    kindsAgain.insert(Request(exchange: exchange, text: answer.text, number: nil))
  }

  /// Returns the number of an exchange's answers that the run took and its replay did not; 0 for a replay of other
  /// channels or pairs, which makes other requests.
  func untaken(of exchange: String) -> Int {
    guard kinds.allSatisfy({ $0.exchange != exchange || kindsAgain.contains($0) }) else { return 0 }
    return turns.reduce(0) { $0 + ($1.key.exchange == exchange ? $1.value.count : 0) }
  }

  /// Whether no answer has a time: the recording is not of streams.
  package var isEmpty: Bool { end == nil }

  /// The jumps of the run's clock, in order of time.
  package var jumps: [ClockJump] { allJumps.sorted { ($0.start, $0.end) < ($1.start, $1.end) } }

  // MARK: Files

  static func line(_ jump: ClockJump) -> [UInt8] {
    line(at: jump.until, [jump.kind.rawValue: .number(StreamTape.Line.milliseconds(jump.since))], behind: jump.behind)
  }

  /// Returns the line for the first request of its kind; nil for a later one, which needs none.
  static func line(asked request: Request, at moment: Instant) -> [UInt8]? {
    request.number == 1 ? line(at: moment, ["asked": .string(request.text)]) : nil
  }

  static func line(_ request: Request, at moment: Instant, behind: Duration, arrived: [Instant]?) -> [UInt8] {
    var json: JSONValue = ["taken": .string(request.text)]
    if let number = request.number { json += ["number": .integer(number)] }
    if let arrived { json += ["arrived": .array(arrived.map { .number(StreamTape.Line.milliseconds($0)) })] }
    return line(at: moment, json, behind: behind)
  }

  private static func line(at moment: Instant, _ json: JSONValue, behind: Duration = .zero) -> [UInt8] {
    let time: JSONValue = ["at": .number(StreamTape.Line.milliseconds(moment))]
    return (time + json + behind.recorded).written() + [UInt8(ascii: "\n")]
  }

  /// - Parameter number: The place among the files of the folder, from 1, as one run is recorded after another.
  private static func path(in folder: String, number: Int) -> String {
    "\(folder)/taken\(number == 1 ? "" : "-\(number)").jsonl"
  }

  /// Creates the next file.
  static func newFile(in folder: String) throws(FileError) -> AppendingFile {
    var number = 1
    while true {
      if let file = try AppendingFile(creating: path(in: folder, number: number)) { return file }
      number += 1
    }
  }

  /// - Returns: Whether a last line without its end was left out.
  mutating func read(_ folder: String, of exchange: String) throws(CassetteError) -> Bool {
    var isCut = false
    for path in (1...).lazy.map({ Self.path(in: folder, number: $0) }).prefix(while: FileSystem.exists) {
      let recorded = RecordedLines(try CassetteError.bytes(of: path))
      isCut = isCut || recorded.isCut
      for (line, text) in recorded.lines {
        func moment(_ name: String, of root: JSONNode) -> Instant? {
          root[name]?.numberText.flatMap(StreamTape.Line.instant)
        }
        let root = (try? JSONDocument(parsing: text))?.root
        guard let root, let at = moment("at", of: root) else { throw unreadable(path, line) }
        if let what = root["asked"]?.string {
          kinds.insert(Request(exchange: exchange, text: what, number: nil))
          numbered.insert(exchange)
          continue
        }
        guard let behind = Duration(recordedIn: root) else { throw unreadable(path, line) }
        let turn = at.advanced(by: behind)
        end = max(end ?? turn, turn)
        let jumps = ClockJump.Kind.allCases.lazy.compactMap { kind in
          moment(kind.rawValue, of: root).map { ClockJump(kind, since: $0, until: at, total: behind) }
        }
        if let jump = jumps.first {
          allJumps.insert(jump)
        } else if let what = root["taken"]?.string {
          let number = root["number"]?.numberText.flatMap { Int($0) }
          let request = Request(exchange: exchange, text: what, number: number)
          let arrived = root["arrived"].map { list in
            Set(list.elements.compactMap { $0.numberText.flatMap(StreamTape.Line.instant) })
          }
          turns[request, default: []].append(Turn(moment: turn, arrived: arrived))
          kinds.insert(request.kind)
          if number != nil { numbered.insert(exchange) }
        } else {
          throw unreadable(path, line)
        }
      }
    }
    // What was taken after the last whole line is unknown.
    if isCut { numbered.remove(exchange) }
    return isCut
  }

  private func unreadable(_ path: String, _ line: Int) -> CassetteError {
    CassetteError(
      file: path, position: SourcePosition(line: line, column: 1),
      message: "expected 'at' in milliseconds, and 'taken', 'asked', 'suspended', 'late' or 'setBack'")
  }
}
