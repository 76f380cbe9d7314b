import Files
import TestSupport

/// The tables of docs/output.md.
struct OutputPage {
  /// What a section says about a member or column.
  struct Entry {
    /// Where it is: `j` in JSON, `n` in ndjson, `c` in CSV.
    var forms: Set<Character>
    /// Whether the names in it are not fixed.
    var isMap: Bool
  }

  /// The part of all commands.
  static let shared = "Shared parts"

  /// Every name on the page that is written as code.
  let words: Set<String>
  /// The names in the first columns of tables, by section.
  let sections: [String: [String: Entry]]

  init() throws {
    let text = String(decoding: try FileSystem.read(Checkout.path("docs/output.md")), as: UTF8.self)
    var sections: [String: [String: Entry]] = [:]
    var section = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard line.hasPrefix("| `"), !section.isEmpty else { continue }
      let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
      let isMap = cells[1].split { ",?-".contains($0) }.contains { $0 == "map" || $0 == " map" }
      for name in Self.code(in: cells[0][...]) {
        var entry = sections[section]?[name] ?? Entry(forms: [], isMap: false)
        entry.forms.formUnion(cells[2])
        entry.isMap = entry.isMap || isMap
        sections[section, default: [:]][name] = entry
      }
    }
    self.sections = sections
    words = Set(Self.code(in: text[...]))
  }

  /// Returns the words between backticks.
  static func code(in text: Substring) -> [String] {
    text.split(separator: "\n").flatMap { line in
      line.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
        .map { String($0.element) }
    }
  }

  /// Returns the section of the command that a recorded output is of, by the name of its file.
  func section(ofRecording file: String) -> String? {
    let name = file.hasPrefix("pair-") ? String(file.dropFirst("pair-".count)) : file
    if let own = sections.keys.first(where: { name.hasPrefix($0 + "-") || name.hasPrefix($0 + ".") }) { return own }
    let word = name.prefix { $0 != "-" && $0 != "." }
    return sections.keys.first { $0.hasPrefix(word) }
  }

  /// Returns what is said about a name in a section, or for all commands.
  func entries(of name: String, in section: String) -> [Entry] {
    [section, Self.shared].compactMap { sections[$0]?[name] }
  }
}
