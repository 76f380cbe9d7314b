/// Runs a program over a text in time proportional to the text's length times the program's, whatever both are.
///
/// All ways through the program are followed side by side, one scalar of the text after the other; they are kept as
/// threads in the order of preference, and of two threads in the same state only the preferred one lives on. So nothing
/// is tried twice, and what is found is what a backtracking matcher would find first (R. Cox, "Regular Expression
/// Matching: the Virtual Machine Approach"; K. Thompson, 1968).
struct PikeMachine {
  private let program: RegexpProgram
  private var present: ThreadList
  private var coming: ThreadList

  /// - Parameter keepsGroups: false where only the existence of a match is asked for.
  init(_ program: RegexpProgram, keepsGroups: Bool) {
    self.program = program
    present = ThreadList(
      stateCount: program.instructions.count, slotCount: keepsGroups ? program.slotCount : 0)
    coming = present
  }

  /// The slots of the preferred match of the whole text, nil where it does not match.
  mutating func matchWhole(_ text: UnsafeBufferPointer<UInt8>) -> [Int]? {
    var place = ThreadList.Place(offset: 0, isEnd: text.isEmpty)
    present.add(0, of: program.instructions, at: place)
    while !place.isEnd {
      if present.isEmpty { return nil }
      step(over: text, from: &place)
      turnToComing()
    }
    return present.hasMatched ? present.matchedSlots : nil
  }

  /// Whether the program matches anywhere in the text.
  mutating func matchesAnywhere(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = ThreadList.Place(offset: 0, isEnd: text.isEmpty)
    present.add(0, of: program.instructions, at: place)
    while !present.hasMatched {
      if place.isEnd { return false }
      step(over: text, from: &place)
      // A match may begin at every place; one that began earlier is preferred.
      coming.add(0, of: program.instructions, at: place)
      turnToComing()
    }
    return true
  }

  /// Lets every thread take the next scalar, or end where it cannot.
  private mutating func step(over text: UnsafeBufferPointer<UInt8>, from place: inout ThreadList.Place) {
    let (scalar, width) = Self.scalar(in: text, at: place.offset)
    place.offset += width
    place.isEnd = place.offset == text.count

    for (thread, state) in present.states.enumerated() where program.instruction(state, takes: scalar) {
      coming.add(state + 1, of: program.instructions, at: place, from: present, thread: thread)
    }
  }

  /// Makes the coming place the present one.
  private mutating func turnToComing() {
    swap(&present, &coming)
    coming.removeAll()
  }

  /// The scalar that begins at an offset of valid UTF-8, and the number of its bytes.
  private static func scalar(in text: UnsafeBufferPointer<UInt8>, at offset: Int) -> (UInt32, Int) {
    func continuation(_ index: Int) -> UInt32 { UInt32(text[offset + index] & 0x3F) }
    let first = UInt32(text[offset])
    return switch first {
    case ..<0x80: (first, 1)
    case ..<0xE0: ((first & 0x1F) << 6 | continuation(1), 2)
    case ..<0xF0: ((first & 0x0F) << 12 | continuation(1) << 6 | continuation(2), 3)
    default: ((first & 0x07) << 18 | continuation(1) << 12 | continuation(2) << 6 | continuation(3), 4)
    }
  }
}
