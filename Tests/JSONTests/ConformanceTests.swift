import JSON
import TestSupport
import Testing

/// The parsing files of nst/JSONTestSuite: `y_` must be accepted, `n_` refused, `i_` is up to the reader.
@Suite("JSON conformance", .enabled(if: SharedCorpora.arePresent))
struct ConformanceTests {
  static let folder = "conformance/json/test_parsing"

  @Test(arguments: Corpus.names(in: folder))
  func acceptance(of name: String) throws {
    let readers = BothReaders(reading: try Corpus.bytes(of: "\(Self.folder)/\(name)"))
    #expect(readers.agree, "\(readers)")
    switch name.first {
    case "y": #expect(readers.document == nil)
    case "n": #expect(readers.document != nil)
    default: break
    }
  }
}
