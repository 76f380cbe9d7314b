/// A regular expression as instructions for `PikeMachine`: a nondeterministic automaton, one state an instruction.
struct RegexpProgram: Hashable, Sendable {
  enum Instruction: Hashable, Sendable {
    /// Goes past a scalar of the set with this number. The members of the set below U+0080 are beside it, as most
    /// text is ASCII.
    case scalar(ASCIISet, set: Int)
    /// Goes past this scalar.
    case exactly(UInt32)
    case textStart
    case textEnd
    /// Goes on at both places, rather at the first.
    case fork(Int, Int)
    case jump(Int)
    /// Keeps the present place in the text under this number.
    case save(slot: Int)
    case match
  }

  var instructions: [Instruction] = []
  var sets: [ScalarSet] = []
  /// Twice the number of groups: where each begins, and where it ends.
  var slotCount = 0

  /// Whether the instruction at a place is one that goes past this scalar.
  func instruction(_ index: Int, takes scalar: UInt32) -> Bool {
    switch instructions[index] {
    case .exactly(let wanted): wanted == scalar
    case .scalar(let ascii, let set): scalar < 0x80 ? ascii.contains(scalar) : sets[set].contains(scalar)
    case .textStart, .textEnd, .fork, .jump, .save, .match: false
    }
  }
}
