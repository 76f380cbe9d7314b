import Config
import Testing

/// A text with its findings marked by 👉, and their messages.
struct FindingCase: Sendable, CustomTestStringConvertible {
  let text: String
  let messages: [String]
  var hooks: [String]?

  init(_ text: String, _ messages: String..., hooks: [String]? = nil) {
    self.text = text
    self.messages = messages
    self.hooks = hooks
  }

  /// Members of an exchange's `tickers` block.
  static func tickers(_ members: String, _ messages: String..., hooks: [String]? = nil) -> FindingCase {
    FindingCase(text: TestExchange.config(tickers: members), messages: messages, hooks: hooks)
  }

  /// A table's request, optionally followed by other members.
  static func request(_ request: String, _ messages: String...) -> FindingCase {
    FindingCase(text: TestExchange.config(request: request), messages: messages, hooks: nil)
  }

  /// A field of an exchange.
  static func field(_ name: String, _ value: String, _ messages: String...) -> FindingCase {
    FindingCase(
      text: TestExchange.config(tickers: #""fields": {"\#(name)": \#(value)}"#), messages: messages, hooks: nil)
  }

  /// Members of the exchange itself.
  static func exchange(_ members: String, _ messages: String...) -> FindingCase {
    FindingCase(text: TestExchange.config(exchange: TestExchange.base + ", " + members), messages: messages, hooks: nil)
  }

  init(blocks text: String, _ messages: [String]) { self.init(text: text, messages: messages, hooks: nil) }

  private init(text: String, messages: [String], hooks: [String]?) {
    self.text = text
    self.messages = messages
    self.hooks = hooks
  }

  var testDescription: String { messages.joined(separator: " + ") }
}

/// Every finding that a config can cause, at its exact position.
@Suite struct DiagnosticTests {
  static let texts = [
    FindingCase(
      #"{"version": 1, "aliases": {"A": "B", 👉"A": "C"}}"#, #"MKT002 duplicate key 'A'; remove one of the two"#),
    FindingCase(
      #"{"version": 👉2, "nonsense": 1}"#.replacing(#""nonsense""#, with: #"👉"nonsense""#),
      "MKT003 unsupported config version 2; expected 1; update market, or write the file for version 1",
      #"MKT021 unknown key 'nonsense'"#),
    FindingCase(#"{"version": 👉0}"#, "MKT013 expected version 1"),
    FindingCase(#"{"version": 👉"1"}"#, "MKT010 expected a number, found a string"),
    FindingCase("👉[]", "MKT010 expected an object, found an array"),
    FindingCase(
      #"{"extends": 👉"bultin"}"#, #"MKT012 unknown value 'bultin'; expected builtin; did you mean 'builtin'?"#),
    FindingCase(#"{👉"exchnages": {}}"#, #"MKT021 unknown key 'exchnages'; did you mean 'exchanges'?"#),
    FindingCase(#"{"exchanges": {"A": 👉[]}}"#, "MKT010 expected an object, found an array"),
    FindingCase(#"{"exchanges": {"A": 👉{}}}"#, #"MKT011 missing key 'markets' in the exchange 'A'"#),
  ]

  private static func baseURL(_ text: String, _ shown: String, _ help: String) -> FindingCase {
    FindingCase(
      TestExchange.config(
        exchange: TestExchange.base.replacing(#""https://exchange.test""#, with: "👉\"\(text)\"")),
      "MKT015 invalid base URL '\(shown)'; \(help)")
  }

  static let shapes = [
    FindingCase.exchange(#""names": ["A", 👉1]"#, "MKT010 expected a string, found a number"),
    .exchange(
      #""takerFee": {"*": 0.1, 👉"BTC/": 0.2}"#,
      #"MKT070 invalid pair 'BTC/'; write "USD/KRW", "*/KRW" for any currency in won, or "*/*""#),
    .exchange(#""enabled": 👉"yes""#, "MKT010 expected true or false, found a string"),
    .exchange(#""badge": 👉"Exchange""#, "MKT017 expected up to three letters or an emoji"),
    .exchange(
      #""refresh": 👉"2 s""#, #"MKT014 invalid duration '2 s'; write a number and a unit: 500ms, 5s, 1m, 1h, 1d"#),
    .exchange(#""refresh": 👉"0s""#, "MKT014 invalid duration '0s'; write a duration from 100ms to 1d"),
    .exchange(
      #""limit": {"requests": 1, "per": 👉"0ms"}"#, "MKT014 invalid duration '0ms'; write a duration from 1ms to 31d"),
    .exchange(#""staleAfter": 👉"10000d""#, "MKT014 invalid duration '10000d'; write a duration from 100ms to 9999d"),
    .tickers(
      #""lookups": {"a": {"rows": "$[*]", "key": "$.k", "ttl": "0s"}, "b": {"rows": "$[*]", "key": "$.k", "ttl": 👉"367d"}}"#,
      "MKT014 invalid duration '367d'; write a duration from 0s to 366d"),
    .exchange(#""limit": 👉{"requests": 5}"#, #"MKT011 missing key 'per' in 'limit'"#),
    .exchange(#""limit": {"requests": 👉0, "per": "1s"}"#, "MKT013 expected a whole number from 1 to 1000000"),
    FindingCase(
      TestExchange.config(
        exchange: TestExchange.base.replacing("https", with: "http").replacing(#""http"#, with: #"👉"http"#)),
      #"MKT015 invalid base URL 'http://exchange.test'; write https://host, with a path if the API has one; http:// only to this machine"#
    ),
    .exchange(#""headers": {"A": 👉"b\r\nC: d"}"#, "MKT017 expected a header in one line"),
    .field(
      "price", #"{"path": "$.p", "strip": 👉" USD 24h"}"#,
      "warning MKT017 removing '24' changes the number; remove only what is not part of it; to leave out a text with "
        + "digits, write a \"capture\""),
    .field("price", #"{"path": "$.p", "strip": ".% ₩"}"#),
    .tickers(#""where": [{"path": "$.day", "strip": "-", "equals": "20240229"}]"#),
    .field(
      "volume24", #"{"product": ["$.a", {"path": "$.b", "strip": 👉"-"}]}"#,
      "warning MKT017 removing '-' changes the number; remove only what is not part of it; to leave out a text with "
        + "digits, write a \"capture\""),
    baseURL(
      "https://exchange.test:187333", "https://exchange.test:187333", "write a port from 1 to 65535 after the colon"),
    baseURL("https://exchange.test:", "https://exchange.test:", "write a port from 1 to 65535 after the colon"),
    baseURL("https://exchange.test ", "https://exchange.test ", "remove the space or line break"),
    baseURL(
      "http://me:pw@exchange.test", "http://*@exchange.test",
      "remove the name and password; a config holds no secrets, see docs/private.md"),
    FindingCase(
      TestExchange.config(request: #"{"path": "/t/{keys}"}"#).replacing(#""tickers": {"#, with: #""tickers": 👉{"#),
      "MKT011 missing key 'batch' in this block, whose request names {keys}"),
    .tickers(
      #""lookups": {"l": {"request": {"path": "/l"}, "rows": "$[*]", "key": "$.k"}}, "batch": 👉{"of": "l"}"#,
      "warning MKT063 'batch' has nothing to fill in: the request does not name {keys}; write {keys} where the exchange expects "
        + "the list, or remove 'batch'"),
    .tickers(#""rows": 👉[]"#, "MKT010 expected an object, found an array"),
    .tickers(#""rows": {"zip": 👉["$.a"]}"#, #"MKT038 expected at least two paths in 'zip'"#),
    .request(#"👉{"query": {}}"#, #"MKT011 missing key 'path' in this request"#),
    .request(#"{"path": 👉"t"}"#, #"MKT039 invalid request path; it must begin with '/'"#),
    .request(#"{"path": 👉"{asset}"}"#, #"MKT039 invalid request path; it must begin with '/'"#),
    .request(
      #"{"path": 👉"/t?a=1"}"#,
      ##"MKT039 invalid request path; it cannot contain '?' or '#'; write the parameters under 'query'"##),
    .request(
      #"{"path": 👉"/my account"}"#,
      "MKT039 invalid request path; blanks and letters beyond ASCII must be percent-encoded; write '%20' for the first of "
        + "them"),
    .request(
      #"{"path": 👉"/{asset}/원"}"#,
      "MKT039 invalid request path; blanks and letters beyond ASCII must be percent-encoded; write '%EC%9B%90' for the "
        + "first of them"),
    .request(#"{"path": 👉""}"#, "MKT039 invalid request path; it must begin with '/'"),
    .request(#"{"path": "/t", "method": 👉"PUT"}"#, #"MKT012 unknown value 'PUT'; expected GET or POST"#),
    .request(
      #"{"path": "/t", "query": {"a": 👉{}}}"#, "MKT010 expected a string, a number or a boolean, found an object"),
    .tickers(#""forEach": 👉[]"#, "MKT010 expected at least one part, found an array"),
    .tickers(#""forEach": [{"set": {"a": 👉[]}}]"#, "MKT010 expected a string or a number, found an array"),
    .field("price", #"{"path": "$.p", "scale": 👉1e400}"#, "MKT013 expected a number from 1e-30 to 1e30"),
    .field("price", #"{"path": "$.p", "scale": 👉"1e-31"}"#, "MKT013 expected a number from 1e-30 to 1e30"),
    .tickers(#""multiplier": {"1000": 👉0}"#, "MKT013 expected a number above zero"),
    .tickers(
      #""multiplier": {"1000": 👉10, "*1M": 👉"1e3", "10k": 10000, "k": 1000, "m": "0.001", "1000000": "1e6"}"#,
      #"warning MKT013 '1000' multiplies by 1000, not by this; write "1000": 1000, or 1 if prices are of one unit"#,
      #"warning MKT013 '*1M' multiplies by 1000000, not by this; write "*1M": 1000000, or 1 if prices are of one unit"#),
    .tickers(
      #""multiplier": {👉"": 10, 👉"*": 10}"#, #"MKT017 expected a mark such as "1000""#,
      #"MKT017 expected a mark such as "1000""#),
    .tickers(#""paymentCurrencies": {"a": 👉{"note": "x"}}"#, #"MKT011 missing key 'currencies' in this group"#),
    .tickers(
      #""paymentCurrencies": {"a": {"category": 👉"coinm", "currencies": []}}"#,
      #"MKT012 unknown value 'coinm'; expected usd(s)-m, coin-m or spot; did you mean 'coin-m'?"#),
  ]

  static let keys = [
    FindingCase.tickers(#"👉"feilds": {}"#, #"MKT021 unknown key 'feilds'; did you mean 'fields'?"#),
    .tickers(#"👉"set": {}"#, #"MKT021 unknown key 'set'"#),
    .tickers(#""fields": {👉"last": "$.p"}"#, #"MKT021 unknown key 'last'"#),
    .tickers(
      #""fields": {👉"changePricePercent": "$.p"}"#,
      #"MKT021 unknown key 'changePricePercent'; did you mean 'changePricePercent24'?"#),
    .field("price", #"{"path": "$.p", 👉"scal": 2}"#, #"MKT021 unknown key 'scal'; did you mean 'scale'?"#),
    .field("volume24", #"{"path": "$.p", 👉"basis": "last"}"#, #"MKT021 unknown key 'basis'"#),
    .exchange(
      #"👉"columns": {}"#, #"warning MKT022 the key 'columns' is reserved for a future version and has no effect yet"#),
    .exchange(#""$comment": "anything may be said here""#),
    .field(
      "price", #"👉{"sum": ["$.a"], "path": "$.b"}"#, #"MKT023 'sum' and 'path' cannot be combined; keep one of them"#),
    .field(
      "price", #"👉{"sum": ["$.a"], "product": ["$.b"]}"#,
      #"MKT023 'sum' and 'product' cannot be combined; keep one of them"#),
    .field(
      "changePricePercent24", #"👉{"fromOpen": "$.o", "path": "$.c", "basis": "utcDay"}"#,
      #"MKT023 'fromOpen' and 'path' cannot be combined; keep one of them"#),
    .field(
      "price", #"👉{"sum": ["$.a", "$.b"], "from": "response"}"#,
      #"MKT023 'sum' and 'from' cannot be combined; write "from" in each part of 'sum'"#),
    .tickers(
      #""where": [👉{"path": "$.a", "equals": 1, "is": "empty"}]"#,
      #"MKT023 'equals' and 'is' cannot be combined; keep one of them"#),
    .tickers(
      #""where": [{"path": "$.a", "in": 👉[]}, {"path": "$.b", "notIn": 👉[]}, {"path": "$.c", "prefix": 👉""}]"#,
      "MKT010 expected at least one value, found an array", "MKT010 expected at least one value, found an array",
      "MKT017 expected at least one character"),
    .tickers(
      #""where": [{"path": "$.a", "match": 👉".*"}, {"path": "$.b", "match": ".+"}]"#,
      #"warning MKT035 regular expression: every string matches; write what the string must be, or "is": "present""#),
    .exchange(
      #""walletStatus": {"request": {"path": "/w"}, "rows": "$[*]", "asset": "$.a", "deposit": 👉[], "withdraw": 👉[], "ttl": "0s"}"#,
      "MKT010 expected at least one condition, found an array",
      "MKT010 expected at least one condition, found an array"),
    .tickers(
      #""where": [👉{"path": "$.a"}]"#,
      #"MKT011 missing key 'equals', 'in', 'notIn', 'prefix', 'suffix', 'match', 'above' or 'is' in this condition"#
    ),
    .tickers(
      #""where": [👉"$.a"]"#, #"MKT010 expected a condition such as { "path": "$.code", "equals": 0 }, found a string"#),
    .tickers(
      #""where": [{"path": "$.a", "is": 👉"there"}]"#,
      #"MKT012 unknown value 'there'; expected present, absent, empty, array or object"#),
    .tickers(#""where": [{"path": "$.a", "above": 👉"much"}]"#, "MKT013 expected a number"),
    .tickers(
      #""where": [{"path": "$.a", "in": [1, 👉{}]}]"#,
      "MKT010 expected a string, a number, true, false or null, found an object"),
  ]

  static let symbols = [
    FindingCase.tickers(#""symbol": 👉{"path": "$.s"}"#, #"MKT011 missing key 'split' in this symbol rule"#),
    .tickers(#""symbol": 👉{"split": "-"}"#, #"MKT011 missing key 'path' in the symbol"#),
    .tickers(#""symbol": 👉{"asset": "$.a"}"#, #"MKT011 missing key 'payment' in this symbol rule"#),
    .tickers(#""symbol": 👉{"payment": "$.a"}"#, #"MKT011 missing key 'asset' in this symbol rule"#),
    .tickers(
      #""symbol": 👉{"path": "$.s", "match": "(?<asset>.*)"}"#, #"MKT011 missing key 'payment' in this symbol rule"#),
    .tickers(
      #""symbol": 👉{"path": "$.s", "split": "-", "match": ".*"}"#,
      #"MKT023 'split' and 'match' cannot be combined; keep one of them"#),
    .tickers(#""symbol": {"path": "$.s", "split": 👉""}"#, #"MKT017 expected a separator or 'payment'"#),
    .tickers(
      #""symbol": {"path": "$.s", "split": "-", "order": 👉"payment"}"#,
      #"MKT012 unknown value 'payment'; expected asset-payment or payment-asset; did you mean 'payment-asset'?"#),
    .tickers(
      #""symbol": {"path": "$.s", "rules": [{"split": "-"}, 👉{"prefix": "t"}]}"#,
      #"MKT011 missing key 'split' in this symbol rule"#),
    .tickers(
      #""symbol": {"path": "$.s", "split": "payment", "order": 👉"payment-asset"}, "paymentCurrencies": {"stable": ["BTC"]}"#,
      "MKT023 'order' has no effect: 'payment' looks for the payment currency at the end; remove it; if the payment currency comes first, use \"match\""
    ),
    .tickers(
      #""symbol": 👉{"path": "$.s", "split": "payment"}, "paymentCurrencies": {"stable": []}"#,
      #"MKT053 missing 'paymentCurrencies'; "split": "payment" looks for them at the end of the symbol"#),
    .tickers(
      #""symbol": 👉{"path": "$.s", "split": "payment"}"#,
      #"MKT053 missing 'paymentCurrencies'; "split": "payment" looks for them at the end of the symbol"#),
    .tickers(#""symbol": 👉"$.s""#, #"MKT010 expected 'request' or an object, found a string"#),
  ]

  private static let repeated =
    #"MKT017 expected an array of one string with {keys}; write ["{keys}"] to send the parameter once for each key, or "#
    + #""{keys}" to send all keys in one"#

  /// A caret within a string points at the exact character, whatever escapes precede it.
  static let carets = [
    FindingCase.field("price", #""$.a..👉""#, "MKT031 JSONPath: expected a name, '*' or '[' after '..'"),
    .field("price", #""\u0024.a 👉b""#, "MKT031 JSONPath: expected '.', '..', '[' or the end of the query"),
    .field("price", #""$[\"a\" 👉x]""#, "MKT031 JSONPath: expected ',' or ']'"),
    .field("price", #""$['é\u00e9\ud83d\ude00'👉""#, "MKT031 JSONPath: expected ',' or ']'"),
    .field("price", #""$['\ud800\udbff\ud83d\ude00\udc00' 👉x]""#, "MKT031 JSONPath: expected ',' or ']'"),
    .field("price", #""$['{👉aset}']""#, "MKT034 unknown placeholder '{aset}'; did you mean '{asset}'?"),
    .field(
      "price", #""$.a['x{asset}']['{asset}_{👉quote}']""#,
      "MKT034 unknown placeholder '{quote}'; expected {asset} or {payment}"),
    .field("price", #""$['x👉{asset']""#, #"MKT033 template: unclosed '{'; write {{ for a brace"#),
    .field(
      "price", #"👉"$['{now.ms}']""#, "MKT033 template: a name in a path can only be filled in with the row's pair"),
    .field(
      "price", #"👉"$['{asset}'][*]""#,
      "warning MKT032 the path '$['{asset}'][*]' can select several values where one is needed; if it selects "
        + "several, the cell stays empty (path-many)",
      "MKT033 template: only a path to one value can be filled in"
    ).twice,
    .field("price", #"{"path": "$.a", "capture": "\"👉(?<value>.*"}"#, "MKT035 regular expression: unclosed group"),
    .field("price", #"{"path": "$.a", "capture": 👉"[0-9]+"}"#, "MKT035 regular expression: missing group (?<value>…)"),
    .tickers(#""headers": {"X": "\"{👉asset}"}"#, "MKT034 unknown placeholder '{asset}'"),
    .tickers(#""rows": "$['{👉asset}'][*]""#, "MKT034 unknown placeholder '{asset}'"),
    .request(
      #"{"path": "/{👉typ}"}, "forEach": [{"set": {"type": "a"}}]"#,
      "MKT034 unknown placeholder '{typ}'; did you mean '{type}'?"),
    .request(#"{"path": "/{asset|👉lover}"}"#, #"MKT033 template: expected 'lower', 'upper' or 'number' after '|'"#),
    .request(
      #"{"path": "/t", "query": {"s": 👉"{asset|number}"}}"#,
      "MKT090 'number' only works after the sole placeholder of a JSON string value; remove it: this is sent as text"),
    .request(
      #"{"path": "/t", "body": {"s": "t{asset|👉number}", "n": "{asset|number}"}}"#,
      "MKT033 template: 'number' is only for a placeholder that is the whole string"),
    .request(#"{"path": "/{date:👉qq}"}"#, #"MKT033 template: invalid date format 'qq'"#),
    .request(#"{"path": "/{date:yyyy@👉KST}"}"#, #"MKT033 template: expected an offset such as +09:00 after '@'"#),
    .request(#"{"path": "/t", "query": {"id": 👉["BTC"]}}"#, repeated),
    .request(#"{"path": "/t", "query": {"id": 👉[]}}"#, repeated),
    .request(#"{"path": "/t", "query": {"id": 👉["{keys}", "BTC"]}}"#, repeated),
    .request(
      #"{"path": "/t", "method": "POST", "form": {"id": 👉["{keys}"]}}"#,
      "MKT010 expected a string, a number or a boolean, found an array"),
  ]

  static let values = [
    FindingCase.tickers(
      #""where": [{"path": 👉"$['{asset}']", "is": "present"}]"#,
      #"MKT033 template: the pair is not known yet in 'where'"#),
    .tickers(
      #""symbol": {"asset": 👉"$['{payment}']", "payment": "X"}"#,
      #"MKT033 template: the pair is not known yet in 'symbol'"#),
    .field(
      "price", #"👉"last""#, #"MKT037 expected a number or a path, found the string 'last'; did you mean '$.last'?"#),
    .field(
      "price", #"{"sum": ["$.a", 👉"b"]}"#,
      #"MKT037 expected a number or a path, found the string 'b'; did you mean '$.b'?"#),
    .field("price", "👉true", "MKT010 expected a path, a constant or an object, found a boolean"),
    .field("price", #"{"quotient": 👉["$.a"]}"#, "MKT010 expected two values, found an array"),
    .field("price", #"{"first": 👉[]}"#, "MKT010 expected at least one value, found an array"),
    .field("price", #"{"path": "$.a", "scale": 👉0}"#, "MKT013 expected a number above zero"),
    .field("price", #"{"path": "$.a", "scale": 👉"ten"}"#, "MKT013 expected a number above zero"),
    .field("price", #"{"path": 👉"a"}"#, "MKT031 JSONPath: a path begins with $"),
    .field(
      "price", #"👉"$..a""#,
      "warning MKT032 the path '$..a' can select several values where one is needed; if it selects several, the "
        + "cell stays empty (path-many)"
    ),
    .field(
      "price", #"{"path": "$.a", "from": 👉"contract"}"#,
      #"MKT041 unknown source 'contract'; expected response, key or request"#),
    .field(
      "price", #"{"path": "$.a", "from": 👉"reponse"}"#,
      #"MKT041 unknown source 'reponse'; expected response, key or request; did you mean 'response'?"#),
    .field(
      "price", #"{"path": 👉"$.a", "from": "key"}"#, "MKT031 JSONPath: a row's key is a string with nothing below it"),
    .field(
      "price", #"{"path": "$.a", "basis": 👉"bid"}"#,
      #"MKT012 unknown value 'bid'; expected last, mid, mark or oracle"#),
    .field(
      "changePricePercent24", #"👉"$.c""#,
      #"MKT051 missing key 'basis' in a change; write what the exchange measures the change from: rolling24h, utcDay, kstDay, utc8Day, venueDay or previousClose"#
    ),
    .field(
      "time", #"👉"$.t""#, #"MKT052 missing key 'unit' or 'format' in a time; the unit is s, ms, us, ns or iso8601"#),
    .field(
      "time", #"👉{"path": "$.t"}"#,
      #"MKT052 missing key 'unit' or 'format' in a time; the unit is s, ms, us, ns or iso8601"#),
    .field(
      "time", #"{"path": "$.t", "unit": 👉"sec"}"#, #"MKT012 unknown value 'sec'; expected s, ms, us, ns or iso8601"#),
    .field(
      "time", #"{"path": "$.t", "unit": "s", "zone": 👉"KST"}"#,
      #"MKT016 invalid offset from UTC 'KST'; write "+09:00" or "Z""#),
    .field(
      "time", #"{"path": "$.t", "format": "yyyy\u002D👉yy"}"#,
      #"MKT036 time format: 'yy' is not one of yyyy M MM MMM d dd H HH h hh a mm ss S Z; put other letters between apostrophes; for example, write "yyyy-MM-dd HH:mm:ss""#
    ),
    .field(
      "time", #"{"path": "$.t", "format": 👉"HH:mm:ss"}"#,
      #"MKT036 time format: it has no year, written 'yyyy'; for example, write "yyyy-MM-dd HH:mm:ss""#),
  ]

  static let references = [
    FindingCase(
      #"{"exchanges": {"Binance": {"markets": {"spot": {"tickers": {"request": {"path": "/{asset}{payment}"}}}}, "baseUrls": ["https://a.test"], "rows": "$", "symbol": "request"}, "B": {"like": 👉"Binanse"}}}"#
        .replacing(#""B": {"#, with: #""B": 👉{"#), #"MKT011 missing key 'markets' in the exchange 'B'"#,
      #"MKT042 unknown exchange 'Binanse'; did you mean 'Binance'?"#),
    .tickers(#""batch": {"of": 👉"markets"}"#, #"MKT041 unknown source 'markets'; expected response, key or request"#),
    .tickers(#""hook": 👉"Line""#, #"MKT044 unknown hook 'Line'; expected ECB or Lines"#, hooks: ["ECB", "Lines"]),
    .tickers(#""hook": 👉"Line""#, #"MKT044 unknown hook 'Line'; no hooks are built in"#, hooks: []),
    .tickers(#""hook": "Line""#),
    .tickers(
      #""lookups": {"a": 👉{"rows": "$[*]", "key": "$.k", "match": {"path": "$.m", "from": "b"}}, "b": {"rows": "$[*]", "key": "$.k", "match": {"path": "$.m", "from": "a"}}}"#,
      #"MKT045 the lookups 'a' and 'b' depend on each other's rows"#),
    .tickers(#""lookups": {"a": 👉{"rows": "$[*]"}}"#, #"MKT011 missing key 'key' in the lookup 'a'"#),
    .tickers(
      #""lookups": {"a": {"rows": "$[*]", "key": {"path": "$.type", "from": 👉"request"}}}"#,
      #"MKT046 the source 'request' is not available in a lookup's own rows"#),
    .tickers(
      #""lookups": {"a": {"rows": "$[*]", "key": {"path": "$.m", "from": 👉"b"}}, "b": {"rows": "$[*]", "key": "$.k"}}"#,
      #"MKT041 unknown source 'b'; expected response, key or request"#),
    .tickers(
      #""success": {"where": [{"from": 👉"key", "equals": 1}]}"#,
      #"MKT046 the source 'key' is not available in a success rule"#),
    .field("price", #"{"path": "$.a", "up": 👉1}"#, #"MKT046 the source 'row' is not available in a value with 'up'"#),
    .field(
      "price", #"{"path": "$.a", "from": "response", "up": 👉1}"#,
      #"MKT046 the source 'response' is not available in a value with 'up'"#),
    .field("price", #"{"from": "key", "up": 👉0}"#, "MKT013 expected a whole number from 1 to 9"),
    .field(
      "time", #"{"path": "$.t", "unit": 👉"ms", "format": "yyyy-MM-dd"}"#,
      "MKT023 'unit' and 'format' cannot be combined; keep one of them"),
  ]

  @Test(arguments: texts) func text(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: shapes) func shape(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: keys) func key(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: symbols) func symbol(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: carets) func caret(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: values) func value(_ finding: FindingCase) throws { try finding.check() }
  @Test(arguments: references) func reference(_ finding: FindingCase) throws { try finding.check() }
}

extension FindingCase {
  /// The same text with both of its findings at one position.
  var twice: FindingCase { FindingCase(text: text.replacing("👉", with: "👉👉"), messages: messages, hooks: hooks) }

  func check() throws { try MarkedConfig(text).expect(messages, hooks: hooks) }
}
