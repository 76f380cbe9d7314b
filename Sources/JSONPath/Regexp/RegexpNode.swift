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
