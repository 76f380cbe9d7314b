import Config
import JSON

/// One look at the text of a config: what is wrong as it stands.
struct ConfigLook {
  /// A fact about the config, with its place in the text that was looked at.
  struct Told {
    var range: Range<Int>
    /// Whether it is in the shipped config: that one is never edited.
    let isInBuiltin: Bool
    let code: String
    let severity: Diagnostic.Severity
    let message: String
    let help: String?
    /// What must not be shown of the text.
    var secrets: [Range<Int>] = []
  }

  let source: ConfigReview.Source
  let builtin: ConfigReview.Source
  let hooks: [String]?
  let configuration: Configuration?
  /// All findings in the order of the text, each with the edit that would put it right.
  let told: [(told: Told, fix: Diagnostic.Fix?)]
  /// What keeps the text from being JSON; nil where nothing does.
  let mistake: BrokenText.Mistake?

  init(_ source: ConfigReview.Source, builtin: ConfigReview.Source, hooks: [String]?) {
    self.source = source
    self.builtin = builtin
    self.hooks = hooks
    do throws(ConfigSyntaxError) {
      let file = try ConfigFile(name: source.name, bytes: source.bytes, isUntrusted: source.isUntrusted)
      let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in
        try ConfigFile(name: builtin.name, bytes: builtin.bytes)
      }
      self.configuration = configuration
      mistake = nil
      told = Validator(configuration, hooks: hooks).findings().map { diagnostic in
        let isOwn = diagnostic.place.file === file
        return (Told(diagnostic, isOwn: isOwn), isOwn ? diagnostic.fix : nil)
      }
    } catch {
      configuration = nil
      let isOwn = error.file == source.name
      let mistake = BrokenText.mistake(in: error.bytes, error.error)
      self.mistake = isOwn ? mistake : nil
      let told = Told(
        range: mistake.range, isInBuiltin: !isOwn, code: "MKT001", severity: .error, message: mistake.message,
        help: mistake.help)
      self.told = [(told, isOwn && mistake.certainty == .safe ? mistake.repair : nil)]
    }
  }

  var duplicateCount: Int { told.count { $0.told.code == "MKT002" } }

  /// The findings that `--fix` can put right, in the order of the text.
  var fixes: [(told: Told, fix: Diagnostic.Fix)] { told.compactMap { item in item.fix.map { (item.told, $0) } } }

  /// The text with some edits made, and how its places lie in this one.
  func edited(by fixes: [Diagnostic.Fix]) -> (source: ConfigReview.Source, shift: TextShift) {
    var next = source
    let sorted = fixes.sorted { $0.range.lowerBound < $1.range.lowerBound }
    for fix in sorted.reversed() { next.bytes.replaceSubrange(fix.range, with: Array(fix.replacement.utf8)) }
    return (next, TextShift(sorted))
  }
}

extension ConfigLook.Told {
  fileprivate init(_ diagnostic: Diagnostic, isOwn: Bool) {
    let heirs = diagnostic.heirs.isEmpty ? "" : " (inherited by \(diagnostic.heirs.joined(separator: ", ")))"
    self.init(
      range: diagnostic.place.range, isInBuiltin: !isOwn, code: diagnostic.code,
      severity: diagnostic.severity, message: diagnostic.message + heirs, help: diagnostic.help,
      secrets: isOwn ? diagnostic.secrets : [])
  }
}

/// How places of an edited text lie in the text before the edits.
struct TextShift {
  /// The stretches that were written, in the new text and in the old one.
  private let stretches: [(new: Range<Int>, old: Range<Int>)]

  /// - Parameter fixes: in the order of the text.
  init(_ fixes: [Diagnostic.Fix]) {
    var delta = 0
    stretches = fixes.map { fix in
      let start = fix.range.lowerBound + delta
      delta += fix.replacement.utf8.count - fix.range.count
      return (start..<(start + fix.replacement.utf8.count), fix.range)
    }
  }

  func old(_ offset: Int) -> Int {
    var delta = 0
    for (new, old) in stretches {
      if offset < new.lowerBound { break }
      if offset < new.upperBound { return min(old.lowerBound + offset - new.lowerBound, old.upperBound) }
      delta = old.upperBound - new.upperBound
    }
    return offset + delta
  }

  func old(_ range: Range<Int>) -> Range<Int> {
    let start = old(range.lowerBound)
    return start..<max(start, old(range.upperBound))
  }

  /// Whether a place lies in a stretch that was written.
  func wrote(_ range: Range<Int>) -> Bool {
    stretches.contains { $0.new.contains(range.lowerBound) && range.upperBound <= $0.new.upperBound }
  }
}
