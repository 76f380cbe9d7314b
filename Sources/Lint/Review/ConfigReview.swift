package import Config
package import HTTP
import JSON

/// A config's text and everything wrong with it, excluding mere consequences of other mistakes.
///
/// A misspelled key is one mistake, but makes its block seem to be missing in many places. So obvious fixes are applied
/// tentatively and the text is read again: findings that disappear were consequences, and those that appear are real.
package struct ConfigReview: Sendable {
  package let source: SourceFile
  /// nil if the text, or the shipped text that it extends, is not JSON.
  package let configuration: Configuration?
  /// In source order.
  package let findings: [Finding]
  private let reading: ConfigReading

  /// - Parameters:
  ///   - builtin: the shipped config, used only if the text extends it.
  ///   - hooks: the compiled-in hooks; nil ignores unknown names.
  ///   - crypto: computes known answers; nil skips them.
  package init(_ source: SourceFile, builtin: SourceFile, hooks: [String]?, crypto: (any Cryptography)? = nil) {
    self.init(ConfigReading(source, builtin: builtin, hooks: hooks, crypto: crypto))
  }

  private init(_ reading: ConfigReading) {
    self.reading = reading
    source = reading.source
    configuration = reading.configuration
    findings = Self.findings(of: reading)
  }

  /// Returns the errors in an exchange's own text and in the text it inherits.
  package func errors(of exchange: String) -> [Finding] {
    let source = configuration?.exchanges.first { $0.name == exchange }
    return findings.filter {
      $0.severity == .error && ($0.inheritors.contains(exchange) || source?.owns($0.place) == true)
    }
  }

  package var errorCount: Int { findings.count { $0.severity == .error } }
  package var warningCount: Int { findings.count - errorCount }

  /// Returns the config with the safe fixes applied and everything else unchanged; nil if there are none.
  ///
  /// A fix is kept if the text can still be parsed as far as before, without new duplicate names. Fixable findings that
  /// a fix brings to light are fixed as well.
  package func repaired() -> (review: ConfigReview, fixed: [Finding])? {
    var last = reading
    var fixed: [Finding] = []
    var refused: Set<[Finding.Edit]> = []
    var readings = 0
    while readings < Self.maximumFixes {
      let before = fixed.count
      let fixes = last.separateFixes(without: refused)
      last.make(fixes[...], &fixed, &refused, &readings)
      if fixed.count == before { break }
    }
    return fixed.isEmpty ? nil : (ConfigReview(last), fixed)
  }

  /// The maximum number of times the text is read to find repairs that do not work, by bisection; the next run finds
  /// the rest.
  private static let maximumFixes = 200

  // MARK: Mistakes that hide others

  /// More rounds than there are misspelled keys nested in misspelled blocks.
  private static let maximumRespellings = 12

  /// Some JSON dialects have a comment on every other line. Each repair takes one reading of the text up to the next.
  private static let maximumRepairs = 500

  /// A reading of the text with some mistakes corrected, and the findings that were those mistakes.
  private typealias Round = (reading: ConfigReading, shift: TextShift, explained: [Finding])

  private static func findings(of first: ConfigReading) -> [Finding] {
    var reading = first
    var shifts: [TextShift] = []
    var findings: [Finding] = []
    func original(_ finding: Finding) -> Finding {
      guard let place = finding.place, place.file === reading.source, !shifts.isEmpty else { return finding }
      var copy = finding.withoutFix
      copy.subject = .place(Place(file: first.source, range: place.range.moved(back: shifts)))
      return copy
    }

    /// Where a repair puts a value that nobody wrote, of which nothing is to be said.
    var madeUp: [Place] = []
    var (repairs, respellings) = (0, 0)
    while repairs < maximumRepairs, respellings < maximumRespellings {
      let next: Round?
      let isMadeUp = reading.mistake?.isMadeUp == true
      if let mistake = reading.mistake {
        next = repaired(reading, mistake)
        repairs += 1
      } else {
        next = respelt(reading)
        respellings += 1
      }
      guard let next else { break }
      let explained = next.explained.map(original)
      if isMadeUp { madeUp += explained.compactMap(\.place) }
      findings += explained
      shifts.append(next.shift)
      reading = next.reading
    }
    let hint = RemedyHint(root: first.configuration?.files.last { $0.source === first.source }?.root)
    let rest = reading.findings.map(original).filter { finding in !madeUp.contains { $0 == finding.place } }
    return sorted(findings + rest, first.source).map(hint.applied)
  }

  /// Returns each finding once, those in the shipped config first.
  private static func sorted(_ findings: [Finding], _ source: SourceFile) -> [Finding] {
    var seen: Set<Finding> = []
    let unique = findings.filter { seen.insert($0.withoutFix).inserted }
    func order(_ item: (offset: Int, element: Finding)) -> (Int, Int, Int) {
      let place = item.element.place
      return (place?.file === source ? 1 : 0, place?.range.lowerBound ?? 0, item.offset)
    }
    return unique.enumerated().sorted { order($0) < order($1) }.map(\.element)
  }

  /// Returns the text without what keeps it from being JSON; nil if that would be a guess.
  private static func repaired(_ reading: ConfigReading, _ mistake: BrokenText.Mistake) -> Round? {
    guard let repair = mistake.repair else { return nil }
    let (next, shift) = reading.edited(by: [Finding.Edit(repair, in: reading.source)])
    // If parsing stops at the same place again, this was not the mistake.
    if let other = next.mistake {
      let range = shift.old(other.range)
      guard range.lowerBound > mistake.range.lowerBound,
        other.repair != nil || reading.isOnOtherLine(range, than: mistake.range)
      else { return nil }
    }
    return (next, shift, reading.findings)
  }

  /// Returns the text with misspelled keys and words corrected; nil if there are none.
  private static func respelt(_ reading: ConfigReading) -> Round? {
    let words = reading.ownFixes.filter { [.unknownValue, .unknownKey, .ambiguousName].contains($0.code) }
    guard !words.isEmpty else { return nil }
    func round(_ findings: [Finding]) -> Round? {
      let (next, shift) = reading.edited(by: findings.flatMap(\.fix))
      guard next.configuration != nil, next.duplicateCount <= reading.duplicateCount else { return nil }
      return (next, shift, findings)
    }
    return round(words) ?? words.lazy.compactMap { round([$0]) }.first
  }
}

extension Finding {
  /// Creates the single finding of a text that is not JSON.
  package init(_ error: ConfigSyntaxError) {
    self.init(BrokenText.mistake(in: error.source.bytes, error.error), in: error.source)
  }

  fileprivate init(_ mistake: BrokenText.Mistake, in source: SourceFile) {
    let fix = mistake.isSafe ? mistake.repair.map { [Edit($0, in: source)] } ?? [] : []
    // A file that is not a config may contain anything, so its content is not shown.
    let found = source.looksLikeConfig ? nil : mistake.message.firstRange(of: ", found '")
    let message = String(mistake.message[..<(found?.lowerBound ?? mistake.message.endIndex)])
    self.init(.notJSON, message, at: Place(file: source, range: mistake.range), help: mistake.help, fix: fix)
  }
}

extension Finding {
  fileprivate var withoutFix: Finding {
    var copy = self
    copy.fix = []
    return copy
  }
}

extension FindingCode {
  /// Whether it is about the form of a text alone, which no other file can complete.
  fileprivate var isOfForm: Bool {
    let isWholeText: [FindingCode] = [.missingKey, .unknownPlaceholder, .ambiguousName, .sharedSecret]
    return rawValue < FindingCode.constantLooksLikePath.rawValue && !isWholeText.contains(self)
  }
}

extension Finding.Edit {
  fileprivate init(_ repair: BrokenText.Repair, in source: SourceFile) {
    self.init(Place(file: source, range: repair.range), repair.replacement)
  }
}

/// A single reading of a config's text, with the findings as they are.
private struct ConfigReading: Sendable {
  let source: SourceFile
  let builtin: SourceFile
  let hooks: [String]?
  let crypto: (any Cryptography)?
  let configuration: Configuration?
  /// In source order.
  let findings: [Finding]
  /// The mistake that keeps the text from being JSON; nil if there is none.
  let mistake: BrokenText.Mistake?

  init(_ source: SourceFile, builtin: SourceFile, hooks: [String]?, crypto: (any Cryptography)?) {
    (self.source, self.builtin, self.hooks, self.crypto) = (source, builtin, hooks, crypto)
    do throws(ConfigSyntaxError) {
      let configuration = try Configuration(try ConfigFile(source)) { () throws(ConfigSyntaxError) in
        try ConfigFile(builtin)
      }
      self.configuration = configuration
      mistake = nil
      findings = Validator(configuration, hooks: hooks, crypto: crypto).findings()
    } catch {
      configuration = nil
      let mistake = BrokenText.mistake(in: error.source.bytes, error.error)
      self.mistake = error.source === source ? mistake : nil
      findings =
        error.source === builtin && builtin.bytes.isEmpty
        ? Self.findings(in: source, without: builtin) : [Finding(mistake, in: error.source)]
    }
  }

  /// Returns the findings of a text that extends a config which is not there: that, and what is wrong with the text
  /// whatever it extends.
  private static func findings(in source: SourceFile, without builtin: SourceFile) -> [Finding] {
    guard let file = try? ConfigFile(source), let extends = file.root["extends"] else { return [] }
    let nothing = SourceFile(name: builtin.name, bytes: Array(#"{ "version": 1 }"#.utf8), origin: .shipped)
    let alone = try? Configuration(file) { () throws(ConfigSyntaxError) in try ConfigFile(nothing) }
    let others = alone.map { Validator($0).findings() } ?? []
    return [.missingBuiltin(builtin.name, at: extends)] + others.filter(\.code.isOfForm)
  }

  var duplicateCount: Int { findings.count { $0.code == .duplicateKey } }

  /// The findings that `--fix` can fix, in source order; the shipped config is never edited.
  var ownFixes: [Finding] { findings.filter { !$0.fix.isEmpty && $0.place?.file === source } }

  /// Returns the text with some edits applied, and how its places map to this text.
  func edited(by edits: [Finding.Edit]) -> (reading: ConfigReading, shift: TextShift) {
    var bytes = source.bytes
    let sorted = edits.sorted { $0.place.range.lowerBound < $1.place.range.lowerBound }
    for edit in sorted.reversed() { bytes.replaceSubrange(edit.place.range, with: Array(edit.replacement.utf8)) }
    let next = SourceFile(name: source.name, bytes: bytes, origin: source.origin)
    return (ConfigReading(next, builtin: builtin, hooks: hooks, crypto: crypto), TextShift(sorted))
  }

  /// Returns the findings that can be fixed together, in source order; of overlapping fixes, the last.
  func separateFixes(without refused: Set<[Finding.Edit]>) -> [Finding] {
    var result: [Finding] = []
    var start = Int.max
    for finding in ownFixes.reversed() where !refused.contains(finding.fix) {
      let ranges = finding.fix.map(\.place.range)
      guard let first = ranges.map(\.lowerBound).min(), let end = ranges.map(\.upperBound).max(), end <= start else {
        continue
      }
      start = first
      result.append(finding)
    }
    return result.reversed()
  }

  /// Applies all these fixes, or those halves of them that work, starting with the last ones so that earlier places
  /// stay valid.
  mutating func make(
    _ findings: ArraySlice<Finding>, _ fixed: inout [Finding], _ refused: inout Set<[Finding.Edit]>,
    _ readings: inout Int
  ) {
    guard !findings.isEmpty else { return }
    readings += 1
    let next = edited(by: findings.flatMap(\.fix)).reading
    if next.configuration != nil || configuration == nil, next.duplicateCount <= duplicateCount {
      self = next
      fixed += findings.reversed()
      return
    }
    guard findings.count > 1 else {
      refused.formUnion(findings.map(\.fix))
      return
    }
    let middle = findings.startIndex + findings.count / 2
    make(findings[middle...], &fixed, &refused, &readings)
    make(findings[..<middle], &fixed, &refused, &readings)
  }

  func isOnOtherLine(_ range: Range<Int>, than other: Range<Int>) -> Bool {
    let bounds = (min(range.lowerBound, other.lowerBound), max(range.lowerBound, other.lowerBound))
    return source.bytes[bounds.0..<min(bounds.1, source.bytes.count)].contains(UInt8(ascii: "\n"))
  }
}

/// A mapping from places of an edited text to the text before the edits.
private struct TextShift {
  /// The replaced ranges, in the new and the old text.
  private let stretches: [(new: Range<Int>, old: Range<Int>)]

  /// - Parameter edits: in source order.
  init(_ edits: [Finding.Edit]) {
    var delta = 0
    stretches = edits.map { edit in
      let old = edit.place.range
      let start = old.lowerBound + delta
      let length = edit.replacement.utf8.count
      delta += length - old.count
      return (start..<(start + length), old)
    }
  }

  private func old(_ offset: Int) -> Int {
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
}

extension Range<Int> {
  fileprivate func moved(back shifts: [TextShift]) -> Range<Int> {
    shifts.reversed().reduce(self) { $1.old($0) }
  }
}
