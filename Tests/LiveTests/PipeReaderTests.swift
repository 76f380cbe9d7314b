import Live
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The amount of data that a pipe's reader has not yet read.
@Suite struct PipeReaderTests {
  @Test func countsUnreadBytes() throws {
    let ends = try Sockets.pipe()
    defer { close(ends.write) }
    #expect(PipeReader.unread(of: ends.write) == 0)
    #expect(write(ends.write, "abcde", 5) == 5)
    #expect(PipeReader.unread(of: ends.write) == 5)
    var bytes = [UInt8](repeating: 0, count: 3)
    #expect(read(ends.read, &bytes, 3) == 3)
    #expect(PipeReader.unread(of: ends.write) == 2)
    #expect(!PipeReader.isGone(of: ends.write))
    // The reading end is closed. A program that another test starts at this moment has it as well until it runs.
    close(ends.read)
    let limit = ContinuousClock.now + .seconds(60)
    while !PipeReader.isGone(of: ends.write), ContinuousClock.now < limit { sched_yield() }
    #expect(PipeReader.isGone(of: ends.write))
    #expect(PipeReader.unread(of: ends.write) == nil)
  }

  @Test func nonPipesHaveNoUnreadCount() {
    let file = open("/dev/null", O_WRONLY)
    defer { close(file) }
    #expect(PipeReader.unread(of: file) == nil)
    #expect(PipeReader.unread(of: -1) == nil)
    #expect(!PipeReader.isGone(of: file) && !PipeReader.isGone(of: -1))
  }
}
