/// One pass over a text.
struct NeedleSearch {
  let index: NeedleIndex
  let kinds: UnsafeBufferPointer<UInt8>
  let pairs: UnsafeBufferPointer<UInt64>
  let units: UnsafeBufferPointer<NeedleIndex.Unit>
  let text: SpelledText
  let joinsOverlaps: Bool

  /// What was found so far, in order.
  private(set) var ranges: [Range<Int>] = []
  /// The characters compared since the time was last looked at.
  private var comparisons = 0

  init(
    index: NeedleIndex, kinds: UnsafeBufferPointer<UInt8>, pairs: UnsafeBufferPointer<UInt64>,
    units: UnsafeBufferPointer<NeedleIndex.Unit>, text: SpelledText, joinsOverlaps: Bool
  ) {
    (self.index, self.kinds, self.pairs, self.units) = (index, kinds, pairs, units)
    (self.text, self.joinsOverlaps) = (text, joinsOverlaps)
  }

  /// The number of bytes, or of comparisons, between two looks at the time.
  private static let interval = 1 << 16

  /// Returns false if there was no time for the whole text.
  mutating func run(isOverdue: () -> Bool) -> Bool {
    let bytes = text.bytes
    var place = 0
    while true {
      let stop = min(bytes.count, place + Self.interval)
      while place < stop, comparisons < Self.interval {
        let kind = kinds[Int(bytes[place])]
        if kind != 0 { look(kind, at: place) }
        place += 1
        if !joinsOverlaps, let end = ranges.last?.upperBound { place = max(place, end) }
      }
      if place >= bytes.count { return true }
      comparisons = 0
      if isOverdue() { return false }
    }
  }

  private mutating func look(_ kind: UInt8, at place: Int) {
    let byte = text.bytes[place]
    if kind & NeedleIndex.isFirst != 0, mayContinue(byte, at: place + 1) { compare(byte, at: place) }
    guard kind & NeedleIndex.isIntroducer != 0 else { return }
    let text = text
    text.forEachReading(at: place) { byte, length in
      guard kinds[Int(byte)] & NeedleIndex.isFirst != 0 else { return }
      if length == 0 || mayContinue(byte, at: place + length) { compare(byte, at: place) }
    }
  }

  /// Returns whether a needle that begins with `byte` may continue with what is at `place`.
  private func mayContinue(_ byte: UInt8, at place: Int) -> Bool {
    guard place < text.bytes.count else { return true }
    let next = text.bytes[place]
    return pairs[Int(byte) << 2 | Int(next) >> 6] & 1 << UInt64(next & 63) != 0
  }

  /// Compares the text at `place` with the needles that begin with `byte`.
  private mutating func compare(_ byte: UInt8, at place: Int) {
    for number in index.starts[Int(byte)]..<index.starts[Int(byte) + 1] {
      let entry = index.entries[number]
      let end = end(of: entry.start..<entry.end, at: place)
      if end > 0 { add(entry, from: place, upTo: end) }
    }
  }

  /// Returns the end of the units if they are spelled at `start`, otherwise 0; if there are several ends, the last one.
  private mutating func end(of range: Range<Int>, at start: Int) -> Int {
    let bytes = text.bytes
    var (number, place) = (range.lowerBound, start)
    defer { comparisons += number - range.lowerBound + 1 }
    while number < range.upperBound {
      let unit = units[number]
      if unit.place < 0, place < bytes.count, bytes[place] == unit.byte || bytes[place] == unit.other,
        kinds[Int(bytes[place])] & NeedleIndex.isIntroducer == 0
      {
        place += 1
      } else {
        let lengths = lengths(of: unit, at: place)
        if lengths.first == 0 { return 0 }
        if lengths.second > 0 { return endOfAny(number..<range.upperBound, at: place) }
        place += lengths.first
      }
      number += 1
    }
    return place
  }

  /// The same for units some of which have two spellings at a place: follows all of them at once.
  private mutating func endOfAny(_ range: Range<Int>, at start: Int) -> Int {
    var places = [start]
    for unit in units[range] {
      comparisons += places.count
      var next: [Int] = []
      for place in places {
        let lengths = lengths(of: unit, at: place)
        for length in [lengths.first, lengths.second] where length > 0 && !next.contains(place + length) {
          next.append(place + length)
        }
      }
      if next.isEmpty { return 0 }
      places = next
    }
    return places.max() ?? 0
  }

  private func lengths(of unit: NeedleIndex.Unit, at place: Int) -> SpelledText.Lengths {
    unit.place < 0
      ? text.lengths(of: unit.byte, or: unit.other, at: place)
      : text.lengths(of: index.cases[Int(unit.place)], at: place)
  }

  private mutating func add(_ entry: NeedleIndex.Entry, from place: Int, upTo end: Int) {
    var (start, end) = (place, end)
    if entry.isMixedBehind {
      end += text.lengthOfBase64(at: end)
      end += text.lengthOfPadding(at: end)
    }
    if entry.isMixedBefore {
      start -= text.lengthOfBase64(from: 0, upTo: place)
      // What lies within the escape of that character goes with it; but the character may belong to the secret before.
      while let last = ranges.last, last.lowerBound > start { end = max(end, ranges.removeLast().upperBound) }
      let floor = ranges.last?.upperBound ?? 0
      if start < floor { start = place - text.lengthOfBase64(from: min(floor, place), upTo: place) }
    }
    if let last = ranges.last, start < last.upperBound {
      ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
    } else {
      ranges.append(start..<end)
    }
  }
}
