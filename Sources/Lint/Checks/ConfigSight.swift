import Config
import JSON

/// All that is wrong with a config, without what follows from something else.
///
/// A misspelt key is one mistake, and its block seems to be missing in many places. So what is surely meant is written in
/// thought, and the text looked at again: what is gone then was no finding of its own, and what comes to light is one.
struct ConfigSight {
  let findings: [Finding]

  /// More rounds than there are misspelt keys inside of misspelt blocks.
  private static let mostRespellings = 12

  /// More than anybody reads: a config of another dialect has a comment on every other line. Each costs one reading of
  /// the text up to the next one.
  private static let mostRepairs = 500

  init(_ first: ConfigLook) {
    var look = first
    var shifts: [TextShift] = []
    var told: [ConfigLook.Told] = []
    /// Where a value was written that only stands for the one that was meant.
    var wordless: [Range<Int>] = []
    func original(_ item: ConfigLook.Told) -> ConfigLook.Told { item.moved(back: shifts[...]) }

    var (repairs, respellings) = (0, 0)
    while repairs < Self.mostRepairs, respellings < Self.mostRespellings {
      let next: (look: ConfigLook, shift: TextShift, explained: [ConfigLook.Told])?
      if let mistake = look.mistake {
        next = Self.repaired(look, mistake)
        repairs += 1
      } else {
        next = Self.respelt(look)
        respellings += 1
      }
      guard let next else { break }
      told += next.explained.map(original)
      if let mistake = look.mistake, mistake.standsIn { wordless.append(mistake.range.moved(back: shifts[...])) }
      shifts.append(next.shift)
      look = next.look
    }
    told += look.told.map { original($0.told) }
      .filter { item in
        item.code == "MKT001" || item.isInBuiltin || !wordless.contains { $0.contains(item.range.lowerBound) }
      }
    let secrets = told.flatMap(\.secrets)
    let maps = SourceMaps(first, secrets: secrets)
    var seen: Set<Finding> = []
    findings = told.map(maps.finding).filter { seen.insert($0).inserted }.enumerated().sorted { one, other in
      (one.element.isOf(first.source), one.element.start.line, one.element.start.column, one.offset)
        < (other.element.isOf(first.source), other.element.start.line, other.element.start.column, other.offset)
    }.map(\.element)
  }

  private typealias Round = (look: ConfigLook, shift: TextShift, explained: [ConfigLook.Told])

  /// The text without what keeps it from being JSON; nil where that is a guess.
  private static func repaired(_ look: ConfigLook, _ mistake: BrokenText.Mistake) -> Round? {
    guard mistake.certainty != .guess, let repair = mistake.repair else { return nil }
    let (source, shift) = look.edited(by: [repair])
    let next = ConfigLook(source, builtin: look.builtin, hooks: look.hooks)
    // What stops the reader at the same place was not the mistake.
    if let other = next.mistake {
      let isFurther = shift.old(other.range.lowerBound) > mistake.range.lowerBound
      guard isFurther, other.certainty != .guess || look.isOnOtherLine(shift.old(other.range), than: mistake.range)
      else {
        return nil
      }
    }
    return (next, shift, look.told.map(\.told))
  }

  /// The text with misspelt keys and words put right; nil where there are none.
  private static func respelt(_ look: ConfigLook) -> Round? {
    let words = look.told.filter { ["MKT012", "MKT021"].contains($0.told.code) && $0.fix != nil }
    guard !words.isEmpty else { return nil }
    func round(_ items: [(told: ConfigLook.Told, fix: Diagnostic.Fix?)]) -> Round? {
      let (source, shift) = look.edited(by: items.compactMap(\.fix))
      let next = ConfigLook(source, builtin: look.builtin, hooks: look.hooks)
      guard next.configuration != nil, next.duplicateCount <= look.duplicateCount else { return nil }
      return (next, shift, items.map(\.told))
    }
    if let all = round(words) { return all }
    return words.lazy.compactMap { round([$0]) }.first
  }
}

extension ConfigLook {
  fileprivate func isOnOtherLine(_ range: Range<Int>, than other: Range<Int>) -> Bool {
    let bounds = (min(range.lowerBound, other.lowerBound), max(range.lowerBound, other.lowerBound))
    return source.bytes[bounds.0..<min(bounds.1, source.bytes.count)].contains(UInt8(ascii: "\n"))
  }
}

extension ConfigLook.Told {
  fileprivate func moved(back shifts: ArraySlice<TextShift>) -> ConfigLook.Told {
    var copy = self
    guard !isInBuiltin else { return self }
    copy.range = range.moved(back: shifts)
    copy.secrets = secrets.map { $0.moved(back: shifts) }
    return copy
  }
}

extension Range<Int> {
  fileprivate func moved(back shifts: ArraySlice<TextShift>) -> Range<Int> {
    shifts.reversed().reduce(self) { $1.old($0) }
  }
}

extension Finding {
  /// Findings in the shipped config, which lies under the other, come first.
  fileprivate func isOf(_ source: ConfigReview.Source) -> Int { file == source.name ? 1 : 0 }
}
