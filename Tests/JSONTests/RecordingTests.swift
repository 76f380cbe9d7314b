import JSON
import TestSupport
import Testing

/// Every recorded ticker body of an exchange, scanned along paths taken from the body itself: the scan must find what
/// the document finds.
@Suite("Recorded ticker bodies", .enabled(if: SharedCorpora.arePresent))
struct RecordingTests {
  /// The folders of the exchanges that have ticker bodies, and the names of those in each.
  static let exchanges: [String] = Corpus.names(in: "recordings/raw").filter { !bodies(of: $0).isEmpty }

  private static func bodies(of exchange: String) -> [String] {
    Corpus.names(in: "recordings/raw/\(exchange)").filter { $0.contains("ticker") && $0.hasSuffix(".json") }
  }

  @Test(arguments: exchanges)
  func scanMatchesDocument(of exchange: String) throws {
    for name in Self.bodies(of: exchange) {
      let bytes = try Corpus.bytes(of: "recordings/raw/\(exchange)/\(name)")
      #expect(BothReaders(reading: bytes).agree, "\(name)")
      guard let document = try? JSONDocument(parsing: bytes) else { continue }
      for reference in Self.references(for: document) {
        #expect(
          try reference.scanned() == reference.expected(), "\(name) \(String(describing: reference.rowContainer))")
      }
    }
  }

  /// Returns the root and each array or object in it as the row container, and the whole response as a single row.
  private static func references(for document: JSONDocument) -> [ScanReference] {
    let root = document.root
    let responsePaths = Array(paths(in: root, depth: 2).prefix(12))
    let whole = ScanReference(
      bytes: document.bytes, rowContainer: nil, rowPaths: Array(paths(in: root, depth: 3).prefix(40)),
      responsePaths: responsePaths)
    // A large body is scanned with its largest container only: the others add little, and debug builds are slow.
    let containers = ([(ScanPath(), root)] + children(of: root).map { (ScanPath(steps: [$0.step]), $0.node) })
      .filter { $0.1.count > 0 }.sorted { $0.1.count > $1.1.count }
    let limit = document.bytes.count > 20_000 ? 1 : 4
    return [whole]
      + containers.prefix(limit).map { path, node in
        let rows = children(of: node).map(\.node)
        let samples = [rows.first, rows.dropFirst(rows.count / 2).first].compactMap { $0 }
        let absent: [ScanPath] = ["noSuchMember", "-1", "0.0"]
        let rowPaths = samples.flatMap { paths(in: $0, depth: 2).prefix(30) } + absent
        return ScanReference(
          bytes: document.bytes, rowContainer: path, rowPaths: rowPaths, responsePaths: responsePaths)
      }
  }

  /// Returns all paths into `node`, at most `depth` steps long, including the empty path.
  private static func paths(in node: JSONNode, depth: Int) -> [ScanPath] {
    var result = [ScanPath()]
    guard depth > 0 else { return result }
    for (step, child) in children(of: node).prefix(30) {
      result += paths(in: child, depth: depth - 1).map { ScanPath(steps: [step] + $0.steps) }
    }
    return result
  }

  private static func children(of node: JSONNode) -> [(step: SingularStep, node: JSONNode)] {
    node.elements.enumerated().map { (.index($0.offset), $0.element) }
      + node.members.map { (.member($0.name), $0.value) }
  }
}
