import JSON
import JSONPath
import Testing

/// A query and the paths that it selects.
struct Selection: Sendable, CustomTestStringConvertible {
  var query: String
  var document: String
  var paths: [String]

  init(_ query: String, _ paths: [String], in document: String = Self.market) {
    self.query = query
    self.document = document
    self.paths = paths
  }

  var testDescription: String { query }

  /// The document used by most tables: the response of a fictitious exchange.
  static let market = """
    {
      "exchange": {"name": "Han", "fees": {"maker": 0.10, "taker": "0.2"}},
      "rows": [
        {"pair": "BTC-USDT", "last": 65000, "bid": 64999.5, "tags": ["major", "old"]},
        {"pair": "ETH-USDT", "last": 3.2e3, "bid": null, "tags": ["major"]},
        {"pair": "DOGE-KRW", "last": 0.1, "halted": true, "tags": []}
      ],
      "limit": 3200
    }
    """

  // RFC 9535 §2.3 and §2.5, one table per section.
  static let selectors = [
    Selection("$", ["$"]),
    Selection("$.limit", ["$['limit']"]),
    Selection("$['exchange'][\"name\"]", ["$['exchange']['name']"]),
    Selection("$.none.deeper", []),
    Selection("$.limit.name", []),
    Selection("$.rows.pair", []),
    Selection("$.*", ["$['exchange']", "$['rows']", "$['limit']"]),
    Selection("$.exchange.fees[*]", ["$['exchange']['fees']['maker']", "$['exchange']['fees']['taker']"]),
    Selection("$.limit.*", []),
    Selection("$.rows[1]", ["$['rows'][1]"]),
    Selection("$.rows[-1]", ["$['rows'][2]"]),
    Selection("$.rows[-3]", ["$['rows'][0]"]),
    Selection("$.rows[3]", []),
    Selection("$.rows[-4]", []),
    Selection("$.exchange[0]", []),
    Selection("$.rows[2,0,0].pair", ["$['rows'][2]['pair']", "$['rows'][0]['pair']", "$['rows'][0]['pair']"]),
    Selection("$['limit','none','limit']", ["$['limit']", "$['limit']"]),
    Selection("$.rows[0]['last', 'tags'][1, 0]", ["$['rows'][0]['tags'][1]", "$['rows'][0]['tags'][0]"]),
    Selection("$.rows[?@.halted, 0]['pair']", ["$['rows'][2]['pair']", "$['rows'][0]['pair']"]),
    Selection("$.\u{1F600}", ["$['😀']"], in: #"{"\ud83d\ude00": 1}"#),
    Selection("$['\\n\\'']", ["$['\\n\\'']"], in: #"{"\n'": 1, "\\n'": 2}"#),
    Selection("$.e\u{301}", ["$['e\u{301}']"], in: "{\"e\u{301}\": 1, \"\u{E9}\": 2}"),
    Selection("$.a", ["$['a']"], in: #"{"a": 1, "b": 2, "a": 3}"#),
    Selection("$.*", ["$['a']", "$['b']", "$['a']"], in: #"{"a": 1, "b": 2, "a": 3}"#),
    Selection("$.*", [], in: "[]"),
    Selection("$.*", [], in: "\"text\""),
  ]

  static let slices = [
    ("1:3", [1, 2]), (":2", [0, 1]), ("4:", [4, 5]), (":", [0, 1, 2, 3, 4, 5]), ("1:5:2", [1, 3]),
    ("5:1:-2", [5, 3]), ("::-1", [5, 4, 3, 2, 1, 0]), ("-2:", [4, 5]), (":-4", [0, 1]), ("-1:-3:-1", [5, 4]),
    (":2:-1", [5, 4, 3]), ("2::-1", [2, 1, 0]), ("0:6:0", []), ("3:1", []), ("1:3:-1", []), ("10:20", []),
    ("-20:2", [0, 1]), ("20:3:-1", [5, 4]), ("-20:20:5", [0, 5]), ("::9007199254740991", [0]),
    ("-9007199254740991:9007199254740991", [0, 1, 2, 3, 4, 5]), ("::-9007199254740991", [5]),
  ].map { slice, indexes in Selection("$[\(slice)]", indexes.map { "$[\($0)]" }, in: "[10, 11, 12, 13, 14, 15]") }

  static let descendants = [
    Selection("$..tags", ["$['rows'][0]['tags']", "$['rows'][1]['tags']", "$['rows'][2]['tags']"]),
    Selection("$..fees..*", ["$['exchange']['fees']['maker']", "$['exchange']['fees']['taker']"]),
    Selection("$..[0]", ["$['rows'][0]", "$['rows'][0]['tags'][0]", "$['rows'][1]['tags'][0]"]),
    Selection("$.rows..[-1:]", ["$['rows'][2]", "$['rows'][0]['tags'][1]", "$['rows'][1]['tags'][0]"]),
    Selection("$..*", ["$[0]", "$[1]", "$[0][0]", "$[1]['a']", "$[1]['a'][0]"], in: #"[[1], {"a": [2]}]"#),
    Selection("$..a", ["$['a']", "$['a']['a']"], in: #"{"a": {"a": 0}}"#),
    Selection("$..a..a", ["$['a']['a']", "$['a']['a']['a']", "$['a']['a']['a']"], in: #"{"a": {"a": {"a": 0}}}"#),
    Selection("$..['a', 0]", ["$['a']", "$['a'][0]"], in: #"{"a": [1]}"#),
    Selection("$..*", [], in: "1"),
  ]

  static let filters = [
    Selection("$.rows[?@.last > 3000].pair", ["$['rows'][0]['pair']", "$['rows'][1]['pair']"]),
    Selection("$.rows[?@.last == $.limit].pair", ["$['rows'][1]['pair']"]),
    Selection("$.rows[?@.pair == 'DOGE-KRW']", ["$['rows'][2]"]),
    Selection("$.rows[?@.bid]", ["$['rows'][0]", "$['rows'][1]"]),
    Selection("$.rows[?!@.bid]", ["$['rows'][2]"]),
    Selection("$.rows[?@.bid == null]", ["$['rows'][1]"]),
    Selection("$.rows[?@.bid != null]", ["$['rows'][0]", "$['rows'][2]"]),
    Selection("$.rows[?@.bid == @.none]", ["$['rows'][2]"]),
    Selection("$.rows[?@.tags[?@ == 'old']].pair", ["$['rows'][0]['pair']"]),
    Selection("$.rows[?@.tags.*].pair", ["$['rows'][0]['pair']", "$['rows'][1]['pair']"]),
    Selection("$.rows[?@.tags == $.rows[1].tags]", ["$['rows'][1]"]),
    Selection("$.rows[?@.halted == true || @.last < 5000 && @.bid == null]", ["$['rows'][1]", "$['rows'][2]"]),
    Selection("$.rows[?(@.halted == true || @.last < 5000) && @.bid == null]", ["$['rows'][1]"]),
    Selection("$.rows[?!(@.last >= 3200)]", ["$['rows'][2]"]),
    Selection("$.*[?@.name]", []),
    Selection("$[?@.name].fees", ["$['exchange']['fees']"]),
    Selection("$..[?@.maker]", ["$['exchange']['fees']"]),
    Selection("$[?@.a]", ["$['x']"], in: #"{"x": {"a": null}, "y": [], "z": "a"}"#),
    Selection("$[?$.on]", [], in: "[1, 2]"),
    Selection("$.v[?$.on]", ["$['v'][0]", "$['v'][1]"], in: #"{"v": [1, 2], "on": false}"#),
  ]

  static let functions = [
    Selection("$.rows[?length(@.tags) < 2]", ["$['rows'][1]", "$['rows'][2]"]),
    Selection("$.rows[?length(@.pair) == 8]", ["$['rows'][0]", "$['rows'][1]", "$['rows'][2]"]),
    Selection("$[?length(@) == 1]", ["$[0]", "$[2]", "$[3]"], in: #"["\u00e9", "e\u0301", [[]], {"a": 1}, 1, null]"#),
    Selection("$[?length(@) == length(@.x)]", ["$[2]"], in: #"["", [], 7]"#),
    Selection("$.rows[?count(@.*) == 4 && count(@.tags.*) == 2]", ["$['rows'][0]"]),
    Selection("$.rows[?count(@['last', 'last', 'none']) == 2].pair", (0..<3).map { "$['rows'][\($0)]['pair']" }),
    Selection("$.rows[?value(@.tags[*]) == 'major']", ["$['rows'][1]"]),
    Selection("$.rows[?value(@.tags[*]) == @.none]", ["$['rows'][0]", "$['rows'][2]"]),
    Selection("$.rows[?match(@.pair, '[A-Z]{3}-USDT')]", ["$['rows'][0]", "$['rows'][1]"]),
    Selection("$.rows[?match(@.pair, 'USDT')]", []),
    Selection("$.rows[?search(@.pair, 'USDT|KR')]", ["$['rows'][0]", "$['rows'][1]", "$['rows'][2]"]),
    Selection("$.rows[?search(@.pair, '^D')]", ["$['rows'][2]"]),
    Selection("$.rows[?match(@.last, '.*')]", []),
    Selection("$.rows[?match(@.pair, '(')]", []),
    Selection("$.rows[?!search(@.pair, '\\\\d')]", ["$['rows'][0]", "$['rows'][1]", "$['rows'][2]"]),
    Selection("$.rows[?match(@.pair, @.pattern)]", []),
    Selection("$[?match(@.s, @.p)]", ["$[1]"], in: #"[{"s": "ab", "p": "a"}, {"s": "ab", "p": "ab?"}]"#),
    Selection("$[?match(@, 'a.b')]", ["$[1]"], in: #"["a\nb", "a\u2028b", "a\rb"]"#),
  ]
}

@Suite("Selections")
struct QueryEvaluationTests {
  @Test(
    "Selected nodes and their paths",
    arguments: Selection.selectors + Selection.slices + Selection.descendants + Selection.filters + Selection.functions)
  func selects(_ selection: Selection) throws {
    let document = try JSONDocument(text: selection.document)
    let query = try JSONPathQuery(selection.query)
    let located = try query.locatedNodes(in: document.root)
    #expect(located.map(\.path.description) == selection.paths)
    #expect(query.nodes(in: document.root) == located.map(\.node))
  }

  @Test("A name selects the last of duplicate members")
  func duplicateNames() throws {
    let document = try JSONDocument(text: #"{"a": 1, "b": 2, "\u0061": 3}"#)
    #expect(try JSONPathQuery("$.a").nodes(in: document.root).map(\.text) == ["3"])
    #expect(try JSONPathQuery("$.*").nodes(in: document.root).map(\.text) == ["1", "2", "3"])
  }

  @Test("Any node may be the root of a query")
  func innerRoot() throws {
    let document = try JSONDocument(text: Selection.market)
    let row = try #require(document.root["rows"]?[1])
    let located = try JSONPathQuery("$.tags[?$.last > 1]").locatedNodes(in: row)
    #expect(located.map(\.path.description) == ["$['tags'][0]"])
    #expect(located.map(\.node.text) == ["\"major\""])
  }

  @Test("The deepest readable documents are evaluated")
  func deepDocument() throws {
    let arrays = String(repeating: "[", count: 511) + "1" + String(repeating: "]", count: 511)
    let document = try JSONDocument(text: #"{"a": \#(arrays), "b": \#(arrays)}"#)
    #expect(try JSONPathQuery("$..*").nodes(in: document.root).count == 1_024)
    #expect(try JSONPathQuery("$..*").locatedNodes(in: document.root).last?.path.steps.count == 512)
    #expect(try JSONPathQuery("$[?@ == $.a]").nodes(in: document.root).count == 2)
    let filters = "$" + String(repeating: "[?@", count: 64) + String(repeating: "]", count: 64)
    #expect(try JSONPathQuery(filters).nodes(in: document.root).count == 2)
    #expect(try JSONPathQuery("$[?count(@..[0]) == 511]").nodes(in: document.root).count == 2)
  }

  @Test(
    "Queries that visit or select values repeatedly are aborted",
    arguments: [
      ("$..*..*..*", QueryTooCostly.tooManyNodes(11_000)), ("$..[?@..[?@..*]]", .tooManyVisits(1_008_000)),
      ("$..[?@..[?@..*]]..*", .tooManyVisits(1_008_000)),
    ])
  func costly(_ text: String, _ excess: QueryTooCostly) throws {
    let document = try JSONDocument(text: String(repeating: "[", count: 500) + String(repeating: "]", count: 500))
    let query = try JSONPathQuery(text)
    #expect(throws: excess) { try query.nodes(in: document.root, keeping: .max) }
    #expect(throws: excess) { try query.locatedNodes(in: document.root) }
    #expect(query.nodes(in: document.root).isEmpty)
    // A query that visits everything just once is allowed, however large the result.
    #expect(try JSONPathQuery("$..*").nodes(in: document.root, keeping: .max).count == 499)
    #expect(throws: QueryTooCostly.tooManyNodes(100)) {
      try JSONPathQuery("$..*").nodes(in: document.root, keeping: 100)
    }
  }

  /// A pattern of many states is compared with each character of a text in each of them.
  @Test(arguments: [("(a?){2500}b", true), ("a*b", false)])
  func patternsOfManyStates(_ pattern: String, _ isCostly: Bool) throws {
    let document = try JSONDocument(text: #"["\#(String(repeating: "a", count: 100_000))"]"#)
    let query = try JSONPathQuery("$[?search(@, '\(pattern)')]")
    func nodes() throws -> [JSONNode] { try query.nodes(in: document.root, keeping: 10) }
    if isCostly {
      #expect(throws: QueryTooCostly.self) { try nodes() }
    } else {
      #expect(try nodes().isEmpty)
    }
  }

  /// Numbers and strings are read wherever they are compared.
  @Test(arguments: [(1_000, "", false), (16_010_000, "", true), (1_000, "\"", false), (16_010_000, "\"", true)])
  func longValues(_ length: Int, _ quote: String, _ isCostly: Bool) throws {
    let document = try JSONDocument(text: "[\(quote)\(String(repeating: "1", count: length))\(quote)]")
    let query = try JSONPathQuery("$[?@ == 1]")
    if isCostly {
      #expect(throws: QueryTooCostly.tooManyVisits(1_000_000 + 8 * document.root.size)) {
        try query.nodes(in: document.root, keeping: 10)
      }
    } else {
      #expect(try query.nodes(in: document.root, keeping: 10).isEmpty)
    }
  }

  /// An empty list, and a filter that nothing satisfies, are no dead ends.
  @Test(
    arguments: [
      ("$.rows[*].tags[*]", nil), ("$.rows[?@.last > 100000].none[*]", nil), ("$.rows[*].last", nil),
      ("$..tags[*]", nil),
      ("$.rows[*].halted", .nothing), ("$.none[*].tags[*]", .nothing), ("$.rows[7].tags[*]", .nothing),
      ("$..none[*]", .nothing), ("$.rows[*].last[*]", .value(.number)), ("$.rows[1].bid[*]", .value(.null)),
      ("$.*[*]", .value(.number)),
    ] as [(String, JSONPathQuery.DeadEnd?)])
  func deadEnds(_ query: String, _ end: JSONPathQuery.DeadEnd?) throws {
    let document = try JSONDocument(text: Selection.market)
    #expect(try JSONPathQuery(query).deadEnd(in: document.root, keeping: 100) == end)
    #expect(throws: QueryTooCostly.tooManyNodes(2)) {
      try JSONPathQuery("$.rows[*].tags").deadEnd(in: document.root, keeping: 2)
    }
  }

  @Test("Absolute queries inside filters are evaluated once")
  func absoluteQueriesInFilters() throws {
    let numbers = (0..<2_000).map(String.init).joined(separator: ",")
    let document = try JSONDocument(text: "[\(numbers)]")
    #expect(try JSONPathQuery("$[?count($..*) == 2000]").nodes(in: document.root).count == 2_000)
    #expect(try JSONPathQuery("$[?$[?$[?$[?$[?@ == 1999]]]]]").nodes(in: document.root).count == 2_000)
    #expect(try JSONPathQuery("$[?value($[?@ == 7]) == @]").nodes(in: document.root).map(\.text) == ["7"])
  }
}
