import Quotes

/// Needles in a form in which all of them are found in one pass over a text.
///
/// Two tables rule out nearly all places: a byte must be the first of a needle or begin an escape, and the byte behind
/// it must be the second of the same needle or begin one. Whatever passes is compared with the few needles that begin so.
final class NeedleIndex: Sendable {
  /// A character of a needle.
  struct Unit {
    /// The byte of ASCII and its other case, or the same.
    var byte: UInt8 = 0
    var other: UInt8 = 0
    /// The index in `cases` of a character that has others than ASCII; below 0 for a byte.
    var place: Int32 = -1
  }

  /// Where a needle lies among all.
  struct Entry {
    let start: Int
    let end: Int
    let isMixedBefore: Bool
    let isMixedBehind: Bool
  }

  /// The units of all needles, one behind another.
  let units: [Unit]
  let cases: [[Unicode.Scalar]]
  /// The needles by their first bytes: those with `byte` lie from `starts[byte]` to `starts[byte + 1]`.
  let entries: [Entry]
  let starts: [Int]
  /// By byte: whether it may be the first of a needle, or begin an escape.
  let kinds: [UInt8]
  /// A bit for each pair of bytes that a needle may begin with.
  let pairs: [UInt64]

  static let isFirst: UInt8 = 1
  static let isIntroducer: UInt8 = 2

  init(_ needles: [Needle]) {
    var (units, cases): ([Unit], [[Unicode.Scalar]]) = ([], [])
    var pairs = BytePairs()
    var kinds = [UInt8](repeating: 0, count: 256)
    var found: [(first: UInt8, entry: Entry)] = []
    for byte in SpelledText.introducers { kinds[Int(byte)] = Self.isIntroducer }
    for needle in needles {
      let start = units.count
      if needle.bytes.allSatisfy({ $0 < 0x80 }) {
        units += needle.bytes.map { Unit(byte: $0, other: needle.otherCase(of: $0)) }
      } else {
        for character in String(decoding: needle.bytes, as: UTF8.self).unicodeScalars {
          units.append(Self.unit(character, of: needle, in: &cases))
        }
      }
      let entry = Entry(
        start: start, end: units.count, isMixedBefore: needle.isMixedBefore, isMixedBehind: needle.isMixedBehind)
      for first in pairs.insert(beginningOf: units[start...], cases) {
        found.append((first, entry))
        kinds[Int(first)] |= Self.isFirst
        if first == UInt8(ascii: " ") { kinds[Int(UInt8(ascii: "+"))] |= Self.isIntroducer }
      }
    }
    found.sort { $0.first < $1.first }
    var counts = [Int](repeating: 0, count: 257)
    for (first, _) in found { counts[Int(first) + 1] += 1 }
    (self.units, self.cases, self.kinds, self.pairs) = (units, cases, kinds, pairs.words)
    entries = found.map(\.entry)
    starts = counts.indices.reduce(into: []) { starts, index in starts.append((starts.last ?? 0) + counts[index]) }
  }

  private static func unit(_ character: Unicode.Scalar, of needle: Needle, in cases: inout [[Unicode.Scalar]]) -> Unit {
    if character.isASCII {
      let byte = UInt8(truncatingIfNeeded: character.value)
      return Unit(byte: byte, other: needle.otherCase(of: byte))
    }
    cases.append(needle.cases(of: character))
    return Unit(place: Int32(cases.count - 1))
  }

  /// Returns the ranges of all needles in a text, in order, or nil if there was no time: `isOverdue` is asked for each
  /// 64 KiB, and each 65,536 characters that were compared.
  ///
  /// - Parameter joiningOverlaps: Whether needles that overlap are one range; otherwise those that begin within another
  ///   are not searched for. Adjacent ones have a range each.
  func ranges(in text: [UInt8], joiningOverlaps: Bool, isOverdue: () -> Bool) -> [Range<Int>]? {
    text.withUnsafeBufferPointer { text in
      kinds.withUnsafeBufferPointer { kinds in
        pairs.withUnsafeBufferPointer { pairs in
          units.withUnsafeBufferPointer { units in
            var search = NeedleSearch(
              index: self, kinds: kinds, pairs: pairs, units: units, text: SpelledText(bytes: text),
              joinsOverlaps: joiningOverlaps)
            return search.run(isOverdue: isOverdue) ? search.ranges : nil
          }
        }
      }
    }
  }
}

extension NeedleIndex {
  private struct BytePairs {
    /// A bit for each pair.
    private(set) var words = [UInt64](repeating: 0, count: 1024)

    private mutating func insert(_ first: UInt8, _ second: UInt8) {
      words[Int(first) << 2 | Int(second) >> 6] |= 1 << UInt64(second & 63)
    }

    /// Adds the pairs of bytes that a needle may begin with, and returns their first bytes. What begins with an escape
    /// does not count, but the second of them may be one.
    mutating func insert(beginningOf units: ArraySlice<Unit>, _ cases: [[Unicode.Scalar]]) -> [UInt8] {
      guard let unit = units.first else { return [] }
      let following = units.dropFirst().first.map { Self.firstBytes(of: $0, cases) } ?? Array(0...UInt8.max)
      var firsts: [UInt8] = []
      if unit.place < 0 {
        firsts = Self.firstBytes(of: unit, cases)
        for first in firsts { for second in following { insert(first, second) } }
      } else {
        for bytes in cases[Int(unit.place)].map({ Array(String($0).utf8) }) {
          firsts.append(bytes[0])
          for second in bytes.count > 1 ? [bytes[1]] : following { insert(bytes[0], second) }
        }
      }
      for first in firsts {
        for second in SpelledText.introducers { insert(first, second) }
        insert(first, UInt8(ascii: "+"))
      }
      return firsts.unique
    }

    private static func firstBytes(of unit: Unit, _ cases: [[Unicode.Scalar]]) -> [UInt8] {
      if unit.place >= 0 { return cases[Int(unit.place)].compactMap { UTF8.encode($0)?.first }.unique }
      return unit.byte == unit.other ? [unit.byte] : [unit.byte, unit.other]
    }
  }
}
