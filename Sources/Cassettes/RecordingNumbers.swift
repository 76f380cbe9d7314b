import Files
import Quotes
import Synchronization

/// Numbers the recordings in each folder, following those that are already there.
final class RecordingNumbers: Sendable {
  /// The last number used in each folder. A folder is listed once, as runs may record for days.
  private let last = Mutex<[String: Int]>([:])

  /// Creates a recording with the next number for which that is possible, and its folder.
  ///
  /// - Parameter make: Creates the recording, given its path without an extension; returns nil, so that the next number
  ///   is tried, if another program has created one there in the meantime.
  func create<Made>(
    in folder: String, named name: String, _ make: (_ stem: String) throws(FileError) -> Made?
  ) throws(FileError) -> Made {
    try FileSystem.createFolder(folder)
    while true {
      let number = try next(in: folder)
      let stem = "\(folder)/\(number.padded(to: 2))-\(CassetteRecorder.safeFileName(name))"
      if let made = try make(stem) { return made }
    }
  }

  private func next(in folder: String) throws(FileError) -> Int {
    // Some file systems ignore case in folder names.
    let key = folder.lowercased()
    return try last.withLock { last throws(FileError) -> Int in
      if last[key] == nil { last[key] = try Self.highest(in: folder) }
      let number = last[key, default: 0] + 1
      last[key] = number
      return number
    }
  }

  private static func highest(in folder: String) throws(FileError) -> Int {
    let numbers = try FileSystem.names(in: folder).compactMap { Int($0.prefix { $0.isNumber }) }
    // No recording of ours has a longer number.
    return numbers.filter { $0 < 1_000_000_000 }.max() ?? 0
  }
}
