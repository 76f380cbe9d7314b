/// A regular expression as instructions for `PikeMachine`: a nondeterministic automaton, one state an instruction.
struct RegexpProgram: Hashable, Sendable {
  enum Instruction: Hashable, Sendable {
    /// Goes past a scalar of the set with this number.
    case scalar(set: Int)
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
}
