import Config
import JSON
import Mapping
import Proving

/// What the config would become if every proposal of a trial were followed. It is shown, and never written: a proposal
/// is a guess with reasons.
struct ProposedEdits {
  private struct Edit: Hashable {
    let place: Place
    let text: String
  }

  private let edits: [Edit]

  init(_ findings: [TrialFinding]) {
    var edits: [Edit] = []
    for replacement in findings.flatMap(\.replacements) {
      guard let path = replacement.written else { continue }
      // The same text may be read by several tables; two that want it to say different things leave it as it is.
      for edit in replacement.places.map({ Edit(place: $0, text: path) }) where !edits.contains(edit) {
        edits.append(edit)
      }
    }
    self.edits = edits.filter { edit in edits.count { $0.place == edit.place } == 1 }
  }

  var isEmpty: Bool { edits.isEmpty }

  /// The lines that change, of each file under its name.
  var difference: String {
    var files: [SourceFile] = []
    for edit in edits where !files.contains(where: { $0 === edit.place.file }) { files.append(edit.place.file) }
    return files.map { file in
      let own = Dictionary(grouping: edits.filter { $0.place.file === file }) { $0.place.start.line }
      let stretches = own.sorted { $0.key < $1.key }.map { Self.difference(in: file, $0.value) }
      return "--- \(file.name)\n" + stretches.joined()
    }.joined()
  }

  /// What the edits of one line come to.
  private static func difference(in file: SourceFile, _ edits: [Edit]) -> String {
    var new = file.bytes
    for edit in edits.sorted(by: { $0.place.range.lowerBound > $1.place.range.lowerBound }) {
      new.replaceSubrange(edit.place.range, with: Array(ConfigValue.quoted(edit.text).utf8))
    }
    return LineDifference(old: file.bytes, new: new).text
  }
}
