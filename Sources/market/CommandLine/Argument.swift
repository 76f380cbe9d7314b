/// A positional argument of a command.
struct Argument: Hashable, Sendable {
  /// What the help calls it, in capitals: `ASSET`.
  let name: String
  /// What it means, lower case, no full stop.
  let help: String
  /// True when the command works without it. Only the last arguments of a command may be optional.
  let isOptional: Bool
  /// True when it takes all the words that are left. Only the last argument of a command may repeat.
  let isRepeating: Bool

  init(_ name: String, help: String, isOptional: Bool = false, isRepeating: Bool = false) {
    self.name = name
    self.help = help
    self.isOptional = isOptional
    self.isRepeating = isRepeating
  }

  /// The argument as the usage line has it: `ASSET`, `[FILE]`, `NAME...`, `[NAME...]`.
  var usage: String {
    let word = isRepeating ? name + "..." : name
    return isOptional ? "[\(word)]" : word
  }
}
