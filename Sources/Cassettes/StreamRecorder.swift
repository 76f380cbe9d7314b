package import Files
package import HTTP
package import Quotes
import Synchronization

/// Writes every connection to its own file, `DIR/<Exchange>/streams/NN-<name>.ndjson`, as it goes on, or keeps the
/// lines in memory.
///
/// A write error ends the recording of that connection, and `problem` tells why: an incomplete recording would be
/// trusted.
package final class StreamRecorder: Sendable {
  /// The subfolder for streams in an exchange's recordings.
  package static let folder = "streams"

  static func folder(of exchange: String, in directory: String) -> String {
    "\(directory)/\(CassetteRecorder.safeFileName(exchange))/\(folder)"
  }

  /// nil if nothing is written.
  private let directory: String?
  private let isKept: Bool
  private let numbers = RecordingNumbers()
  private let state = Mutex(State())

  private struct State {
    var problem: FileError?
    var tapes: [(name: String, tape: StreamTape)] = []
    /// By exchange; nil if it could not be created.
    var taken: [String: AppendingFile?] = [:]
  }

  package init(directory: String) { (self.directory, isKept) = (directory, false) }

  /// Creates a recorder that keeps its recordings in memory for its lifetime.
  ///
  /// - Parameter directory: The folder where they are written as well; nil if nowhere.
  package init(keepingBeside directory: String?) { (self.directory, isKept) = (directory, true) }

  /// The kept recordings, with the name of each connection, in order of their start.
  package var tapes: [(name: String, tape: StreamTape)] { state.withLock { $0.tapes } }

  /// The first write error; nil if there was none.
  package var problem: FileError? { state.withLock { $0.problem } }

  /// Starts the recording of a connection that is being opened, whether or not that succeeds.
  ///
  /// - Parameter behind: How far the clock has been set back since the run began, as in the methods below.
  package func begin(_ request: StreamRequest, at moment: Instant, behind: Duration = .zero) -> StreamRecording {
    let recording = StreamRecording(
      recorder: self, file: directory.flatMap { file(of: request, in: $0) }, place: isKept ? keep(request) : nil)
    recording.write(.opened(url: request.recordedURL, behind: behind), at: moment)
    return recording
  }

  /// Records when a run took an answer that it had requested by REST. Kept recordings are not played, so they have no
  /// need for it.
  ///
  /// - Parameter arrived: When the recorded answers arrived that it was made of; nil if that is not known.
  package func note(
    _ request: RESTAnswerLog.Request, at moment: Instant, behind: Duration = .zero, arrived: [Instant]? = nil
  ) {
    log(RESTAnswerLog.line(request, at: moment, behind: behind, arrived: arrived), of: request.exchange)
  }

  /// Records that a run waits for an answer, if it is the first of its kind.
  package func note(asked request: RESTAnswerLog.Request, at moment: Instant) {
    guard let line = RESTAnswerLog.line(asked: request, at: moment) else { return }
    log(line, of: request.exchange)
  }

  /// Records that the clock of a run of these exchanges jumped.
  package func note(_ jump: ClockJump, of exchanges: some Sequence<String>) {
    for exchange in exchanges { log(RESTAnswerLog.line(jump), of: exchange) }
  }

  private func log(_ line: [UInt8], of exchange: String) {
    guard let directory, !isKept else { return }
    let folder = Self.folder(of: exchange, in: directory)
    do throws(FileError) {
      // Inside the lock, as several runs may begin at once.
      let file = try state.withLock { state throws(FileError) -> AppendingFile? in
        if let known = state.taken[exchange] { return known }
        try FileSystem.createFolder(folder)
        let made = try RESTAnswerLog.newFile(in: folder)
        state.taken[exchange] = made
        return made
      }
      try file?.append(line)
    } catch {
      state.withLock { $0.taken[exchange] = .some(nil) }
      note(error)
    }
  }

  /// - Returns: The recording's index among those that are kept.
  private func keep(_ request: StreamRequest) -> Int {
    state.withLock { state in
      state.tapes.append((request.name, StreamTape(lines: [])))
      return state.tapes.count - 1
    }
  }

  fileprivate func keep(_ line: StreamTape.Line, at place: Int) {
    state.withLock { $0.tapes[place].tape.lines.append(line) }
  }

  /// Returns nil if it cannot be created.
  private func file(of request: StreamRequest, in directory: String) -> AppendingFile? {
    let folder = Self.folder(of: request.exchange, in: directory)
    do throws(FileError) {
      return try numbers.create(in: folder, named: request.name) { stem throws(FileError) -> AppendingFile? in
        try AppendingFile(creating: "\(stem).ndjson")
      }
    } catch {
      note(error)
      return nil
    }
  }

  fileprivate func note(_ error: FileError) {
    state.withLock { state in if state.problem == nil { state.problem = error } }
  }
}

package struct StreamRecording: Sendable {
  fileprivate let recorder: StreamRecorder
  /// nil if there is none, or if it could not be created.
  fileprivate let file: AppendingFile?
  /// Its index among the recordings that are kept in memory; nil if it is none of them.
  fileprivate let place: Int?

  package func note(_ signal: StreamSignal, at moment: Instant) {
    // The first line implies it.
    if case .opened = signal { return }
    write(.signal(signal), at: moment)
  }

  /// - Parameter text: The message in its recorded form.
  package func note(sent text: String, at moment: Instant) { write(.sent(text), at: moment) }

  fileprivate func write(_ event: StreamTape.Event, at moment: Instant) {
    let line = StreamTape.Line(at: moment, event: event)
    if let place { recorder.keep(line, at: place) }
    do throws(FileError) {
      try file?.append(line.json)
    } catch {
      recorder.note(error)
    }
  }
}
