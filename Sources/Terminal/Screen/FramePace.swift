/// When the next frame is due. Times are nanoseconds of a clock that never goes back.
package struct FramePace: Sendable {
  package enum Reason: Int, Comparable, Sendable {
    /// News of feeds, or a second of the clock.
    case data
    /// A key, or another size: a person waits.
    case key

    package static func < (left: Reason, right: Reason) -> Bool { left.rawValue < right.rawValue }
  }

  /// Whether anybody looks: the terminal has the focus, or does not say.
  package var isFocused = true
  /// Whether a line is open.
  package var isLineOpen = false

  private var wanted: Reason?
  private var last: Int64?

  package init() {}

  package mutating func want(_ reason: Reason) {
    wanted = max(wanted ?? reason, reason)
  }

  package mutating func painted(at time: Int64) {
    wanted = nil
    last = time
  }

  /// nil: nothing is to be painted. May lie in the past.
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

/// Whether the terminal has taken the frames that were sent: behind each it is asked whether it is ready.
///
/// The system alone does not know. It takes a dozen kilobytes for a slow line, which are a dozen seconds of old
/// pictures.
package struct FrameReceipts: Sendable {
  /// Two on their way keep a line with a delay busy.
  private static let most = 2
  /// A slow line takes seconds for a whole screen. Nobody waits longer than this for an answer that may be lost.
  private static let patience: Int64 = 10_000_000_000
  /// The same, before the first answer ever came.
  private static let firstPatience: Int64 = 2_000_000_000

  /// When the frames without an answer were sent, oldest first.
  private var open: [Int64] = []
  private var hasAnswered = false
  private var isSilent = false

  package init() {}

  /// Whether it is worth to ask.
  package var areAsked: Bool { !isSilent }

  package mutating func sent(at time: Int64) {
    open.append(time)
  }

  /// An answer has come. Returns how long it took; nil: nobody knows to which question it belongs.
  package mutating func received(at time: Int64) -> Int64? {
    hasAnswered = true
    isSilent = false
    return open.isEmpty ? nil : time - open.removeFirst()
  }

  /// Nothing is on its way any more: the screen begins again.
  package mutating func forget() {
    open = []
  }

  /// Whether another frame may be sent. A terminal that answered nothing in time is not waited for again.
  package mutating func allowFrame(at time: Int64) -> Bool {
    guard open.count >= Self.most, let deadline else { return true }
    guard time >= deadline else { return false }
    if !hasAnswered { isSilent = true }
    open = []
    return true
  }

  /// When `allowFrame` says yes although no answer has come; nil: it does so now.
  package var deadline: Int64? {
    guard open.count >= Self.most, let oldest = open.first else { return nil }
    return oldest + (hasAnswered ? Self.patience : Self.firstPatience)
  }
}
