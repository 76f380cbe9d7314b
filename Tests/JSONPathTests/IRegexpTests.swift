import JSONPath
import Testing

@Suite("I-Regexp")
struct IRegexpTests {
  @Test("Whole strings", arguments: PatternCase.all)
  func matchesWholeTexts(_ test: PatternCase) throws {
    let pattern = try IRegexp(test.pattern)
    #expect(test.matching.filter { !pattern.matchesWhole($0) } == [])
    #expect(test.other.filter(pattern.matchesWhole) == [])
    #expect(test.matching.filter { !pattern.matchesAnywhere($0) } == [])
  }

  @Test("Substrings", arguments: SearchCase.all)
  func findsPartsOfTexts(_ test: SearchCase) throws {
    let pattern = try IRegexp(test.pattern)
    #expect(test.matching.filter { !pattern.matchesAnywhere($0) } == [])
    #expect(test.other.filter(pattern.matchesAnywhere) == [])
  }

  @Test("Captures", arguments: CaptureCase.all)
  func captures(_ test: CaptureCase) throws {
    let pattern = try IRegexp(test.pattern, allowingNamedGroups: true)
    #expect(pattern.captures(test.text) == test.captures)
    #expect(pattern.matchesWhole(test.text) == (test.captures != nil))
    for name in (test.captures ?? [:]).keys { #expect(pattern.groupNames.contains(name)) }
  }

  @Test("Group names follow the order of their parentheses")
  func groupNames() throws {
    let pattern = try IRegexp("(?<b>x(?<a>y))|(?<c_2>z)", allowingNamedGroups: true)
    #expect(pattern.groupNames == ["b", "a", "c_2"])
    #expect(try IRegexp("(x)").groupNames == [])
  }

  @Test("Invalid patterns", arguments: InvalidPattern.all)
  func invalidPatternsAreRefused(_ invalid: InvalidPattern) {
    let expected = SyntaxError(offset: invalid.offset, message: invalid.message)
    #expect(throws: expected) {
      try IRegexp(invalid.pattern, allowingNamedGroups: invalid.allowsNamedGroups)
    }
  }

  @Test("Nesting is bounded")
  func nesting() throws {
    let deepest = String(repeating: "(", count: 64) + "a" + String(repeating: ")", count: 64)
    #expect(try IRegexp(deepest).matchesWhole("a"))
    let expected = SyntaxError(offset: 64, message: "groups nested more than 64 levels deep")
    #expect(throws: expected) { try IRegexp(String(repeating: "(", count: 100_000)) }
  }

  /// Patterns on which a backtracking matcher would not finish.
  @Test(
    "Time is linear in the length of the string",
    arguments: ["(a*)*b", "(a+)+b", "(a|a)*b", "(a|aa)+b", "(a?){50}b", "((a*)*)*b", "(.*)*(.*)*b"])
  func pathological(_ pattern: String) throws {
    let text = String(repeating: "a", count: pattern == "(a?){50}b" ? 1_000 : 10_000)
    let pattern = try IRegexp(pattern)
    #expect(!pattern.matchesWhole(text))
    #expect(pattern.matchesWhole(pattern.pattern == "(a?){50}b" ? "aab" : text + "b"))
    #expect(!pattern.matchesAnywhere(text))
  }

  /// Patterns with multiplying counts are refused, or cost nothing, before anything is expanded.
  @Test("Nested counts", arguments: ["(((a{9999}){9999}){9999}){9999}", "((((a{0,9}){9,}){9,99}){999}){9999}"])
  func countsOfCounts(_ pattern: String) { #expect(throws: SyntaxError.self) { try IRegexp(pattern) } }

  @Test("Counts of empty patterns", arguments: ["((((){9999}){9999}){9999}){9999}", "(((a{0}){9999}){9999}){0,9999}"])
  func countsOfNothing(_ pattern: String) throws {
    #expect(try IRegexp(pattern).matchesWhole(""))
    #expect(try !IRegexp(pattern).matchesWhole("a"))
  }

  /// Matches every small pattern against every short text and compares with the definition.
  @Test("Small patterns on short strings", arguments: 0...4)
  func smallPatternsAgreeWithDefinition(length: Int) throws {
    let texts = (0..<pow3(length)).map { number in
      (0..<length).map { place -> Character in ["a", "b", "\n"][number / pow3(place) % 3] }
    }
    var disagreements: [String] = []
    for reference in ReferencePattern.all {
      let pattern = try IRegexp(reference.text)
      for text in texts {
        let whole = reference.ends(in: text, from: 0).contains(text.count)
        let anywhere = (0...text.count).contains { !reference.ends(in: text, from: $0).isEmpty }
        if pattern.matchesWhole(String(text)) != whole || pattern.matchesAnywhere(String(text)) != anywhere {
          disagreements.append("\(reference.text) on \(String(text).debugDescription)")
        }
      }
    }
    #expect(disagreements == [])
  }

  private func pow3(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 3 } }
}
