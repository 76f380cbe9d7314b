import JSON
import JSONPath
import Testing

/// A query and its canonical spelling.
struct Spelling: Sendable, CustomTestStringConvertible {
  var query: String
  var uniform: String

  init(_ query: String, _ uniform: String) {
    self.query = query
    self.uniform = uniform
  }

  var testDescription: String { query }

  static let all = [
    Spelling("$", "$"),
    Spelling("$.a.b", "$['a']['b']"),
    Spelling("$ \t\r\n.a", "$['a']"),
    Spelling("$.größe", "$['größe']"),
    Spelling("$[\"it's\"]", "$['it\\'s']"),
    Spelling("$['\"']", "$['\"']"),
    Spelling("$['\\u0041\\ud83d\\ude00\\/']", "$['A😀/']"),
    Spelling("$['\\b\\f\\n\\r\\t\\\\\\u001F\\u007f']", "$['\\b\\f\\n\\r\\t\\\\\\u001f\u{7F}']"),
    Spelling("$.*", "$[*]"),
    Spelling("$..*", "$..[*]"),
    Spelling("$..a[ 0 , -1 ]", "$..['a'][0, -1]"),
    Spelling("$[1:2:3, :, ::, 1::, :2, ::-1]", "$[1:2:3, :, :, 1:, :2, ::-1]"),
    Spelling("$[ 1 : 2 : 3 ]", "$[1:2:3]"),
    Spelling("$[?@.a]", "$[?@['a']]"),
    Spelling("$[? !@.a ]", "$[?!@['a']]"),
    Spelling("$[?((@.a))]", "$[?@['a']]"),
    Spelling("$[?@.a==1.50e+3]", "$[?@['a'] == 1.50e+3]"),
    Spelling("$[?@.a<=-0&&@.b!='x'||$.c]", "$[?@['a'] <= -0 && @['b'] != 'x' || $['c']]"),
    Spelling("$[?@.a&&(@.b||@.c)]", "$[?@['a'] && (@['b'] || @['c'])]"),
    Spelling("$[?(@.a&&@.b)||@.c]", "$[?@['a'] && @['b'] || @['c']]"),
    Spelling("$[?(@.a&&@.b)&&@.c]", "$[?(@['a'] && @['b']) && @['c']]"),
    Spelling("$[?!(@.a==null)]", "$[?!(@['a'] == null)]"),
    Spelling("$[?! (! @.a)]", "$[?!(!@['a'])]"),
    Spelling("$[?length(@.a)>count( @.* )]", "$[?length(@['a']) > count(@[*])]"),
    Spelling("$[?match(@,'a.*')&&search(@ , $.p)]", "$[?match(@, 'a.*') && search(@, $['p'])]"),
    Spelling("$[?value(@..a)==true]", "$[?value(@..['a']) == true]"),
    Spelling("$[?length(value(@.*))==length('abc')]", "$[?length(value(@[*])) == length('abc')]"),
  ]
}

/// A query and the steps that a one-pass reader could take for it.
struct Steps: Sendable, CustomTestStringConvertible {
  var query: String
  var singular: [SingularStep]?
  var rowContainer: [SingularStep]?

  var testDescription: String { query }

  static let all = [
    Steps(query: "$", singular: []),
    Steps(query: "$.a['b'][0][-1]", singular: [.member("a"), .member("b"), .index(0), .index(-1)]),
    Steps(query: "$[*]", rowContainer: []),
    Steps(query: "$.*", rowContainer: []),
    Steps(query: "$.data[0].*", rowContainer: [.member("data"), .index(0)]),
    Steps(query: "$.a[*].b"),
    Steps(query: "$[*][*]"),
    Steps(query: "$..*"),
    Steps(query: "$..a"),
    Steps(query: "$.a[0,1]"),
    Steps(query: "$.a[0:1]"),
    Steps(query: "$.a[*,*]"),
    Steps(query: "$.a[?@]"),
  ]
}

@Suite("Query spellings")
struct QuerySpellingTests {
  @Test("Both spellings are one query", arguments: Spelling.all)
  func uniform(_ spelling: Spelling) throws {
    let query = try JSONPathQuery(spelling.query)
    #expect(query.text == spelling.query)
    #expect(try JSONPathQuery(spelling.uniform) == query)
  }

  @Test("Queries that differ in more than their spelling are different")
  func different() throws {
    let queries = try Spelling.all.map { try JSONPathQuery($0.query) }
    #expect(Set(queries).count == Set(Spelling.all.map(\.uniform)).count)
  }

  @Test("Steps", arguments: Steps.all)
  func steps(_ steps: Steps) throws {
    let query = try JSONPathQuery(steps.query)
    #expect(query.singularSteps == steps.singular)
    #expect(query.isSingular == (steps.singular != nil))
    #expect(query.rowContainerSteps == steps.rowContainer)
  }

  @Test("Names are compared by scalars, not by appearance")
  func canonicalEquivalence() throws { #expect(try JSONPathQuery("$.\u{E9}") != JSONPathQuery("$.e\u{301}")) }
}
