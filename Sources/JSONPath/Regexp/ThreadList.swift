/// The threads of a `PikeMachine` at one place of the text, the preferred ones first.
struct ThreadList {
  /// The states of the threads: instructions that take a scalar.
  private(set) var states: [Int] = []
  /// The slots of the preferred thread that has come to the program's end here.
  var matched: [Int]?

  private let slotCount: Int
  /// The slots of all threads, one thread behind the other.
  private var slots: [Int] = []
  /// For every state of the program the number of the last place at which it was visited.
  private var visits: [Int]
  private var place = 1

  init(stateCount: Int, slotCount: Int) {
    self.slotCount = slotCount
    visits = Array(repeating: 0, count: stateCount)
  }

  var count: Int { states.count }
  var isEmpty: Bool { states.isEmpty }

  /// Marks a state as visited; false where it had been before at this place.
  mutating func visit(_ state: Int) -> Bool {
    guard visits[state] != place else { return false }
    visits[state] = place
    return true
  }

  mutating func append(_ state: Int, slots threadSlots: [Int]) {
    states.append(state)
    slots.append(contentsOf: threadSlots)
  }

  func copySlots(of thread: Int, to target: inout [Int]) {
    for slot in 0..<slotCount { target[slot] = slots[thread * slotCount + slot] }
  }

  /// Empties the list for the next place.
  mutating func removeAll() {
    states.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    matched = nil
    place += 1
  }
}
