import Inference
import JSON

/// A sign that an answer is one page of several, so that the pairs of the others would be missing.
struct PageSign: Equatable {
  /// `$.pagination.total_pages`
  let path: String
  /// As written.
  let value: String

  /// Finds the first sign beside the rows: a member that says how many pages or rows there are, or that there are more.
  ///
  /// - Parameter rowCount: How many rows the answer has.
  init?(in bytes: [UInt8], rowCount: Int) {
    guard let document = try? JSONDocument(parsing: bytes),
      let found = Self.search(document.root, at: [], rowCount, depth: 3)
    else { return nil }
    self = found
  }

  private init(_ path: String, _ value: String) { (self.path, self.value) = (path, value) }

  private static func search(_ node: JSONNode, at path: [SingularStep], _ rowCount: Int, depth: Int) -> PageSign? {
    guard node.kind == .object, depth > 0 else { return nil }
    var inner: [(node: JSONNode, path: [SingularStep])] = []
    for member in node.members {
      let place = path + [.member(member.name)]
      let name = member.name.lowercased().filter(\.isLetter)
      if isSign(member.value, named: name, rowCount) { return PageSign(place.pathText, member.value.text) }
      inner.append((member.value, place))
    }
    // A table whose rows are members has no pages among them.
    return inner.count > 12
      ? nil : inner.lazy.compactMap { search($0.node, at: $0.path, rowCount, depth: depth - 1) }.first
  }

  private static func isSign(_ value: JSONNode, named name: String, _ rowCount: Int) -> Bool {
    let number = value.scalarText.flatMap { Int($0) }
    return flags.contains(name) && value.text == "true" || pageCounts.contains(name) && (number ?? 0) > 1
      || rowCounts.contains(name) && (number ?? 0) > rowCount
      || nextPages.contains(name) && (value.string?.isEmpty == false || (number ?? 0) > 1)
  }

  private static let flags: Set = ["hasmore", "hasnext", "hasnextpage", "hasmoredata"]
  private static let pageCounts: Set = ["totalpages", "totalpage", "pagecount", "pages", "lastpage"]
  private static let rowCounts: Set = [
    "total", "totalcount", "totalitems", "totalresults", "totalrecords", "recordstotal", "totalelements",
  ]
  private static let nextPages: Set = ["next", "nextpage", "nextcursor", "nextpagecursor", "nexttoken"]
}
