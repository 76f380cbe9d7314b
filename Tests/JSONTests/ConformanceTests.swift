import JSON
import TestSupport
import Testing

/// The parsing files of nst/JSONTestSuite: `y_` must be accepted, `n_` refused, `i_` is the reader's choice.
@Suite("JSON conformance", .enabled(if: SharedCorpora.arePresent))
struct ConformanceTests {
  static let folder = "conformance/json/test_parsing"

  @Test(arguments: Corpus.names(in: folder))
  func acceptance(of name: String) throws {
    let bytes = try Corpus.bytes(of: "\(Self.folder)/\(name)")
    let isAccepted = (try? JSONDocument(parsing: bytes)) != nil
    switch name.first {
    case "y": #expect(isAccepted)
    case "n": #expect(!isAccepted)
    default: break
    }
  }
}
