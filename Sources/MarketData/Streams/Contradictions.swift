import Mapping
import Quotes

/// The consecutive answers that contradict a quiet stream. After the second, the pair is polled as if there were no
/// stream; if no message comes then either, the connection must be dead without us noticing.
struct Contradictions: Sendable {
  private(set) var count = 0
  /// When the first of them came.
  private(set) var since: Instant?
  /// Whether the connection must be dead.
  private(set) var areConclusive = false

  init() {}

  /// Creates the state after the second one, until the next message.
  init(since: Instant) { self.since = since }

  /// Counts an answer.
  ///
  /// - Returns: Whether it confirms an earlier one.
  mutating func add(at now: Instant) -> Bool {
    if count == 0 { since = now }
    count += 1
    return count > 1
  }

  /// Counts an answer the second of which needs no waiting for messages.
  mutating func addConclusively(at now: Instant) { areConclusive = add(at: now) }

  /// Notes that there has still been no message.
  mutating func wait(until now: Instant) {
    if let since { areConclusive = since.advanced(by: PairState.doubtAfter) <= now }
  }
}

/// What a connection lacks: the data between that of the connection before it and its own first message, or a message
/// that could not be read. An answer is asked for to close it.
struct ConnectionGap: Sendable {
  /// Whether that answer is still to be asked for.
  private(set) var isOpen = false
  /// Whether the answer that is still to come is that one.
  private(set) var isAsked = false
  /// Why the last one failed, which is reported once.
  private var failure: AnswerFailure?

  mutating func open() { isOpen = true }

  mutating func ask() { (isAsked, isOpen) = (isOpen, false) }

  mutating func endAsking() { isAsked = false }

  /// Notes that the answer has come.
  mutating func take() { if isAsked { failure = nil } }

  /// Opens it again because there was no answer.
  ///
  /// - Returns: Whether the reason is a new one.
  mutating func reopen(because failure: AnswerFailure) -> Bool {
    defer { (self.failure, isOpen) = (failure, true) }
    return failure != self.failure
  }
}
