/// A compiler from the tree of a regular expression to a program.
struct RegexpCompiler {
  /// The most instructions in a program. Counted repetitions are expanded, so `(a{100}){100}` alone has 10 000.
  static let maximumInstructions = 10_000

  private var program = RegexpProgram()

  static func program(for node: RegexpNode, groupCount: Int) throws(SyntaxError) -> RegexpProgram {
    var compiler = RegexpCompiler()
    compiler.program.slotCount = 2 * groupCount
    try compiler.emit(node)
    compiler.program.instructions.append(.match)
    return compiler.program
  }

  private var next: Int { program.instructions.count }

  private mutating func emit(_ node: RegexpNode) throws(SyntaxError) {
    switch node {
    case .scalar(let set):
      if let only = set.onlyScalar {
        append(.exactly(only))
      } else {
        append(.scalar(ASCIISet(set), set: number(of: set)))
      }
    case .textStart:
      append(.textStart)
    case .textEnd:
      append(.textEnd)
    case .sequence(let nodes):
      for node in nodes { try emit(node) }
    case .alternatives(let branches):
      try emit(alternatives: branches)
    case .repeated(let inner, let minimum, let maximum, let offset):
      try emit(inner, minimum: minimum, maximum: maximum, offset: offset)
    case .captured(let inner, let group):
      append(.save(slot: 2 * group))
      try emit(inner)
      append(.save(slot: 2 * group + 1))
    }
  }

  private mutating func append(_ instruction: RegexpProgram.Instruction) {
    program.instructions.append(instruction)
  }

  private mutating func number(of set: ScalarSet) -> Int {
    if let known = program.sets.lastIndex(of: set) { return known }
    program.sets.append(set)
    return program.sets.count - 1
  }

  /// Emits for each branch but the last a fork to it and to the next one, the branch, and a jump to the common end.
  private mutating func emit(alternatives branches: [RegexpNode]) throws(SyntaxError) {
    var jumps: [Int] = []
    for (index, branch) in branches.enumerated() {
      guard index < branches.count - 1 else {
        try emit(branch)
        break
      }
      let fork = next
      append(.fork(fork + 1, fork))
      try emit(branch)
      jumps.append(next)
      append(.jump(next))
      program.instructions[fork] = .fork(fork + 1, next)
    }
    for jump in jumps { program.instructions[jump] = .jump(next) }
  }

  private mutating func emit(_ node: RegexpNode, minimum: Int, maximum: Int?, offset: Int) throws(SyntaxError) {
    // The size of a copy, 0 before the first one.
    var size = 0
    // Without a maximum, the last copy is the one that loops.
    for _ in 0..<(maximum == nil ? max(minimum - 1, 0) : minimum) {
      size = try emitCopy(of: node, size: size, offset: offset)
      // A node without instructions matches the empty text, however often it is repeated.
      if size == 0 { return }
    }
    guard let maximum else {
      try emitLoop(node, mayBeSkipped: minimum == 0, size: size, offset: offset)
      return
    }
    var forks: [Int] = []
    for _ in minimum..<maximum {
      forks.append(next)
      append(.fork(next + 1, next))
      size = try emitCopy(of: node, size: size, offset: offset)
      if size == 0 { break }
    }
    for fork in forks { program.instructions[fork] = .fork(fork + 1, next) }
  }

  /// Emits a fork to B or on, if the loop may be skipped; B: the copy; a fork to B or on.
  private mutating func emitLoop(_ node: RegexpNode, mayBeSkipped: Bool, size: Int, offset: Int) throws(SyntaxError) {
    let entry = next
    if mayBeSkipped { append(.fork(entry + 1, entry)) }
    let body = next
    _ = try emitCopy(of: node, size: size, offset: offset)
    append(.fork(body, next + 1))
    if mayBeSkipped { program.instructions[entry] = .fork(body, next) }
  }

  /// Emits the node once more, if there is room for as many instructions as in the previous copy, and returns their
  /// number.
  private mutating func emitCopy(of node: RegexpNode, size: Int, offset: Int) throws(SyntaxError) -> Int {
    let start = next
    if start + size <= Self.maximumInstructions {
      try emit(node)
      if next <= Self.maximumInstructions { return next - start }
    }
    throw SyntaxError(offset: offset, message: "the repetitions need more than \(Self.maximumInstructions) states")
  }
}

/// The syntax tree of a regular expression.
indirect enum RegexpNode: Hashable, Sendable {
  /// One scalar of a set.
  case scalar(ScalarSet)
  /// The start of the text: an unescaped `^`.
  case textStart
  /// The end of the text: an unescaped `$`.
  case textEnd
  case sequence([RegexpNode])
  /// The first branch that leads to a match.
  case alternatives([RegexpNode])
  /// The node from `minimum` up to `maximum` times, greedily; nil is unbounded. The offset is that of the quantifier in
  /// the pattern.
  case repeated(RegexpNode, minimum: Int, maximum: Int?, offset: Int)
  /// A group whose match is recorded under its number, from 0.
  case captured(RegexpNode, group: Int)
}

/// A regular expression as instructions for `PikeMachine`: a nondeterministic automaton with one state per instruction.
struct RegexpProgram: Hashable, Sendable {
  enum Instruction: Hashable, Sendable {
    /// Consumes a scalar of the set with this number. Its members below U+0080 are stored inline, as most text is
    /// ASCII.
    case scalar(ASCIISet, set: Int)
    /// Consumes this scalar.
    case exactly(UInt32)
    case textStart
    case textEnd
    /// Continues at both places, preferring the first.
    case fork(Int, Int)
    case jump(Int)
    /// Saves the current offset in this slot.
    case save(slot: Int)
    case match
  }

  var instructions: [Instruction] = []
  var sets: [ScalarSet] = []
  /// Twice the number of groups: the start and end of each.
  var slotCount = 0

  /// Returns whether the instruction at an index consumes this scalar.
  func instruction(_ index: Int, takes scalar: UInt32) -> Bool {
    switch instructions[index] {
    case .exactly(let wanted): wanted == scalar
    case .scalar(let ascii, let set): scalar < 0x80 ? ascii.contains(scalar) : sets[set].contains(scalar)
    case .textStart, .textEnd, .fork, .jump, .save, .match: false
    }
  }
}
