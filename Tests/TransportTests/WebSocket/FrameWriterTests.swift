import TestSupport
import Testing

@testable import Transport

@Suite struct FrameWriterTests {
  /// The key whose bytes on the wire are 37 fa 21 3d: the example of RFC 6455 §5.7.
  private static let key: UInt32 = [UInt8]([0x37, 0xFA, 0x21, 0x3D]).withUnsafeBytes {
    $0.loadUnaligned(as: UInt32.self)
  }

  /// Returns everything a writer has, taken in pieces of the given size.
  private static func written(by writer: inout FrameWriter, pieces: Int = .max) -> [UInt8] {
    var written: [UInt8] = []
    writer.flush { bytes in
      written += bytes.prefix(pieces)
      return min(pieces, bytes.count)
    }
    return written
  }

  @Test func writesTheExampleOfTheRFC() {
    var writer = FrameWriter()
    writer.write(.text, Array("Hello".utf8), key: Self.key)
    #expect(Self.written(by: &writer) == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
  }

  /// Each length in its shortest form, masked, and the original payload once unmasked.
  @Test(arguments: [0, 1, 3, 4, 7, 8, 9, 125, 126, 127, 65_535, 65_536, 100_003])
  func writes(_ length: Int) throws {
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for opcode in [FrameOpcode.text, .binary, .ping, .pong, .close] {
      var writer = FrameWriter()
      writer.write(opcode, payload, key: Self.key)
      var bytes = Self.written(by: &writer)
      let frame = WebSocketFrame(opcode: opcode.rawValue, payload, mask: [0x37, 0xFA, 0x21, 0x3D])
      #expect(bytes == frame.bytes)
      #expect(WebSocketFrame(parsing: &bytes) == frame)
    }
  }

  @Test(arguments: [1, 2, 3, 10, 1_000]) func keepsUnsentBytes(_ pieces: Int) {
    var writer = FrameWriter()
    var expected: [UInt8] = []
    for text in ["a", "bcd", String(repeating: "e", count: 300)] {
      writer.write(.text, Array(text.utf8), key: Self.key)
      expected += WebSocketFrame(opcode: 1, Array(text.utf8), mask: [0x37, 0xFA, 0x21, 0x3D]).bytes
    }
    #expect(writer.count == expected.count)
    #expect(Self.written(by: &writer, pieces: pieces) == expected)
    #expect(writer.count == 0)
  }

  /// TLS must be given the same bytes again, at the same address, whatever has been written in the meantime.
  @Test func offersTheSameBytesAgain() {
    var writer = FrameWriter()
    var offers: [(address: UnsafeRawPointer?, bytes: [UInt8])] = []
    for text in ["first", String(repeating: "second", count: 1_000), "third"] {
      writer.write(.text, Array(text.utf8), key: Self.key)
      writer.flush { bytes in
        offers.append((bytes.baseAddress, Array(bytes)))
        return nil
      }
    }
    #expect(Set(offers.map(\.address)).count == 1)
    #expect(Set(offers.map(\.bytes)).count == 1)
    #expect(Self.written(by: &writer).count == 11 + 6_008 + 11)
  }

  /// No two frames have the same mask, since each gets a new random one.
  @Test func masksAreRandom() throws {
    var session = try WebSocketSession.opened()
    for _ in 0..<100 { session.ping() }
    var bytes = Self.written(by: &session.output)
    var masks: Set<[UInt8]> = []
    while let frame = WebSocketFrame(parsing: &bytes) { masks.insert(try #require(frame.mask)) }
    #expect(masks.count == 100)
  }
}
