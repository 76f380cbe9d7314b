import CCurl
import HTTP

/// An order from a stream's owner to the loop's thread.
struct StreamOrder: Sendable {
  enum Kind: Sendable {
    case open(StreamRequest, StreamReceiver)
    case send([UInt8], FrameOpcode)
    case ping
    case close(code: Int)
  }

  /// The number of the stream that it is for.
  var stream: UInt64
  var kind: Kind
}

/// A stream as held by its owner, on any thread.
struct NetworkStream: StreamConnection {
  let number: UInt64
  let loop: CurlLoop

  func send(_ text: [UInt8]) { post(.send(text, .text)) }
  func ping() { post(.ping) }
  func close(code: Int) { post(.close(code: code)) }

  private func post(_ kind: StreamOrder.Kind) { loop.post(StreamOrder(stream: number, kind: kind)) }
}

/// The WebSockets of a loop. Confined to the loop's thread.
final class CurlStreams {
  private let multi: CurlMulti
  private var byNumber: [UInt64: CurlStream] = [:]
  private var numbers: [UnsafeMutableRawPointer: UInt64] = [:]
  /// The read buffer, shared because only one stream is read at a time.
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

  private func open(_ number: UInt64, _ request: StreamRequest, _ receiver: @escaping StreamReceiver) {
    do throws(TransportError) {
      guard multi.settings.openFiles.hasRoomForStream(besides: byNumber.count) else {
        throw .tooManyFiles
      }
      multi.makeRoom(forStreams: byNumber.count + 1)
      let stream = try CurlStream(request, receiver: receiver, multi: multi, at: clock.now())
      guard multi.add(stream.easy) else { throw .other("libcurl does not accept the request") }
      byNumber[number] = stream
      numbers[stream.easy] = number
    } catch {
      multi.makeRoom(forStreams: byNumber.count)
      receiver([.closed(.failed(error))])
    }
  }

  /// Called when a stream has connected or failed to. Returns true if it was restarted.
  func finish(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) -> Bool {
    guard let stream = numbers[easy].flatMap({ byNumber[$0] }) else { return false }
    if stream.fallsBackToBundle(after: code), multi.restartWithBundle(easy) { return true }
    stream.connected(code)
    return false
  }

  /// Services every stream; returns true if one has more work immediately.
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

  /// Waits until there is data for a stream or a transfer, the loop is woken, or a stream's deadline passes.
  ///
  /// libcurl handles its own timeouts, and a wakeup that comes before the wait is not lost.
  func wait(atMost milliseconds: Int32) {
    var milliseconds = milliseconds
    if milliseconds > 0, let deadline = byNumber.values.compactMap(\.deadline).min() {
      // Add one millisecond, because waking too early would mean waking twice.
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

  /// Ends all streams, each with a goodbye to the other side if possible.
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
    multi.makeRoom(forStreams: byNumber.count)
  }
}
