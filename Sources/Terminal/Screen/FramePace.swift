/// The schedule of frames. Times are nanoseconds of a monotonic clock.
package struct FramePace: Sendable {
  package enum Reason: Comparable, Sendable {
    /// News from feeds, or a new second of the clock.
    case data
    /// A key or a resize: the user is waiting.
    case key
  }

  /// Whether the terminal has the focus, or does not report it.
  package var isFocused = true
  package var isLineOpen = false

  private var wanted: Reason?
  private var last: Int64?

  package init() {}

  package mutating func want(_ reason: Reason) { wanted = max(wanted ?? reason, reason) }

  package mutating func painted(at time: Int64) {
    wanted = nil
    last = time
  }

  /// When the next frame is due, possibly in the past; nil if there is nothing to paint.
  package var due: Int64? {
    guard let wanted else { return nil }
    guard let last else { return .min }
    return last + interval(for: wanted)
  }

  private func interval(for reason: Reason) -> Int64 {
    let millisecond: Int64 = 1_000_000
    switch reason {
    case .key: return 16 * millisecond
    case .data where !isFocused: return 1000 * millisecond
    case .data where isLineOpen: return 250 * millisecond
    case .data: return 100 * millisecond
    }
  }
}

/// Tracks whether the terminal has processed the frames sent, by asking after each one whether it is ready.
///
/// The system alone does not know: it buffers a dozen kilobytes for a slow line, which are a dozen seconds of stale
/// frames.
package struct FrameReceipts: Sendable {
  /// Two frames in flight keep a line with latency busy.
  private static let maximumInFlight = 2
  /// A slow line takes seconds for a whole screen. The maximum wait for an answer, which may be lost.
  private static let patience: Int64 = 10_000_000_000
  /// The maximum wait before the first answer ever.
  private static let firstPatience: Int64 = 2_000_000_000

  /// The times of the unanswered frames, oldest first.
  private var open: [Int64] = []
  private var hasAnswered = false
  /// Whether it is worth asking.
  package private(set) var areAsked = true

  package init() {}

  package mutating func sent(at time: Int64) { open.append(time) }

  /// Handles an answer. Returns how long it took, or nil if it is unclear which question it belongs to.
  package mutating func received(at time: Int64) -> Int64? {
    hasAnswered = true
    areAsked = true
    return open.isEmpty ? nil : time - open.removeFirst()
  }

  /// Forgets all frames in flight, as the screen starts over.
  package mutating func forget() { open = [] }

  /// Returns whether another frame may be sent. A terminal that failed to answer in time is not waited for again.
  package mutating func allowFrame(at time: Int64) -> Bool {
    guard open.count >= Self.maximumInFlight, let deadline else { return true }
    guard time >= deadline else { return false }
    if !hasAnswered { areAsked = false }
    open = []
    return true
  }

  /// When `allowFrame` returns true even without an answer; nil if it already does.
  package var deadline: Int64? {
    guard open.count >= Self.maximumInFlight, let oldest = open.first else { return nil }
    return oldest + (hasAnswered ? Self.patience : Self.firstPatience)
  }
}
