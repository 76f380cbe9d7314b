import Testing

/// An invalid pattern, with a `‸` before the offending character.
struct InvalidPattern: Sendable, CustomTestStringConvertible {
  var pattern: String
  var offset: Int
  var message: String
  var allowsNamedGroups: Bool

  init(_ marked: String, _ message: String, allowingNamedGroups: Bool = false) {
    let parts = marked.split(separator: "‸", maxSplits: 1, omittingEmptySubsequences: false)
    pattern = parts.joined()
    offset = parts[0].utf8.count
    self.message = message
    allowsNamedGroups = allowingNamedGroups
  }

  var testDescription: String { pattern }

  private static let unknownEscape = "unknown escape; I-Regexp has \\n \\r \\t \\p{…} \\P{…} and punctuation"
  private static let shortRepetition =
    "'?' after a repetition is unknown, as each matches all it can; write what it may match, such as [^,]*"
  private static let unknownCategory = "unknown general category; known are L, Lu, Ll, N, Nd, …"
  private static let misplacedHyphen = "put '-' first or last in a class, or write '\\-'"

  static let all = [
    InvalidPattern("‸*a", "'*' has nothing to repeat; to match it literally, write '\\*'"),
    InvalidPattern("a|‸+", "'+' has nothing to repeat; to match it literally, write '\\+'"),
    InvalidPattern("(‸?)", "'?' has nothing to repeat; to match it literally, write '\\?'"),
    InvalidPattern("a*‸*", "'*' has nothing to repeat; to match it literally, write '\\*'"),
    InvalidPattern("a+‸?", shortRepetition),
    InvalidPattern("(.*‸?)x", shortRepetition),
    InvalidPattern("a{2,}‸?", shortRepetition),
    InvalidPattern("a?‸?", shortRepetition),
    InvalidPattern("a{2}‸{3}", "'{' is out of place; to match it literally, write '\\{'"),
    InvalidPattern("‸{2}", "'{' is out of place; to match it literally, write '\\{'"),
    InvalidPattern("a‸}", "'}' is out of place; to match it literally, write '\\}'"),
    InvalidPattern("ä‸]", "']' is out of place; to match it literally, write '\\]'"),
    InvalidPattern("a‸)", "')' without '(' before it; to match it literally, write '\\)'"),
    InvalidPattern("a‸(b", "unclosed group"),
    InvalidPattern("‸(a(b)|c", "unclosed group"),
    InvalidPattern("(‸?:a)", "'?' has nothing to repeat; to match it literally, write '\\?'"),
    InvalidPattern("(‸?=a)", "'?' has nothing to repeat; to match it literally, write '\\?'"),
    InvalidPattern("(‸?<a>b)", "'?' has nothing to repeat; to match it literally, write '\\?'"),
    // Counts.
    InvalidPattern("a{‸}", "expected a digit"),
    InvalidPattern("a{‸,2}", "expected a digit"),
    InvalidPattern("a{‸ 2}", "expected a digit"),
    InvalidPattern("a{2‸", "expected '}'"),
    InvalidPattern("a{2,‸", "expected a digit"),
    InvalidPattern("a{2,3‸,4}", "expected '}'"),
    InvalidPattern("a‸{3,2}", "the second count is less than the first"),
    InvalidPattern("a{‸10001}", "a count above 10000"),
    InvalidPattern("a{1,‸99999999999999999999999}", "a count above 10000"),
    InvalidPattern("(a{100})‸{101}", "the repetitions need more than 10000 states"),
    // Escapes.
    InvalidPattern("a‸\\", "nothing follows '\\'"),
    InvalidPattern("‸\\d", "unknown escape '\\d'; write [0-9]"),
    InvalidPattern("x‸\\W", "unknown escape '\\W'; write [^A-Za-z0-9_]"),
    InvalidPattern("[‸\\s]", "unknown escape '\\s'; write [ \\n\\r\\t]"),
    InvalidPattern("‸\\b", unknownEscape),
    InvalidPattern("(a)‸\\1", unknownEscape),
    InvalidPattern("‸\\u0041", unknownEscape),
    InvalidPattern("‸\\/", unknownEscape),
    InvalidPattern("a‸\\$", "'\\$' is not a valid escape in I-Regexp; to match it literally, write '[$]'"),
    InvalidPattern("\\p‸L", "expected '{' and a general category, such as \\p{Lu}"),
    InvalidPattern("\\p{‸}", unknownCategory),
    InvalidPattern("\\p{‸Lx}", unknownCategory),
    InvalidPattern("\\P{‸lu}", unknownCategory),
    InvalidPattern("\\p{‸Cs}", unknownCategory),
    InvalidPattern("\\p{‸IsGreek}", unknownCategory),
    InvalidPattern("\\p{‸^L}", unknownCategory),
    InvalidPattern("\\p{Lu‸", "expected '}'"),
    // Classes.
    InvalidPattern("[‸]", "empty class; to match the bracket literally, write '\\]'"),
    InvalidPattern("[^‸]", "empty class; to match the bracket literally, write '\\]'"),
    InvalidPattern("[‸]a]", "empty class; to match the bracket literally, write '\\]'"),
    InvalidPattern("x‸[a", "unclosed class"),
    InvalidPattern("‸[a-", "unclosed class"),
    InvalidPattern("‸[a\\]", "unclosed class"),
    InvalidPattern("[a‸[b]]", "in a class, write '[' and '-' as '\\[' and '\\-'"),
    InvalidPattern("[a-‸[]", "in a class, write '[' and '-' as '\\[' and '\\-'"),
    InvalidPattern("[a-‸-]", "in a class, write '[' and '-' as '\\[' and '\\-'"),
    InvalidPattern("[a-c‸-e]", misplacedHyphen),
    InvalidPattern("[-‸-a]", misplacedHyphen),
    InvalidPattern("[\\p{L}‸-z]", misplacedHyphen),
    InvalidPattern("[‸z-a]", "the range ends before it begins"),
    InvalidPattern("[a-‸\\p{L}]", "a category cannot end a range"),
    // Named groups.
    InvalidPattern("(?‸:a)", "expected '<' and a group's name", allowingNamedGroups: true),
    InvalidPattern("(?‸P<a>b)", "expected '<' and a group's name", allowingNamedGroups: true),
    InvalidPattern("(?<‸=a)", "expected a group's name: letters, digits and '_'", allowingNamedGroups: true),
    InvalidPattern("(?<‸1a>b)", "expected a group's name: letters, digits and '_'", allowingNamedGroups: true),
    InvalidPattern("(?<a‸-b>c)", "expected '>'", allowingNamedGroups: true),
    InvalidPattern("(?<a>b)(?<‸a>c)", "duplicate group 'a'", allowingNamedGroups: true),
    InvalidPattern("‸(?<a>b", "unclosed group", allowingNamedGroups: true),
  ]
}
