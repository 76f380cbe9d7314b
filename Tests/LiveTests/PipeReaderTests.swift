import Live
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The amount of data that a pipe's reader has not yet read.
@Suite struct PipeReaderTests {
  @Test func countsUnreadBytes() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { close(ends[1]) }
    #expect(PipeReader.unread(of: ends[1]) == 0)
    #expect(write(ends[1], "abcde", 5) == 5)
    #expect(PipeReader.unread(of: ends[1]) == 5)
    var bytes = [UInt8](repeating: 0, count: 3)
    #expect(read(ends[0], &bytes, 3) == 3)
    #expect(PipeReader.unread(of: ends[1]) == 2)
    #expect(!PipeReader.isGone(of: ends[1]))
    // The reading end is closed.
    close(ends[0])
    #expect(PipeReader.unread(of: ends[1]) == nil)
    #expect(PipeReader.isGone(of: ends[1]))
  }

  @Test func nonPipesHaveNoUnreadCount() {
    let file = open("/dev/null", O_WRONLY)
    defer { close(file) }
    #expect(PipeReader.unread(of: file) == nil)
    #expect(PipeReader.unread(of: -1) == nil)
    #expect(!PipeReader.isGone(of: file) && !PipeReader.isGone(of: -1))
  }
}
