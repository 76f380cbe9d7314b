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
