package import Files
package import HTTP
package import Quotes
import Synchronization

/// Writes every connection to a file of its own, `DIR/<Exchange>/streams/NN-<name>.ndjson`, while it goes on.
///
/// What cannot be written ends the recording of that connection, and `problem` says why: a recording with holes would be
/// believed.
package final class StreamRecorder: Sendable {
  /// Of an exchange's recordings: where its streams lie.
  package static let folder = "streams"

  private let directory: String
  private let state = Mutex(State())

  private struct State {
    var lastNumbers: [String: Int] = [:]
    var problem: FileError?
  }

  package init(directory: String) { self.directory = directory }

  /// The first thing that could not be written; nil where all was.
  package var problem: FileError? { state.withLock { $0.problem } }

  /// Begins the recording of a connection that is opened, or given up before it was.
  package func begin(_ request: StreamRequest, at moment: Instant) -> StreamRecording {
    let folder = "\(directory)/\(CassetteRecorder.safeFileName(request.exchange))/\(Self.folder)"
    var file: AppendingFile?
    do throws(FileError) {
      try FileSystem.createFolder(folder)
      let found = try FileSystem.names(in: folder).compactMap { Int($0.prefix { $0.isNumber }) }.max() ?? 0
      let number = state.withLock { state in
        let number = max(state.lastNumbers[folder.lowercased(), default: 0], found) + 1
        state.lastNumbers[folder.lowercased()] = number
        return number
      }
      let name = CassetteRecorder.safeFileName(request.name)
      file = try AppendingFile(creating: "\(folder)/\(number < 10 ? "0" : "")\(number)-\(name).ndjson")
    } catch {
      note(error)
    }
    let recording = StreamRecording(file) { self.note($0) }
    recording.write(.opened(url: request.recordedURL), at: moment)
    return recording
  }

  private func note(_ error: FileError) {
    state.withLock { state in if state.problem == nil { state.problem = error } }
  }
}

/// The recording of one connection.
package struct StreamRecording: Sendable {
  /// nil where it could not be made.
  private let file: AppendingFile?
  private let fail: @Sendable (FileError) -> Void

  fileprivate init(_ file: AppendingFile?, failing fail: @escaping @Sendable (FileError) -> Void) {
    self.file = file
    self.fail = fail
  }

  package func note(_ signal: StreamSignal, at moment: Instant) {
    // The first line says so.
    if case .opened = signal { return }
    write(.signal(signal), at: moment)
  }

  /// - Parameter text: as messages are recorded.
  package func note(sent text: String, at moment: Instant) { write(.sent(text), at: moment) }

  fileprivate func write(_ event: StreamTape.Event, at moment: Instant) {
    do throws(FileError) {
      try file?.append(StreamTape.Line(at: moment, event: event).json)
    } catch {
      fail(error)
    }
  }
}
