/// Runs a program over a text, always in time proportional to the text's length times the program's.
///
/// All paths through the program are followed in parallel, one scalar at a time, as threads in order of preference. Of
/// two threads in the same state only the preferred one survives, so nothing is tried twice and the result is what a
/// backtracking matcher would find first (R. Cox, "Regular Expression Matching: the Virtual Machine Approach"; K.
/// Thompson, 1968).
struct PikeMachine {
  private let program: RegexpProgram
  private var present: ThreadList
  private var coming: ThreadList

  /// - Parameter keepsGroups: False if only the existence of a match matters.
  init(_ program: RegexpProgram, keepsGroups: Bool) {
    self.program = program
    present = ThreadList(stateCount: program.instructions.count, slotCount: keepsGroups ? program.slotCount : 0)
    coming = present
  }

  /// Returns the slots of the preferred match of the whole text, or nil if it does not match.
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

  /// Returns whether the program matches anywhere in the text.
  mutating func matchesAnywhere(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = ThreadList.Place(offset: 0, isEnd: text.isEmpty)
    present.add(0, of: program.instructions, at: place)
    while !present.hasMatched {
      if place.isEnd { return false }
      step(over: text, from: &place)
      // A match may start anywhere; one that started earlier is preferred.
      coming.add(0, of: program.instructions, at: place)
      turnToComing()
    }
    return true
  }

  /// Advances every thread over the next scalar, or ends it if it cannot match.
  private mutating func step(over text: UnsafeBufferPointer<UInt8>, from place: inout ThreadList.Place) {
    let (scalar, width) = Self.scalar(in: text, at: place.offset)
    place.offset += width
    place.isEnd = place.offset == text.count

    for (thread, state) in present.states.enumerated() where program.instruction(state, takes: scalar) {
      coming.add(state + 1, of: program.instructions, at: place, from: present, thread: thread)
    }
  }

  /// Makes the coming threads the present ones.
  private mutating func turnToComing() {
    swap(&present, &coming)
    coming.removeAll()
  }

  /// Returns the scalar at an offset of valid UTF-8, and its number of bytes.
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

/// The threads of a `PikeMachine` at one place in the text, preferred ones first.
struct ThreadList {
  /// A place between two scalars of the text.
  struct Place {
    /// The UTF-8 offset.
    var offset: Int
    var isEnd: Bool
  }

  /// The states of the threads: instructions that take a scalar.
  private(set) var states: [Int] = []
  /// Whether a thread has reached the end of the program here.
  private(set) var hasMatched = false
  /// The slots of the preferred thread that has.
  private(set) var matchedSlots: [Int]

  /// The slots of all threads, one thread after the other: UTF-8 offsets, or -1.
  private var slots: [Int] = []
  /// The slots of the thread that is being followed.
  private var current: [Int]
  private var tasks: [Task] = []
  /// For every state of the program, the number of the place at which it was last visited.
  private var visits: [Int]
  private var visit = 1

  /// A pending task while a thread is followed: to continue at a state, or to restore a slot's old value.
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

  /// Clears the list for the next place.
  mutating func removeAll() {
    states.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    hasMatched = false
    visit += 1
  }

  /// Adds a new thread at a state with empty slots, less preferred than those in the list.
  mutating func add(_ state: Int, of instructions: [RegexpProgram.Instruction], at place: Place) {
    for slot in current.indices { current[slot] = -1 }
    follow(state, of: instructions, at: place)
  }

  /// Adds the successor of another list's thread, less preferred than those in this list.
  mutating func add(
    _ state: Int, of instructions: [RegexpProgram.Instruction], at place: Place, from other: borrowing ThreadList,
    thread: Int
  ) {
    for slot in current.indices { current[slot] = other.slots[thread * current.count + slot] }
    follow(state, of: instructions, at: place)
  }

  /// Follows a thread to all instructions that take text or match, in order of preference.
  ///
  /// Uses a list of tasks instead of recursion, as programs may have thousands of consecutive forks.
  private mutating func follow(_ start: Int, of instructions: [RegexpProgram.Instruction], at place: Place) {
    follow(straightFrom: start, of: instructions, at: place)
    while let task = tasks.popLast() {
      switch task {
      case .restore(let slot, let value): current[slot] = value
      case .follow(let state): follow(straightFrom: state, of: instructions, at: place)
      }
    }
  }

  /// Follows the preferred path of a thread, leaving the other paths as tasks.
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
          // Without pending tasks, the old value is not needed.
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
        // The first thread to get here is preferred, and the state is visited only once.
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
