import Testing

@testable import Terminal

/// When frames are due, on a clock controlled by the test.
@Suite struct FramePaceTests {
  private static let millisecond: Int64 = 1_000_000

  @Test(
    arguments: [
      (.data, true, false, 100), (.data, true, true, 250), (.data, false, false, 1000), (.data, false, true, 1000),
      (.key, true, false, 16), (.key, true, true, 16), (.key, false, false, 16),
    ] as [(FramePace.Reason, Bool, Bool, Int64)])
  func interval(_ reason: FramePace.Reason, _ isFocused: Bool, _ isLineOpen: Bool, _ milliseconds: Int64) {
    var pace = FramePace()
    (pace.isFocused, pace.isLineOpen) = (isFocused, isLineOpen)
    pace.painted(at: 5_000_000_000)
    #expect(pace.due == nil)
    pace.want(reason)
    #expect(pace.due == 5_000_000_000 + milliseconds * Self.millisecond)
  }

  @Test func firstFrameIsDueAtOnce() {
    var pace = FramePace()
    pace.want(.data)
    #expect(pace.due == .min)
  }

  @Test func keysHurryDataAndAreNotDelayedByIt() {
    var pace = FramePace()
    pace.painted(at: 0)
    pace.want(.data)
    pace.want(.key)
    pace.want(.data)
    #expect(pace.due == 16 * Self.millisecond)
    pace.painted(at: 16 * Self.millisecond)
    #expect(pace.due == nil)
  }

  @Test func atMostTwoFramesAreInFlight() {
    var receipts = FrameReceipts()
    receipts.sent(at: 0)
    #expect(receipts.deadline == nil)
    receipts.sent(at: 100)
    let second = receipts.allowFrame(at: 200)
    #expect(!second)
    let took = receipts.received(at: 300)
    #expect(took == 300)
    let third = receipts.allowFrame(at: 300)
    #expect(third)
    receipts.sent(at: 300)
    // A terminal that has responded once may be slow.
    #expect(receipts.deadline == 10_000_000_100)
    receipts.forget()
    let stray = receipts.received(at: 400)
    #expect(stray == nil)
  }

  @Test func silentTerminalIsNotQueriedAgain() {
    var receipts = FrameReceipts()
    receipts.sent(at: 0)
    receipts.sent(at: 100)
    #expect(receipts.deadline == 2_000_000_000)
    let early = receipts.allowFrame(at: 1_999_999_999)
    #expect(!early && receipts.areAsked)
    let late = receipts.allowFrame(at: 2_000_000_000)
    #expect(late && !receipts.areAsked)
    // Unless it responds in the end.
    _ = receipts.received(at: 3_000_000_000)
    #expect(receipts.areAsked)
  }
}
