/// Turns the tree of a regular expression into a program.
struct RegexpCompiler {
  /// The most instructions of a program. Counted repetitions are written out, so `(a{100}){100}` alone has 10 000.
  static let maximumInstructions = 10_000

  private var program = RegexpProgram()

  static func program(for node: RegexpNode, groupCount: Int) throws(IRegexpSyntaxError) -> RegexpProgram {
    var compiler = RegexpCompiler()
    compiler.program.slotCount = 2 * groupCount
    try compiler.emit(node)
    compiler.program.instructions.append(.match)
    return compiler.program
  }

  private var next: Int { program.instructions.count }

  private mutating func emit(_ node: RegexpNode) throws(IRegexpSyntaxError) {
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

  /// Each branch but the last: a fork to it and to the next one, the branch, a jump to the common end.
  private mutating func emit(alternatives branches: [RegexpNode]) throws(IRegexpSyntaxError) {
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

  private mutating func emit(
    _ node: RegexpNode, minimum: Int, maximum: Int?, offset: Int
  ) throws(IRegexpSyntaxError) {
    // The size of a copy: none before the first one has been made.
    var size = 0
    // With no maximum the last of the copies is the one that is gone through again.
    for _ in 0..<(maximum == nil ? max(minimum - 1, 0) : minimum) {
      size = try emitCopy(of: node, size: size, offset: offset)
      // What has no instructions matches the empty text however often it is repeated.
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

  /// Fork to B or on, if the loop may be skipped; B: the copy; fork to B or on.
  private mutating func emitLoop(
    _ node: RegexpNode, mayBeSkipped: Bool, size: Int, offset: Int
  ) throws(IRegexpSyntaxError) {
    let entry = next
    if mayBeSkipped { append(.fork(entry + 1, entry)) }
    let body = next
    _ = try emitCopy(of: node, size: size, offset: offset)
    append(.fork(body, next + 1))
    if mayBeSkipped { program.instructions[entry] = .fork(body, next) }
  }

  /// Emits the node once more, if there is room for as many instructions as the copy before had; their number.
  private mutating func emitCopy(of node: RegexpNode, size: Int, offset: Int) throws(IRegexpSyntaxError) -> Int {
    let start = next
    if start + size <= Self.maximumInstructions {
      try emit(node)
      if next <= Self.maximumInstructions { return next - start }
    }
    throw IRegexpSyntaxError(
      offset: offset, message: "the repetitions need more than \(Self.maximumInstructions) states")
  }
}

/// The syntax of a regular expression as a tree.
indirect enum RegexpNode: Hashable, Sendable {
  /// One scalar of a set.
  case scalar(ScalarSet)
  /// The beginning of the text: an unescaped `^`.
  case textStart
  /// The end of the text: an unescaped `$`.
  case textEnd
  case sequence([RegexpNode])
  /// The first of the branches that leads to a match.
  case alternatives([RegexpNode])
  /// The inner one from `minimum` up to `maximum` times, rather more than fewer; nil is without an end. The offset is
  /// that of the quantifier in the pattern.
  case repeated(RegexpNode, minimum: Int, maximum: Int?, offset: Int)
  /// A group whose match is kept under its number, from 0.
  case captured(RegexpNode, group: Int)
}

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
