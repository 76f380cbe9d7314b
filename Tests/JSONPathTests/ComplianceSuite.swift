import JSON
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One case of the JSONPath compliance test suite.
struct ComplianceCase: Sendable, CustomTestStringConvertible {
  /// A possible result of a query: the values and their paths.
  struct Selection: Hashable, Sendable {
    var values: [String]
    var paths: [String]
  }

  var name: String
  var selector: String
  var document: JSONNode?
  /// The correct selections: one, or several if the order of members is free; none if the selector is invalid.
  var selections: [Selection]

  var testDescription: String { name }
}

/// The suite, read from a file beside the checkout.
enum ComplianceSuite {
  /// All cases; empty if the corpora are absent or cannot be read.
  static let cases: [ComplianceCase] = {
    guard let root = SharedCorpora.root, let bytes = bytes(ofFile: "\(root)/conformance/jsonpath/cts.json"),
      let document = try? JSONDocument(parsing: bytes), let tests = document.root["tests"]
    else { return [] }
    return tests.elements.map(complianceCase)
  }()

  private static func complianceCase(_ test: JSONNode) -> ComplianceCase {
    var selections: [ComplianceCase.Selection] = []
    if let result = test["result"], let paths = test["result_paths"] {
      selections = [selection(result, paths)]
    } else if let results = test["results"], let paths = test["results_paths"] {
      selections = zip(results.elements, paths.elements).map(selection)
    }
    return ComplianceCase(
      name: test["name"]?.string ?? "?", selector: test["selector"]?.string ?? "?", document: test["document"],
      selections: selections)
  }

  private static func selection(_ values: JSONNode, _ paths: JSONNode) -> ComplianceCase.Selection {
    ComplianceCase.Selection(values: values.elements.map(\.compactText), paths: paths.elements.map { $0.string ?? "?" })
  }

  private static func bytes(ofFile path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
  }
}
