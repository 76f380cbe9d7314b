import JSON
import TestSupport
import Testing

/// Small, randomly broken texts: the readers must agree about each, and must not crash. The seeds are fixed so that
/// failures are reproducible.
@Suite("Malformed JSON")
struct FuzzTests {
  private static let sources = [
    #"[{"a":{"b":1.50},"x":"é\u00e9\ud83d\ude00"},{"a":{"b":-2e+10},"x":""},{"a":null,"x":[true,false,{}]}]"#,
    #"{"a":[{"a":"one","b":["two",3]},{"a":"four","b":[]}],"time":1699999999999,"비트":"\\\"\/\n"}"#,
    #" { "A" : [ 1 , 2.0 , 3e-1 ] , "a" : { "0" : [ [ [ "x" ] ] ] } , "a" : 0 } "#,
  ]

  /// Bytes that matter to the grammar, and some that do not.
  private static let bytes: [UInt8] =
    Array("{}[]:,\"\\ \n\t-+.eE019truefalsnu/abx".utf8) + [0, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]

  @Test(arguments: 0..<30)
  func readersAgree(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let text = broken(using: &generator)
      #expect(BothReaders(reading: text).agree, "\(text) \(String(decoding: text, as: UTF8.self))")
    }
  }

  /// Texts accepted in spite of the damage must be read alike.
  @Test(arguments: 100..<120)
  func acceptedDamagedTextsReadAlike(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let text = broken(using: &generator)
      guard BothReaders(reading: text).document == nil else { continue }
      let references = ([nil, "", "a", "a.b", "0"] as [ScanPath?]).map { container in
        ScanReference(
          bytes: text, rowContainer: container, rowPaths: ["", "a", "a.b", "b.-1", "x", "0"],
          responsePaths: ["a", "a.0", "time", "0.x", "-1.a"])
      }
      for reference in references {
        let expected = try reference.expected()
        let (alone, together) = (try reference.scanned(), try reference.scanned(after: references.map(\.part)))
        #expect(alone == expected, "\(String(decoding: text, as: UTF8.self))")
        #expect(together == expected.withoutRepetitions, "together: \(String(decoding: text, as: UTF8.self))")
      }
    }
  }

  /// A scanner that has read other texts, including invalid ones, finds the same as a new one.
  @Test(arguments: 200..<220)
  func reusedScannersAgree(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let parts = (["", "a", "a.b"] as [ScanPath]).map { container in
      ScanReference(
        bytes: [], rowContainer: container, rowPaths: ["", "a", "a.b", "b.-1", "x", "0"],
        responsePaths: ["a", "a.0", "time", "0.x", "-1.a"])
    }
    var scanner = Scanner(ScanPlan(parts.map(\.part)))
    for _ in 0..<400 {
      let text = broken(using: &generator)
      let error = BothReaders(reading: text).document
      let found = try? scanner.scan(text)
      #expect((found == nil) == (error != nil), "\(String(decoding: text, as: UTF8.self))")
      if let found {
        for (place, part) in parts.enumerated() {
          let reference = part.reading(text)
          #expect(
            try reference.findings(found[place]) == reference.expected().withoutRepetitions,
            "\(String(decoding: text, as: UTF8.self))")
        }
      }
    }
  }

  /// Repeated members with nested values, in texts whose names are known by then: nothing of the first may remain.
  @Test func repeatedMembersLeaveNoTrace() throws {
    let part = ScanReference(
      bytes: [], rowContainer: nil, rowPaths: [], responsePaths: ["a.b", "a.x", "c.b", "c.a.b"])
    let texts = [
      #"{"a":{"b":1},"a":{"x":2}}"#, #"{"a":{"b":1},"a":{"x":2}}"#, #"{"a":{"b":1},"a":{"x":2},"a":{}}"#,
      #"{"c":{"a":{"b":1},"b":2},"c":{"a":{"b":3},"a":{}}}"#, #"{"c":{"a":{"b":1},"b":2},"c":{"a":{"b":3},"a":{}}}"#,
      #"{"a":{"b":1},"c":{"b":2}}"#, #"{"c":{"b":2},"a":{"b":1},"c":{"a":{"b":1}}}"#,
      #"{"a":{"b":1},"c":{"b":2},"a":0}"#,
      #"{"a":{"b":1},"c":{"b":2}}"#,
    ].map { Array($0.utf8) }
    var scanner = Scanner(ScanPlan([part.part]))
    // Twice: the second time, each text is read with the remembered shape of a similar or different one.
    for text in texts + texts {
      let found = try scanner.scan(text)
      let reference = part.reading(text)
      #expect(
        try reference.findings(found[0]) == reference.expected().withoutRepetitions,
        "\(String(decoding: text, as: UTF8.self))")
    }
  }

  private func broken(using generator: inout SeededGenerator) -> [UInt8] {
    var text = Array((Self.sources.randomElement(using: &generator) ?? "").utf8)
    for _ in 0..<Int.random(in: 1...3, using: &generator) where !text.isEmpty {
      let place = Int.random(in: text.indices, using: &generator)
      let byte = Self.bytes.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: text[place] = byte
      case 1: text.insert(byte, at: place)
      case 2: text.remove(at: place)
      case 3: text.removeSubrange(place...)
      case 4:
        // Copies a piece of the text elsewhere: often still JSON, with repeated members.
        let end = min(place + Int.random(in: 1...20, using: &generator), text.count)
        text.insert(contentsOf: text[place..<end], at: Int.random(in: text.indices, using: &generator))
      default: text.swapAt(place, Int.random(in: text.indices, using: &generator))
      }
    }
    return text
  }
}
