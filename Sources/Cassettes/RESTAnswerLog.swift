import Files
import JSON
package import Quotes

/// The times at which a run took answers that it had requested by REST alongside its streams. An answer waits for its
/// turn while other connections deliver messages; with these times, a replay has the same order as the run.
///
/// `DIR/<Exchange>/streams/taken.jsonl`, a line for each answer:
///
///     {"at":1763442727300.25,"taken":"start spot"}
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

  private struct Key: Hashable {
    let exchange: String
    let text: String
  }

  private var moments: [Key: [Instant]] = [:]
  /// The latest time of all; nil if there are none.
  private(set) var end: Instant?

  private static let name = "taken"
  private static let suffix = ".jsonl"

  /// Removes and returns the time of the next answer of this kind, or returns nil if none is known.
  package mutating func next(_ answer: Answer, of exchange: String) -> Instant? {
    let key = Key(exchange: exchange, text: answer.text)
    guard let first = moments[key]?.first else { return nil }
    moments[key]?.removeFirst()
    return first
  }

  // MARK: Files

  static func line(_ answer: Answer, at moment: Instant) -> [UInt8] {
    let json: JSONValue = ["at": .number(StreamTape.Line.milliseconds(moment)), "taken": .string(answer.text)]
    return json.written() + [UInt8(ascii: "\n")]
  }

  /// Returns the path of a new file, as one run is recorded after another.
  static func path(in folder: String) -> String {
    let paths = (1...).lazy.map { "\(folder)/\(name)\($0 == 1 ? "" : "-\($0)")\(suffix)" }
    return paths.first { !FileSystem.exists($0) } ?? ""
  }

  mutating func read(_ folder: String, of exchange: String) throws(CassetteError) {
    for number in 1... {
      let path = "\(folder)/\(Self.name)\(number == 1 ? "" : "-\(number)")\(Self.suffix)"
      guard FileSystem.exists(path) else { return }
      let bytes: [UInt8]
      do throws(FileError) { bytes = try FileSystem.read(path) } catch {
        throw CassetteError(file: path, position: nil, message: "\(error)")
      }
      for (index, text) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      where !text.isEmpty {
        guard let root = try? JSONDocument(parsing: Array(text)).root, let what = root["taken"]?.string,
          let at = root["at"]?.numberText.flatMap(StreamTape.Line.instant)
        else {
          throw CassetteError(
            file: path, position: SourcePosition(line: index + 1, column: 1),
            message: "expected 'at' in milliseconds, and 'taken'")
        }
        moments[Key(exchange: exchange, text: what), default: []].append(at)
        end = max(end ?? at, at)
      }
    }
  }
}
