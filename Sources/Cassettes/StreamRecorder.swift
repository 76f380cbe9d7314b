package import Files
package import HTTP
package import Quotes
import Synchronization

/// Writes every connection to a file of its own, `DIR/<Exchange>/streams/NN-<name>.ndjson`, while it goes on, or keeps what
/// it would write.
///
/// What cannot be written ends the recording of that connection, and `problem` says why: a recording with holes would be
/// believed.
package final class StreamRecorder: Sendable {
  /// Of an exchange's recordings: where its streams lie.
  package static let folder = "streams"

  /// nil: nothing is written.
  private let directory: String?
  private let isKept: Bool
  private let state = Mutex(State())

  private struct State {
    var lastNumbers: [String: Int] = [:]
    var problem: FileError?
    var tapes: [(name: String, tape: StreamTape)] = []
    /// By exchange; nil where it cannot be made.
    var taken: [String: AppendingFile?] = [:]
  }

  package init(directory: String) { (self.directory, isKept) = (directory, false) }

  /// Keeps the recordings, for as long as it is there.
  ///
  /// - Parameter directory: where they are written, too; nil: nowhere.
  package init(keepingBeside directory: String?) { (self.directory, isKept) = (directory, true) }

  /// What is kept, with what each connection was for, in the order of their beginning.
  package var tapes: [(name: String, tape: StreamTape)] { state.withLock { $0.tapes } }

  /// The first thing that could not be written; nil where all was.
  package var problem: FileError? { state.withLock { $0.problem } }

  /// Begins the recording of a connection that is opened, or given up before it was.
  package func begin(_ request: StreamRequest, at moment: Instant) -> StreamRecording {
    let file = directory.flatMap { self.file(of: request, in: $0) }
    let place = isKept ? keep(request) : nil
    let recording = StreamRecording(file) { line in
      if let place { self.state.withLock { $0.tapes[place].tape.lines.append(line) } }
    } failing: {
      self.note($0)
    }
    recording.write(.opened(url: request.recordedURL), at: moment)
    return recording
  }

  /// Notes when a run took what it had asked by REST: what is kept is read as it is, and never played.
  package func note(_ answer: TakenAnswers.Answer, of exchange: String, at moment: Instant) {
    guard let directory, !isKept else { return }
    let folder = "\(directory)/\(CassetteRecorder.safeFileName(exchange))/\(Self.folder)"
    do throws(FileError) {
      var file = state.withLock { $0.taken[exchange] }
      if file == nil {
        try FileSystem.createFolder(folder)
        let made = try AppendingFile(creating: TakenAnswers.path(in: folder))
        state.withLock { $0.taken[exchange] = made }
        file = made
      }
      try (file ?? nil)?.append(TakenAnswers.line(answer, at: moment))
    } catch {
      state.withLock { $0.taken[exchange] = .some(nil) }
      note(error)
    }
  }

  /// - Returns: its place among those that are kept.
  private func keep(_ request: StreamRequest) -> Int {
    state.withLock { state in
      state.tapes.append((request.name, StreamTape(lines: [])))
      return state.tapes.count - 1
    }
  }

  /// nil where it cannot be made.
  private func file(of request: StreamRequest, in directory: String) -> AppendingFile? {
    let folder = "\(directory)/\(CassetteRecorder.safeFileName(request.exchange))/\(Self.folder)"
    do throws(FileError) {
      try FileSystem.createFolder(folder)
      let found = try FileSystem.names(in: folder).compactMap { Int($0.prefix { $0.isNumber }) }.max() ?? 0
      let number = state.withLock { state in
        let number = max(state.lastNumbers[folder.lowercased(), default: 0], found) + 1
        state.lastNumbers[folder.lowercased()] = number
        return number
      }
      let name = CassetteRecorder.safeFileName(request.name)
      return try AppendingFile(creating: "\(folder)/\(number < 10 ? "0" : "")\(number)-\(name).ndjson")
    } catch {
      note(error)
      return nil
    }
  }

  private func note(_ error: FileError) {
    state.withLock { state in if state.problem == nil { state.problem = error } }
  }
}

/// The recording of one connection.
package struct StreamRecording: Sendable {
  /// nil where there is none, or it could not be made.
  private let file: AppendingFile?
  private let keep: @Sendable (StreamTape.Line) -> Void
  private let fail: @Sendable (FileError) -> Void

  fileprivate init(
    _ file: AppendingFile?, keeping keep: @escaping @Sendable (StreamTape.Line) -> Void,
    failing fail: @escaping @Sendable (FileError) -> Void
  ) {
    (self.file, self.keep, self.fail) = (file, keep, fail)
  }

  package func note(_ signal: StreamSignal, at moment: Instant) {
    // The first line says so.
    if case .opened = signal { return }
    write(.signal(signal), at: moment)
  }

  /// - Parameter text: as messages are recorded.
  package func note(sent text: String, at moment: Instant) { write(.sent(text), at: moment) }

  fileprivate func write(_ event: StreamTape.Event, at moment: Instant) {
    let line = StreamTape.Line(at: moment, event: event)
    keep(line)
    do throws(FileError) {
      try file?.append(line.json)
    } catch {
      fail(error)
    }
  }
}
