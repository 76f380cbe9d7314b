package import Config
import JSON
import Quotes

/// The config with all proposals applied. It is shown but never written, since proposals are educated guesses.
package struct ProposedEdits {
  private let edits: [Finding.Edit]

  package init(_ findings: [Finding]) {
    // Several tables may read the same text; if their edits of it conflict, it is left unchanged.
    let all = findings.flatMap(\.fix).unique
    edits = all.filter { edit in all.count { $0.place == edit.place } == 1 }
  }

  package var isEmpty: Bool { edits.isEmpty }

  /// The changed lines of each file, with its name.
  package var difference: String {
    edits.map(\.place.file.name).unique.map { name in
      let own = Dictionary(grouping: edits.filter { $0.place.file.name == name }) { $0.place.start.line }
      let stretches = own.sorted { $0.key < $1.key }.map { Self.difference($0.value) }
      return "--- \(name)\n" + stretches.joined()
    }.joined()
  }

  /// Returns the result of the edits of one line.
  private static func difference(_ edits: [Finding.Edit]) -> String {
    let old = edits[0].place.file.bytes
    var new = old
    for edit in edits.sorted(by: { $0.place.range.lowerBound > $1.place.range.lowerBound }) {
      new.replaceSubrange(edit.place.range, with: Array(edit.replacement.utf8))
    }
    return LineDifference(old: old, new: new).text
  }
}
