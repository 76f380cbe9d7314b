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
  /// Where the groups of the thread that is being followed begin and end, as UTF-8 offsets; -1 is not at all.
  private var slots: [Int]
  private var tasks: [Task] = []

  /// What is still to do while one thread is followed through instructions that take no text.
  private enum Task {
    case follow(Int)
    case restore(slot: Int, to: Int)
  }

  /// A place between two scalars of the text.
  private struct Place {
    var offset: Int
    var isEnd: Bool
  }

  /// - Parameter keepsGroups: false where only the existence of a match is asked for.
  init(_ program: RegexpProgram, keepsGroups: Bool) {
    self.program = program
    slots = Array(repeating: -1, count: keepsGroups ? program.slotCount : 0)
    present = ThreadList(stateCount: program.instructions.count, slotCount: slots.count)
    coming = present
  }

  /// The slots of the preferred match of the whole text, nil where it does not match.
  mutating func matchWhole(_ text: UnsafeBufferPointer<UInt8>) -> [Int]? {
    var place = Place(offset: 0, isEnd: text.isEmpty)
    start(at: place)
    turnToComing()
    while !place.isEnd {
      if present.isEmpty { return nil }
      step(over: text, from: &place)
      turnToComing()
    }
    return present.matched
  }

  /// Whether the program matches anywhere in the text.
  mutating func matchesAnywhere(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = Place(offset: 0, isEnd: text.isEmpty)
    start(at: place)
    turnToComing()
    while present.matched == nil {
      if place.isEnd { return false }
      step(over: text, from: &place)
      start(at: place)
      turnToComing()
    }
    return true
  }

  /// Adds a thread at the program's beginning, less preferred than all others.
  private mutating func start(at place: Place) {
    for slot in slots.indices { slots[slot] = -1 }
    follow(0, at: place)
  }

  /// Lets every thread take the next scalar, or end where it cannot.
  private mutating func step(over text: UnsafeBufferPointer<UInt8>, from place: inout Place) {
    let (scalar, width) = Self.scalar(in: text, at: place.offset)
    place.offset += width
    place.isEnd = place.offset == text.count

    for thread in 0..<present.count {
      let state = present.states[thread]
      let goesOn =
        switch program.instructions[state] {
        case .exactly(let wanted): wanted == scalar
        case .scalar(let set): program.sets[set].contains(scalar)
        default: false
        }
      guard goesOn else { continue }
      present.copySlots(of: thread, to: &slots)
      follow(state + 1, at: place)
    }
  }

  /// Makes the coming place the present one.
  private mutating func turnToComing() {
    swap(&present, &coming)
    coming.removeAll()
  }

  /// Follows a thread up to all the instructions that take text or match, in the order of preference.
  ///
  /// With a list of tasks instead of recursion, as programs may have thousands of forks in a row.
  private mutating func follow(_ state: Int, at place: Place) {
    tasks.append(.follow(state))
    while let task = tasks.popLast() {
      var state: Int
      switch task {
      case .restore(let slot, let value):
        slots[slot] = value
        continue
      case .follow(let next):
        state = next
      }
      while coming.visit(state) {
        switch program.instructions[state] {
        case .jump(let target):
          state = target
          continue
        case .fork(let preferred, let other):
          tasks.append(.follow(other))
          state = preferred
          continue
        case .save(let slot):
          if !slots.isEmpty {
            tasks.append(.restore(slot: slot, to: slots[slot]))
            slots[slot] = place.offset
          }
          state += 1
          continue
        case .textStart where place.offset == 0, .textEnd where place.isEnd:
          state += 1
          continue
        case .textStart, .textEnd:
          break
        case .match:
          coming.matched = coming.matched ?? slots
        case .scalar, .exactly:
          coming.append(state, slots: slots)
        }
        break
      }
    }
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
