package import Config
import JSON
import Quotes

/// What the config would become if every proposal were followed. It is shown, and never written: a proposal is a guess
/// with reasons.
package struct ProposedEdits {
  private let edits: [Finding.Edit]

  package init(_ findings: [Finding]) {
    // The same text may be read by several tables; two that want it to say different things leave it as it is.
    let all = findings.flatMap(\.fix).unique
    edits = all.filter { edit in all.count { $0.place == edit.place } == 1 }
  }

  package var isEmpty: Bool { edits.isEmpty }

  /// The lines that change, of each file under its name.
  package var difference: String {
    edits.map(\.place.file.name).unique.map { name in
      let own = Dictionary(grouping: edits.filter { $0.place.file.name == name }) { $0.place.start.line }
      let stretches = own.sorted { $0.key < $1.key }.map { Self.difference($0.value) }
      return "--- \(name)\n" + stretches.joined()
    }.joined()
  }

  /// What the edits of one line come to.
  private static func difference(_ edits: [Finding.Edit]) -> String {
    let old = edits[0].place.file.bytes
    var new = old
    for edit in edits.sorted(by: { $0.place.range.lowerBound > $1.place.range.lowerBound }) {
      new.replaceSubrange(edit.place.range, with: Array(edit.replacement.utf8))
    }
    return LineDifference(old: old, new: new).text
  }
}
