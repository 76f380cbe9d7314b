/// The keys that an object of the config language may have. The reader checks configs against it and the JSON Schema is
/// generated from it, so the two cannot disagree.
package struct ObjectShape: Sendable {
  /// The name by which the schema refers to it.
  package let name: String
  package let title: String
  package let summary: String
  /// In the order that documentation should present them.
  package let keys: [KeyShape]
  /// Keys of later versions, allowed with a warning.
  package let reserved: [String]
  /// The names of `keys`.
  package let names: [String]
  /// At least one of these keys must be present.
  package let needsOneOf: [String]
  /// Keys that exclude others.
  package let excluding: [(name: String, others: [String])]
  /// Either all of these keys are present, or none.
  package let together: [String]

  init(
    _ name: String, _ title: String, _ summary: String, reserved: [String] = [], needsOneOf: [String] = [],
    excluding: [(name: String, others: [String])] = [], together: [String] = [], _ keys: [KeyShape]
  ) {
    self.name = name
    self.title = title
    self.summary = summary
    self.reserved = reserved
    self.keys = keys
    names = keys.map(\.name)
    self.needsOneOf = needsOneOf
    self.excluding = excluding
    self.together = together
  }

  /// In the order of the schema.
  package static let all: [ObjectShape] = [
    config, settings, watchlistEntry, retired, exchange, markets, market, tickers, ticker, part, orderbook, bookSide,
    trades, tradeFields, candles, candleFields, interval, assetNames, assetNameFields, limit, success, request, zip,
    symbol, symbolRule, lookup, batch, paymentGroup, fields, value, timeValue, candleTimeValue, changeValue, sideValue,
    condition, rowCondition, walletCondition, pairSign, streams, tickerChannel, tradesChannel, bookChannel, bookChanges,
    candleChannel, streamLimit, streamHello, streamPing, streamPong, streamBatch, streamUnwrap, messageLookup, auth,
    authFunction, authVector, vectorRequest, vectorSent, balances, balancesPart, balanceFields, walletStatus,
    walletStatusPart, permissions, permissionsPart, fx, provider, rate, rateFields, refresh, budget, providerTicker,
    route, routeRule, routeWhen,
  ]
}

/// One key of an object of the config language.
package struct KeyShape: Sendable {
  package let name: String
  /// One or two plain sentences that explain the key.
  package let summary: String
  package let value: ValueShape
  /// The JSON text of the value used if the key is absent.
  package let defaultValue: String?
  /// JSON texts of values worth copying.
  package let examples: [String]
  /// Whether the object is meaningless without the key, and no other level can provide it.
  package let isRequired: Bool
  /// Whether it is a block key; those mean the same on every level.
  package let isBlockKey: Bool

  init(
    _ name: String, _ value: ValueShape, _ summary: String, default defaultValue: String? = nil,
    examples: [String] = [], isRequired: Bool = false, isBlockKey: Bool = false
  ) {
    self.name = name
    self.value = value
    self.summary = summary
    self.defaultValue = defaultValue
    self.examples = examples
    self.isRequired = isRequired
    self.isBlockKey = isBlockKey
  }
}

/// The allowed values of a config key, as far as a schema can express them.
package indirect enum ValueShape: Sendable {
  /// Any string, or one that matches a pattern (ECMA-262, as in JSON Schema).
  case text(pattern: String? = nil)
  case boolean
  case integer(ClosedRange<Int>)
  case number
  /// A percentage from 0 to below 10.
  case fee
  /// An exact number above zero, as a number or a string.
  case positiveNumber
  /// A string, number or boolean.
  case scalar
  /// A string, number, boolean or null.
  case comparand
  case choice([String])
  case null
  case anything
  case list(ValueShape, ClosedRange<Int>? = nil)
  /// An object with free member names, optionally restricted by a pattern; null removes an inherited member.
  case map(ValueShape, names: String? = nil)
  /// An object. Shapes refer to each other in circles, so this one is only looked at when needed.
  case members(@Sendable () -> ObjectShape)
  case any([ValueShape])

  package static func object(_ shape: @autoclosure @escaping @Sendable () -> ObjectShape) -> ValueShape {
    .members(shape)
  }

  /// The same, or null.
  var orNull: ValueShape { .any([self, .null]) }

  /// The alternatives, with nested choices flattened.
  package var alternatives: [ValueShape] {
    if case .any(let values) = self { values.flatMap(\.alternatives) } else { [self] }
  }

  /// `500ms`, `5s`, `1m`, `1h`, `1d`.
  static let duration = ValueShape.text(pattern: "^(?=[0-9]*[1-9])[0-9]{1,7}(ms|s|m|h|d)$")
  /// The same, or none at all: `0s`.
  static let durationOrNone = ValueShape.text(pattern: "^[0-9]{1,7}(ms|s|m|h|d)$")
  /// An RFC 9535 path. The validator checks its grammar; the pattern only requires a dot or bracket after `$`, and
  /// neither an opening bracket nor a dot at the end.
  static let path = ValueShape.text(pattern: pathPattern)
  static let pathPattern = "^\\$(\\s*[.\\[]([^.]|\\.(?=.))*[^.\\[\\s])?$"
  static let zone = ValueShape.text(pattern: "^(Z|UTC|[+-](0[0-9]|1[0-4]):[0-5][0-9])$")
  static let day = ValueShape.text(pattern: "^2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")
  /// `09:00`, `24:00`.
  static let timeOfDay = ValueShape.text(pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?|24:00(:00)?)$")
  static let texts = ValueShape.list(.text())
  /// A string with placeholders, each closed.
  static let template = ValueShape.text(pattern: "^([^{]|\\{\\{|\\{[^{}|]+(\\|(lower|upper))?\\})*$")
  /// wss to any host, ws to this machine only, or an address from a handshake response.
  static let streamURLs = ValueShape.list(
    .text(
      pattern: "^(wss://[^\\s@#/?]+([/?][^\\s#]*)?"
        + "|ws://(localhost|127\\.[0-9]+\\.[0-9]+\\.[0-9]+|\\[::1\\])[^\\s@#]*|\\{.+)$"),
    1...10_000)
  /// The address of a page, with placeholders after its host.
  static let page = ValueShape.text(
    pattern:
      "^https://[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+([/?#]([!#-;=?-Z_a-z~@$&'()*+,\\[\\]]|\\{[^{}|]+(\\|(lower|upper))?\\})*)?$"
  )
  static let baseURLs = ValueShape.list(.text(pattern: baseURLPattern), 1...10_000)
  /// https to any host, http to this machine only; without user info, query or fragment.
  private static let baseURLPattern =
    "^(https://[A-Za-z0-9._~\\[\\]:%-]+|http://(localhost|127\\.[0-9]+\\.[0-9]+\\.[0-9]+|\\[::1\\])(:[0-9]+)?)(/[A-Za-z0-9._~:/%-]*)?$"
  /// A pair of currencies, `*` for any.
  static let pairPattern = "^(\\*|[^/\\s]+/[^/\\s]+)$"
  /// A regular expression with a `value` group.
  static let capture = ValueShape.text(pattern: "\\(\\?<value>")
  /// The form of numeric strings.
  static let decimalPattern = "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?$"
  /// The same, above zero: at least one digit before the exponent is not 0.
  package static let positivePattern = "^\\+?(?=[0-9.]*[1-9])([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?$"
  static let decimalText = ValueShape.text(pattern: decimalPattern)

  /// A value of the language: a path, a constant, or an object with more detail.
  static let value = ValueShape.any([path, .text(pattern: "^([^$]|$)"), .number, .object(.value)])
  /// A value that is a name, so not a number.
  static let name = ValueShape.any([path, .text(pattern: "^[^$.\\[]"), .object(.value)])
  /// A value that is a number: strings are paths or the digits of a constant.
  static let numeric = ValueShape.any([path, decimalText, .number, .object(.value)])
}
