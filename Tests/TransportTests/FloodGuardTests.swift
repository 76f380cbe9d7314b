import TestSupport
import Testing

@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct FloodGuardTests {
  /// What the loop does between looks at a connection over which a server sends more and more.
  struct Work: CustomTestStringConvertible {
    var reads = true
    var staysInTurn = true
    /// Whether what it reads is part of an answer.
    var isAnswer = false
    let isEnded: Bool
    var testDescription: String { "reads \(reads), stays in turn \(staysInTurn), is an answer \(isAnswer)" }
  }

  @Test(arguments: [
    Work(isEnded: true), Work(staysInTurn: false, isEnded: false), Work(reads: false, isEnded: false),
    Work(isAnswer: true, isEnded: false),
  ])
  func endsWhatTheLoopCannotLeave(_ work: Work) throws {
    let length = 32 << 10
    let server = try LoopbackServer { _ in [.bytes([UInt8](repeating: 0, count: length)), .hold] }
    defer { server.stop() }
    let socket = try #require(Sockets.connect(to: server.port))
    let floodGuard = FloodGuard()
    defer { _ = floodGuard.close(socket) }
    floodGuard.add(socket, of: "host:443")
    var request = Array("GET / HTTP/1.1\r\n\r\n".utf8)[...]
    #expect(Sockets.write(&request, to: socket))
    // All of it is there before the first look, so that each part that is read counts.
    var buffer = [UInt8](repeating: 0, count: length)
    while recv(socket, &buffer, length, Int32(MSG_PEEK)) < length {}
    floodGuard.beginTurn(hasTransfers: false)
    for _ in 0..<8 {
      if work.reads { _ = recv(socket, &buffer, length / 8, 0) }
      if work.isAnswer { floodGuard.noteProgress() }
      floodGuard.look()
      guard !work.staysInTurn else { continue }
      floodGuard.endTurn(hasTransfers: false)
      floodGuard.beginTurn(hasTransfers: false)
    }
    #expect(floodGuard.hasEnded("host:443", since: 0) == work.isEnded)
    #expect(!floodGuard.hasEnded("host:443", since: .max))
    #expect(!floodGuard.hasEnded("other:443", since: 0))
  }

  /// The thread ends with the last transfer, so that neither an idle loop nor one that has stopped keeps it.
  @Test(arguments: [true, false])
  func watchesOnlyWhileThereAreTransfers(_ endsWithTurn: Bool) async {
    let floodGuard = FloodGuard()
    floodGuard.beginTurn(hasTransfers: true)
    floodGuard.endTurn(hasTransfers: !endsWithTurn)
    if !endsWithTurn {
      #expect(floodGuard.isWatching)
      floodGuard.stopWatching()
    }
    while floodGuard.isWatching { await Task.yield() }
  }
}
