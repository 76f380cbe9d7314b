import CTerminal
import Terminal

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a live screen cannot start.
package enum LiveProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// With the system's reason.
  case noTerminal(String)
  case noSignals(String)

  package var description: String {
    switch self {
    case .noTerminal(let reason): "cannot open the terminal: \(reason)"
    case .noSignals(let reason): "cannot watch for signals: \(reason)"
    }
  }
}

/// The terminal of the process, opened separately: nonblocking mode must not apply to the shell and standard error,
/// which share an open file.
struct TerminalDevice {
  let descriptor: Int32

  /// Opens the terminal of standard output.
  init() throws(LiveProblem) {
    let paths = [Self.name(of: STDOUT_FILENO), Self.name(of: STDIN_FILENO), "/dev/tty"].compactMap { $0 }
    for path in paths {
      let descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 {
        self.descriptor = descriptor
        return
      }
    }
    throw .noTerminal(String(cString: strerror(errno)))
  }

  private static func name(of descriptor: Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: 1024)
    guard ttyname_r(descriptor, &buffer, buffer.count) == 0 else { return nil }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
  }

  func close() { _ = systemClose(descriptor) }

  /// nil if the terminal does not know its size.
  var size: ScreenSize? {
    var (columns, rows): (Int32, Int32) = (0, 0)
    guard terminal_size(descriptor, &columns, &rows) == 0 else { return nil }
    return ScreenSize(columns: Int(columns), rows: Int(rows))
  }

  /// Whether the process can read and write it without being stopped.
  var isForeground: Bool { terminal_is_foreground(descriptor) == 1 }

  enum Reading {
    case bytes([UInt8])
    /// Nothing has arrived.
    case nothing
    /// Nothing more will arrive.
    case gone
  }

  func read() -> Reading {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = systemRead(descriptor, &buffer, buffer.count)
      if count > 0 { return .bytes(Array(buffer[..<count])) }
      if count == 0 { return .gone }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      default: return .gone
      }
    }
  }

  /// Sends as much as the terminal accepts now. Returns the number of bytes, or nil if it is gone.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    while true {
      let count = bytes.withUnsafeBytes { terminal_write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN: return 0
      default: return nil
      }
    }
  }

  /// Waits until there is something to read, or room to write.
  func wait(for events: Int16, milliseconds: Int32) {
    var waited = pollfd(fd: descriptor, events: events, revents: 0)
    _ = poll(&waited, 1, milliseconds)
  }
}

/// The process that reads this program's output.
package enum PipeReader {
  /// Returns how many bytes in a pipe are still unread; nil if it is not a pipe, or has no reader.
  package static func unread(of descriptor: Int32) -> Int? {
    let count = terminal_unread(descriptor)
    return count < 0 ? nil : Int(count)
  }

  /// Returns whether a pipe has lost its reader; false if it is not a pipe.
  package static func isGone(of descriptor: Int32) -> Bool { terminal_reader_is_gone(descriptor) != 0 }
}

// The system's calls, under names that no method hides.

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
