import Files
import Synchronization
import Testing

@testable import Shell

@Suite struct OutputWriterTests {
  /// A sink that keeps its calls separate.
  private final class Sink: Sendable {
    let chunks = Mutex<[String]>([])

    func writer(capacity: Int, answering answer: FileDescriptorWrite = .done) -> OutputWriter {
      OutputWriter(capacity: capacity) { bytes in
        self.chunks.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        return answer
      }
    }

    var sent: [String] { chunks.withLock { $0 } }
  }

  @Test func buffersUntilFull() {
    let sink = Sink()
    let writer = sink.writer(capacity: 4)
    writer.write("ab")
    writer.write("cd")
    #expect(sink.sent == [])
    writer.write("e")
    #expect(sink.sent == ["abcde"])
    writer.write("f")
    writer.flush()
    writer.flush()
    #expect(sink.sent == ["abcde", "f"])
  }

  /// An unmeasurable stream is writable; so is a pipe once nearly all of it was read.
  @Test(arguments: [(nil, true), (4096, true), (4097, false)] as [(Int?, Bool)])
  func waitsForItsReader(_ unread: Int?, _ isTaken: Bool) async {
    let writer = OutputWriter(capacity: 0, unread: { unread }, sink: { _ in .done })
    #expect(await writer.isTaken() == isTaken)
  }

  @Test func erasesTransientLineBeforeOtherOutput() {
    let sink = Sink()
    let writer = sink.writer(capacity: 0)
    writer.erasePassing()
    writer.show(passing: "1 of 2")
    writer.show(passing: "2 of 2")
    writer.write("note\n")
    writer.show(passing: "end")
    writer.erasePassing()
    writer.erasePassing()
    #expect(
      sink.sent == ["\r1 of 2\u{1B}[K", "\r2 of 2\u{1B}[K", "\r\u{1B}[K", "note\n", "\rend\u{1B}[K", "\r\u{1B}[K"])
  }

  @Test func unbuffered() {
    let sink = Sink()
    let writer = sink.writer(capacity: 0)
    writer.write("a")
    writer.write("")
    writer.write("b")
    #expect(sink.sent == ["a", "b"])
  }

  @Test func closedReader() {
    let sink = Sink()
    let writer = sink.writer(capacity: 0, answering: .readerGone)
    writer.write("a")
    writer.write("b")
    #expect(sink.sent == ["a"])
    #expect(writer.isClosed)
    #expect(writer.failure == nil)
  }

  /// A command with nothing to write notices, too.
  @Test func lostReader() {
    #expect(OutputWriter(capacity: 0, isReaderGone: { true }, sink: { _ in .done }).isClosed)
    #expect(!OutputWriter(capacity: 0, sink: { _ in .done }).isClosed)
  }

  @Test func failure() {
    let sink = Sink()
    let error = FileError.failed(.write, path: "standard output", reason: "No space left on device")
    let writer = sink.writer(capacity: 0, answering: .failed(error))
    writer.write("a")
    writer.write("b")
    #expect(sink.sent == ["a"])
    #expect(writer.failure == error)
  }
}
