import CCurl
import HTTP

/// What the owner of a stream leaves for the loop's thread.
struct StreamOrder: Sendable {
  enum Kind: Sendable {
    case open(StreamRequest, StreamHandler.Receiver)
    case send([UInt8], FrameOpcode)
    case ping
    case close(code: Int)
  }

  /// Whom it is for.
  var stream: UInt64
  var kind: Kind
}

/// A stream as its owner holds it, on any thread.
struct NetworkStream: StreamConnection {
  let number: UInt64
  let loop: CurlLoop

  func send(_ text: [UInt8]) { tell(.send(text, .text)) }
  /// No exchange asks for binary messages, but the protocol's conformance suite does.
  func send(binary bytes: [UInt8]) { tell(.send(bytes, .binary)) }
  func ping() { tell(.ping) }
  func close(code: Int) { tell(.close(code: code)) }

  private func tell(_ kind: StreamOrder.Kind) { loop.tell(StreamOrder(stream: number, kind: kind)) }
}

/// The WebSockets of a loop. Lives on the loop's thread and never leaves it.
final class CurlStreams {
  private let multi: CurlMulti
  private var byNumber: [UInt64: CurlStream] = [:]
  private var numbers: [UnsafeMutableRawPointer: UInt64] = [:]
  /// For what is read: one for all, since only one is read at a time.
  private let buffer: UnsafeMutableRawBufferPointer
  private let clock = TransportClock.system

  init(_ multi: CurlMulti) {
    self.multi = multi
    buffer = .allocate(byteCount: 64 << 10, alignment: 16)
  }

  deinit { buffer.deallocate() }

  func obey(_ order: StreamOrder) {
    if case .open(let request, let receiver) = order.kind {
      open(order.stream, request, receiver)
    } else {
      byNumber[order.stream]?.obey(order.kind, at: clock.now())
    }
  }

  private func open(_ number: UInt64, _ request: StreamRequest, _ receiver: @escaping StreamHandler.Receiver) {
    do throws(TransportError) {
      let stream = try CurlStream(request, receiver: receiver, multi: multi, at: clock.now())
      guard multi.add(stream.easy) else { throw .other("libcurl does not take the request") }
      byNumber[number] = stream
      numbers[stream.easy] = number
    } catch {
      receiver([.closed(.failed(error))])
    }
  }

  /// The connection of a stream is there, or cannot be made. True where it was begun anew.
  func finish(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) -> Bool {
    guard let stream = numbers[easy].flatMap({ byNumber[$0] }) else { return false }
    if stream.fallsBackToBundle(after: code), multi.restartWithBundle(easy) { return true }
    stream.connected(code)
    return false
  }

  /// Gives every stream its turn; true where one has more to do at once.
  func attend() -> Bool {
    if byNumber.isEmpty { return false }
    let now = clock.now()
    var hasWork = false
    for (number, stream) in byNumber {
      stream.attend(buffer, at: now)
      if stream.isOver {
        remove(number, stream)
      } else if stream.hasWork {
        hasWork = true
      }
    }
    return hasWork
  }

  /// Waits until something comes for a stream or a transfer, the loop is woken, or the time of a stream is up.
  ///
  /// libcurl wakes itself for its own timeouts, and the alarm is remembered when it rings before the wait.
  func wait(atMost milliseconds: Int32) {
    var milliseconds = milliseconds
    if milliseconds > 0, let deadline = byNumber.values.compactMap(\.deadline).min() {
      // One more than is left: to wake too early would be to wake twice.
      milliseconds = Int32(clamping: min(Int64(milliseconds), max(0, deadline - clock.now()) / 1_000_000 + 1))
    }
    var watched: [CurlStream] = []
    var descriptors: [curl_waitfd] = []
    for stream in byNumber.values {
      guard let descriptor = stream.wanted else { continue }
      watched.append(stream)
      descriptors.append(descriptor)
    }
    _ = multi.curl.multi_poll(multi.handle, &descriptors, UInt32(descriptors.count), milliseconds, nil)
    for (stream, descriptor) in zip(watched, descriptors) { stream.mark(descriptor.revents) }
  }

  /// Ends all streams, each with a word to the other side where that can be.
  func abandonAll() {
    for (number, stream) in byNumber {
      stream.abandon(at: clock.now())
      remove(number, stream)
    }
  }

  private func remove(_ number: UInt64, _ stream: CurlStream) {
    if !multi.closesWithHandle { stream.hangUp() }
    multi.remove(stream.easy)
    byNumber[number] = nil
    numbers[stream.easy] = nil
  }
}
