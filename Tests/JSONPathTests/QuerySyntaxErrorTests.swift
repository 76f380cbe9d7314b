import JSONPath
import Testing

/// An invalid query. A `‸`, not part of the query, precedes the offending character.
struct InvalidQuery: Sendable, CustomTestStringConvertible {
  var query: String
  var offset: Int
  var message: String

  init(_ marked: String, _ message: String) {
    let parts = marked.split(separator: "‸", maxSplits: 1, omittingEmptySubsequences: false)
    query = parts.joined()
    offset = parts[0].utf8.count
    self.message = message
  }

  var testDescription: String { query }

  private static func hyphened(_ name: String) -> String {
    "expected '.', '..', '[' or the end of the query; a name such as '\(name)' is written ['\(name)']"
  }

  static let segments = [
    InvalidQuery("‸", "a query begins with '$'"),
    InvalidQuery("‸a", "a query begins with '$'"),
    InvalidQuery("‸ $", "a query begins with '$'"),
    InvalidQuery("‸@.a", "a query begins with '$'"),
    InvalidQuery("$‸ ", "blank space after the query"),
    InvalidQuery("$.a‸\n\t", "blank space after the query"),
    InvalidQuery("$‸a", "expected '.', '..', '[' or the end of the query"),
    InvalidQuery("$.a ‸b", "expected '.', '..', '[' or the end of the query"),
    InvalidQuery("$.a‸\u{0}", "expected '.', '..', '[' or the end of the query"),
    InvalidQuery("$.größe‸-a", hyphened("größe-a")),
    InvalidQuery("$.last‸-price.x", hyphened("last-price")),
    InvalidQuery("$.a['b'].c.24h".replacing(".24h", with: "‸/24h"), hyphened("c/24h")),
    InvalidQuery("$[0]‸-price", "expected '.', '..', '[' or the end of the query"),
    InvalidQuery("$.a‸'b'", "expected '.', '..', '[' or the end of the query"),
    InvalidQuery("$.‸", "expected a name or '*' after '.'"),
    InvalidQuery("$.‸1", "expected a name or '*' after '.'"),
    InvalidQuery("$.‸ a", "expected a name or '*' after '.'"),
    InvalidQuery("$.‸[0]", "expected a name or '*' after '.'"),
    InvalidQuery("$.‸'a'", "expected a name or '*' after '.'"),
    InvalidQuery("$..‸", "expected a name, '*' or '[' after '..'"),
    InvalidQuery("$..‸.a", "expected a name, '*' or '[' after '..'"),
    InvalidQuery("$..‸ [0]", "expected a name, '*' or '[' after '..'"),
  ]

  static let selectors = [
    InvalidQuery("$[‸]", "expected a name in quotes, '*', an index, a slice or '?'"),
    InvalidQuery("$[‸", "expected a name in quotes, '*', an index, a slice or '?'"),
    InvalidQuery("$[‸a]", "expected a name in quotes, '*', an index, a slice or '?'"),
    InvalidQuery("$[0,‸]", "expected a name in quotes, '*', an index, a slice or '?'"),
    InvalidQuery("$[‸,0]", "expected a name in quotes, '*', an index, a slice or '?'"),
    InvalidQuery("$[‸+1]", "expected a name in quotes, '*', an index, a slice or '?'"),
    InvalidQuery("$[0‸", "expected ',' or ']'"),
    InvalidQuery("$[0 ‸1]", "expected ',' or ']'"),
    InvalidQuery("$[1‸.0]", "expected ',' or ']'"),
    InvalidQuery("$['a'‸:1]", "expected ',' or ']'"),
    InvalidQuery("$[1:2:3‸:4]", "expected ',' or ']'"),
    InvalidQuery("$[-‸]", "expected a digit after '-'"),
    InvalidQuery("$[-‸ 1]", "expected a digit after '-'"),
    InvalidQuery("$[1:-‸:2]", "expected a digit after '-'"),
    InvalidQuery("$[‸-0]", "'-0' is not allowed; write 0"),
    InvalidQuery("$[1::‸-01]", "'-0' is not allowed; write 0"),
    InvalidQuery("$[‸01]", "a leading zero is not allowed"),
    InvalidQuery("$[1: ‸00]", "a leading zero is not allowed"),
    InvalidQuery("$[‸9007199254740992]", "an integer must be within -(2^53 - 1) and 2^53 - 1"),
    InvalidQuery("$[‸-9007199254740992]", "an integer must be within -(2^53 - 1) and 2^53 - 1"),
    InvalidQuery("$[::‸99999999999999999999]", "an integer must be within -(2^53 - 1) and 2^53 - 1"),
  ]

  static let strings = [
    InvalidQuery("$[‸'a]", "unterminated string"),
    InvalidQuery("$[‸\"a']", "unterminated string"),
    InvalidQuery("$['a‸\n']", "a control character in a string must be escaped"),
    InvalidQuery("$['é‸\u{1F}']", "a control character in a string must be escaped"),
    InvalidQuery("$['‸\\x']", "unknown escape; known are \\b \\f \\n \\r \\t \\/ \\\\ \\u and the quote itself"),
    InvalidQuery("$['‸\\\"']", "unknown escape; known are \\b \\f \\n \\r \\t \\/ \\\\ \\u and the quote itself"),
    InvalidQuery("$[\"‸\\'\"]", "unknown escape; known are \\b \\f \\n \\r \\t \\/ \\\\ \\u and the quote itself"),
    InvalidQuery("$['‸\\", "unknown escape; known are \\b \\f \\n \\r \\t \\/ \\\\ \\u and the quote itself"),
    InvalidQuery("$['\\u00‸g0']", "expected four hexadecimal digits after '\\u'"),
    InvalidQuery("$['\\u004‸", "expected four hexadecimal digits after '\\u'"),
    InvalidQuery("$['‸\\uD834']", "half of a surrogate pair"),
    InvalidQuery("$['‸\\uDD1E']", "half of a surrogate pair"),
    InvalidQuery("$['‸\\uD834\\n']", "half of a surrogate pair"),
    InvalidQuery("$['‸\\uD834\\u0041']", "half of a surrogate pair"),
    InvalidQuery("$['‸\\uD834\\uD834']", "half of a surrogate pair"),
  ]

  static let filters = [
    InvalidQuery("$[?‸]", "expected a value, a query ('@' or '$'), a function or '('"),
    InvalidQuery("$[?@.a &&‸]", "expected a value, a query ('@' or '$'), a function or '('"),
    InvalidQuery("$[?@.a == ‸]", "expected a value, a query ('@' or '$'), a function or '('"),
    InvalidQuery("$[?‸&& @.a]", "expected a value, a query ('@' or '$'), a function or '('"),
    InvalidQuery("$[?!‸!@.a]", "expected a value, a query ('@' or '$'), a function or '('"),
    InvalidQuery("$[?@.a == ‸[1]]", "expected a value, a query ('@' or '$'), a function or '('"),
    InvalidQuery("$[?@.a == ‸(1)]", "expected a value, a query ('@' or '$'), a function or '('"),
    InvalidQuery("$[?@.a == ‸True]", "expected a value, a query ('@' or '$'), a function or '('"),
    InvalidQuery("$[?@.a == ‸nil]", "unknown word 'nil'; write strings in quotes"),
    InvalidQuery("$[?(@.a‸]", "expected '&&', '||' or ')'"),
    InvalidQuery("$[?@.a‸)]", "expected ',' or ']'"),
    InvalidQuery("$[?@.a ‸& @.b]", "expected ',' or ']'"),
    InvalidQuery("$[?@.a ‸= 1]", "expected ',' or ']'"),
    InvalidQuery("$[?1 == 1 ‸== 1]", "expected ',' or ']'"),
    InvalidQuery("$[?@.a ‸=~ 'x']", "expected ',' or ']'"),
    InvalidQuery("$[?!@.a ‸== 1]", "'!' before a comparison needs parentheses"),
    InvalidQuery("$[?‸true]", "a literal alone is not a condition; compare it with something"),
    InvalidQuery("$[?@.a || ‸'x']", "a literal alone is not a condition; compare it with something"),
    InvalidQuery("$[?(‸1)]", "a literal alone is not a condition; compare it with something"),
    InvalidQuery("$[?@‸.* == 1]", "this may select several nodes; only a singular query can be compared"),
    InvalidQuery("$[?1 < @.a‸[0,1].b]", "this may select several nodes; only a singular query can be compared"),
    InvalidQuery("$[?@‸..a == 1]", "this may select several nodes; only a singular query can be compared"),
    InvalidQuery("$[?@.a == ‸01]", "a leading zero is not allowed"),
    InvalidQuery("$[?@.a == -‸01]", "a leading zero is not allowed"),
    InvalidQuery("$[?@.a == -‸.1]", "expected a digit after '-'"),
    InvalidQuery("$[?@.a == 1.‸]", "expected a digit after '.'"),
    InvalidQuery("$[?@.a == 1e‸]", "expected a digit after the exponent's sign or 'e'"),
    InvalidQuery("$[?@.a == 1e+‸-1]", "expected a digit after the exponent's sign or 'e'"),
  ]

  static let functions = [
    InvalidQuery("$[?‸size(@) > 1]", "unknown function 'size'; known are length, count, match, search and value"),
    InvalidQuery("$[?length‸ (@) > 1]", "expected '(' directly after 'length'"),
    InvalidQuery("$[?‸length(@)]", "the function's result is a value; compare it with something"),
    InvalidQuery("$[?!‸count(@.*)]", "the function's result is a value; compare it with something"),
    InvalidQuery("$[?‸match(@, 'a') == true]", "the function's result is true or false; it cannot be compared"),
    InvalidQuery("$[?length(‸) > 1]", "'length' takes one argument"),
    InvalidQuery("$[?length(@‸, @) > 1]", "'length' takes one argument"),
    InvalidQuery("$[?length(@ ‸> 1)]", "expected ')'"),
    InvalidQuery("$[?match(@‸)]", "'match' takes two arguments"),
    InvalidQuery("$[?match(@, ‸)]", "'match' takes two arguments"),
    InvalidQuery("$[?match(@, 'a'‸, 'b')]", "'match' takes two arguments"),
    InvalidQuery("$[?match(@ ‸'a')]", "expected ','"),
    InvalidQuery("$[?count(‸1) > 1]", "'count' takes a query"),
    InvalidQuery("$[?value(‸'a') > 1]", "'value' takes a query"),
    InvalidQuery("$[?count(‸length(@)) > 1]", "'count' takes a query"),
    InvalidQuery(
      "$[?length(@‸.*) > 1]",
      "this may select several nodes; only a singular query can be an argument of 'length'"),
    InvalidQuery(
      "$[?search(@, ‸match(@, 'a'))]",
      "the function's result is true or false; it cannot be an argument of 'search'"),
  ]
}

@Suite("Invalid queries")
struct QuerySyntaxErrorTests {
  @Test(
    "Error and its offset",
    arguments: InvalidQuery.segments + InvalidQuery.selectors + InvalidQuery.strings + InvalidQuery.filters
      + InvalidQuery.functions)
  func invalidQueriesAreRefused(_ invalid: InvalidQuery) {
    let expected = SyntaxError(offset: invalid.offset, message: invalid.message)
    #expect(throws: expected) { try JSONPathQuery(invalid.query) }
  }

  @Test("Nesting is bounded", arguments: [("(", 66), ("!(", 130), ("@[?", 195), ("length(", 450)])
  func nesting(_ opening: String, offset: Int) {
    let query = "$[?" + String(repeating: opening, count: 100_000)
    let expected = SyntaxError(offset: offset, message: "nested more than 64 levels deep")
    #expect(throws: expected) { try JSONPathQuery(query) }
  }

  @Test("Nesting up to the bound is parsed")
  func deepestNesting() throws {
    let parentheses = String(repeating: "!(", count: 62)
    let closing = String(repeating: ")", count: 62)
    #expect(throws: Never.self) { try JSONPathQuery("$[?" + parentheses + "@ == 1" + closing + "]") }
    let filters = "$" + String(repeating: "[?@", count: 64) + String(repeating: "]", count: 64)
    #expect(throws: Never.self) { try JSONPathQuery(filters) }
  }

  @Test("A long query without nesting is parsed")
  func longQuery() throws {
    let names = String(repeating: ".a", count: 50_000)
    #expect(try JSONPathQuery("$" + names).singularSteps?.count == 50_000)
    let operands = Array(repeating: "@.a == 1", count: 5_000).joined(separator: " && ")
    #expect(try JSONPathQuery("$[?\(operands)]").isSingular == false)
  }
}
