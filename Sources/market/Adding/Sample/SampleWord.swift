import Files

/// One `--from-sample`: where an answer is, and perhaps what it answers.
struct SampleWord {
  /// As written; nil where none is.
  let label: String?
  let source: SampleSource

  /// Whether a word asks for standard input, behind a label or bare. An address may end like that as well.
  static func readsInput(_ text: String) -> Bool {
    text == "-" || text.hasSuffix("=-") && !text.contains("://") && !FileSystem.exists(text)
  }

  /// - Parameter labels: what may stand before a `=`. A file whose name looks like one of them is the file.
  init(_ text: String, labels: [String]) {
    let known = FileSystem.exists(text) ? nil : labels.first { text.hasPrefix($0 + "=") }
    label = known
    source = SampleSource(known.map { String(text.dropFirst($0.count + 1)) } ?? text)
  }
}
