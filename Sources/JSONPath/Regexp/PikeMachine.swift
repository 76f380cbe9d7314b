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

/// The threads of a `PikeMachine` at one place of the text, the preferred ones first.
struct ThreadList {
  /// A place between two scalars of the text.
  struct Place {
    /// The UTF-8 offset.
    var offset: Int
    var isEnd: Bool
  }

  /// The states of the threads: instructions that take a scalar.
  private(set) var states: [Int] = []
  /// True where a thread has come to the program's end here.
  private(set) var hasMatched = false
  /// The slots of the preferred one of these.
  private(set) var matchedSlots: [Int]

  /// The slots of all threads, one thread behind the other: UTF-8 offsets, or -1.
  private var slots: [Int] = []
  /// The slots of the thread that is being followed.
  private var current: [Int]
  private var tasks: [Task] = []
  /// For every state of the program the number of the last place at which it was visited.
  private var visits: [Int]
  private var visit = 1

  /// What is still to do while a thread is followed: to go on at a state, or to give a slot its old value back.
  private enum Task {
    case follow(Int)
    case restore(slot: Int, to: Int)
  }

  init(stateCount: Int, slotCount: Int) {
    current = Array(repeating: -1, count: slotCount)
    matchedSlots = current
    visits = Array(repeating: 0, count: stateCount)
  }

  var isEmpty: Bool { states.isEmpty }

  /// Empties the list for the next place.
  mutating func removeAll() {
    states.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    hasMatched = false
    visit += 1
  }

  /// Adds a new thread at a state, its slots empty, less preferred than those in the list.
  mutating func add(_ state: Int, of instructions: [RegexpProgram.Instruction], at place: Place) {
    for slot in current.indices { current[slot] = -1 }
    follow(state, of: instructions, at: place)
  }

  /// Adds what a thread of another list has become, less preferred than those in this list.
  mutating func add(
    _ state: Int, of instructions: [RegexpProgram.Instruction], at place: Place, from other: borrowing ThreadList,
    thread: Int
  ) {
    for slot in current.indices { current[slot] = other.slots[thread * current.count + slot] }
    follow(state, of: instructions, at: place)
  }

  /// Follows a thread up to all the instructions that take text or match, in the order of preference.
  ///
  /// With a list of tasks instead of recursion, as programs may have thousands of forks in a row.
  private mutating func follow(_ start: Int, of instructions: [RegexpProgram.Instruction], at place: Place) {
    follow(straightFrom: start, of: instructions, at: place)
    while let task = tasks.popLast() {
      switch task {
      case .restore(let slot, let value): current[slot] = value
      case .follow(let state): follow(straightFrom: state, of: instructions, at: place)
      }
    }
  }

  /// Follows a thread on its preferred way, and leaves the other ways as tasks.
  private mutating func follow(straightFrom start: Int, of instructions: [RegexpProgram.Instruction], at place: Place) {
    var state = start
    while visits[state] != visit {
      visits[state] = visit
      switch instructions[state] {
      case .jump(let target):
        state = target
      case .fork(let preferred, let other):
        tasks.append(.follow(other))
        state = preferred
      case .save(let slot):
        if !current.isEmpty {
          // With no task left nobody will ask for the old value.
          if !tasks.isEmpty { tasks.append(.restore(slot: slot, to: current[slot])) }
          current[slot] = place.offset
        }
        state += 1
      case .textStart:
        if place.offset > 0 { return }
        state += 1
      case .textEnd:
        if !place.isEnd { return }
        state += 1
      case .match:
        // The first to come here is preferred; and the state is visited once only.
        hasMatched = true
        for slot in current.indices { matchedSlots[slot] = current[slot] }
        return
      case .exactly, .scalar:
        states.append(state)
        for slot in current.indices { slots.append(current[slot]) }
        return
      }
    }
  }
}
