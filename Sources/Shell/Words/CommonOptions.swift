import Config
import Files
package import MarketData
package import Quotes
package import Terminal
package import Views

/// The options of a command line as values: parsed and validated here, once, before the command does anything.
package protocol CommandOptions: Sendable {
  init(_ words: Invocation) throws
}

/// The output formats of anything but a table.
package enum DocumentFormat: String, CaseIterable, Sendable {
  case text, json
}

/// The output formats of a table.
package enum OutputFormat: String, CaseIterable, Sendable {
  case text, json, csv
}

/// The output formats of a table whose rows can be written one per line.
package enum LineFormat: String, CaseIterable, Sendable {
  case text, json, csv
  /// One JSON object per line.
  case ndjson
}

/// `--color`, `--scheme` and `--glyphs`
package struct ColorOptions: CommandOptions {
  package let mode: ColorMode
  /// nil for that of the config or the locale.
  package let scheme: ColorScheme?
  package let glyphs: GlyphMode

  package init(_ words: Invocation) throws(UsageProblem) {
    mode = try words.choice(of: .color) ?? .auto
    scheme = try words.choice(of: .scheme)
    glyphs = try words.choice(of: .glyphs) ?? .auto
  }
}

/// `--config` and `--verbose`
package struct ConfigOptions: CommandOptions {
  /// nil for the first file found.
  package let path: String?
  package let isVerbose: Bool

  package init(_ words: Invocation) {
    path = words.value(of: .config)
    isVerbose = words.has(.verbose)
  }
}

/// The options of commands that query exchanges or rate providers.
package struct AskingOptions: CommandOptions {
  package let config: ConfigOptions
  /// nil for the config's timeout.
  package var timeoutMilliseconds: Int?
  /// How old answers of earlier runs may be that are used instead of asking; nil for any age.
  package let cacheMilliseconds: Int?
  /// Whether answers are kept from run to run: with `--cache`, or if nothing may be sent.
  package let keepsAnswers: Bool
  /// Whether anything may be sent; not with `--timeout 0`.
  package let mayAsk: Bool
  /// The folder to record answers to.
  package let record: String?
  /// The folder to replay recorded answers from.
  package let replay: String?
  package let colors: ColorOptions
  package let digits: Page.Digits
  /// The exchanges in `--exchange`; nil without the option.
  package let exchanges: [String]?

  package init(_ words: Invocation) throws(UsageProblem) { try self.init(words, longestTimeout: 600) }

  /// - Parameters:
  ///   - longestTimeout: in seconds; longer if `--timeout` is not that of a request.
  ///   - hasCache: whether the command has `--cache`, and thus answers even if `--timeout` is 0.
  package init(_ words: Invocation, longestTimeout: Int = 600, hasCache: Bool = false) throws(UsageProblem) {
    config = ConfigOptions(words)
    let timeout = try words.timeout(atMost: longestTimeout, atLeast: hasCache ? 0 : 1)
    mayAsk = timeout != 0
    timeoutMilliseconds = mayAsk ? timeout : nil
    cacheMilliseconds = try words.milliseconds(of: .cache, such: "30s, 5m or 1h", atLeast: 1)
    keepsAnswers = cacheMilliseconds != nil || !mayAsk
    record = words.value(of: .record)
    replay = words.value(of: .replay)
    colors = try ColorOptions(words)
    digits = try words.choice(of: .digits) ?? .short
    exchanges = try words.exchangeNames()
    if record != nil, replay != nil { throw .conflict("--record", "--replay") }
    if keepsAnswers, record != nil || replay != nil {
      throw .conflict(mayAsk ? "--cache" : "--timeout 0", record != nil ? "--record" : "--replay")
    }
  }

  /// Rejects earlier recordings: a continuous run is replayed as one, so they would replace it or never be played.
  package func requireNoRecordings() throws(UsageProblem) {
    guard let record, let found = try? FileSystem.names(in: record) else { return }
    guard !found.contains(where: { !$0.hasPrefix(".") }) else {
      throw .other("'--record' needs a new or empty folder here, as a replay plays one run; not empty: \(record)")
    }
  }
}

// MARK: - Values as typed

extension Invocation {
  /// Returns `--lang`, which is only about text; nil without the option.
  package func textLanguage(for format: some RawRepresentable<String>) throws(UsageProblem) -> Language? {
    let language: Language? = try choice(of: .textLanguage)
    if language != nil, format.rawValue != OutputFormat.text.rawValue {
      throw .conflict("--lang", "--format \(format.rawValue)")
    }
    return language
  }

  /// Returns `--timeout` in milliseconds: `5`, `2.5s`, `800ms`.
  ///
  /// - Parameters:
  ///   - seconds: the largest value.
  ///   - least: the smallest value, in milliseconds.
  package func timeout(atMost seconds: Int = 600, atLeast least: Int = 1) throws(UsageProblem) -> Int? {
    try value(of: .timeout, as: "seconds such as 5 or 0.8s, at most \(seconds)") { text in
      let isMilliseconds = text.hasSuffix("ms")
      let digits = isMilliseconds ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast(1) : text[...]
      let number = Decimal(String(digits)).map { isMilliseconds ? $0 : $0 * 1000 }
      let milliseconds = number.flatMap { Int($0.rounded(toPlaces: 0).shortest) }
      // 0 means more than a short time, so nothing is rounded to it.
      return milliseconds.flatMap { (least...seconds * 1000).contains($0) && ($0 > 0 || number == 0) ? $0 : nil }
    }
  }

  /// Returns which rows count for headlines: `--basis` and `--max-age`.
  package func headlineRule() throws(UsageProblem) -> HeadlineRule {
    var rule = HeadlineRule.standard
    rule.allowsAnyPriceBasis = value(of: .basis) == "any"
    if let age = try milliseconds(of: .maximumAge, such: "90s, 10m or 1h") { rule.maximumTradeAgeMilliseconds = age }
    return rule
  }

  /// Returns the columns of text and CSV in `--columns`; nil without the option.
  package func columns(
    of option: Option, among columns: [SnapshotColumn]
  ) throws(UsageProblem) -> [SnapshotColumn]? {
    let chosen = try choices(of: option, among: columns, mayRepeat: false, SnapshotColumn.init(named:))
    if chosen?.isEmpty == true { throw .other("missing column in '--columns'; write --columns exchange,price") }
    return chosen
  }

  /// Returns the exchanges in `--exchange`; nil without the option.
  fileprivate func exchangeNames() throws(UsageProblem) -> [String]? {
    guard has(.exchange) else { return nil }
    let names = values(of: .exchange).flatMap { $0.split(separator: ",") }.map(String.init)
    guard !names.isEmpty else { throw .other("missing exchange in '--exchange'; write --exchange A,B") }
    return names
  }
}

extension Option {
  package static func columns(_ columns: [SnapshotColumn]) -> Option {
    let names = columns.map(\.rawValue)
    return Option(
      "columns", value: "A,B", help: "show these columns, in text and CSV: " + names.joined(separator: ", "),
      kind: .list(.oneOf(names)), category: .output)
  }
}

/// A moment as typed.
package enum MomentText {
  /// Parses `03:00` as the next time a clock shows it; `2026-11-19` and `2026-11-19T03:00` by that clock as well,
  /// unless they have a zone. Returns nil for anything else.
  ///
  /// - Parameter offsetSeconds: the clock's offset from UTC.
  package static func parse(_ text: String, after now: Instant, offsetSeconds: Int) -> Instant? {
    guard let second = DayHours.seconds(text), second < DayHours.secondsPerDay else {
      return Instant.iso8601(text, defaultOffsetSeconds: offsetSeconds)
    }
    let clock = CivilTime(now, offsetSeconds: offsetSeconds)
    let wait = second - (clock.hour * 3600 + clock.minute * 60 + clock.second)
    let (sum, overflow) = now.nanoseconds.addingReportingOverflow(
      Int64(wait < 0 ? wait + DayHours.secondsPerDay : wait) * Instant.second - Int64(clock.nanosecond))
    return overflow ? nil : Instant(nanoseconds: sum)
  }

  /// Parses `12h` and `2d` as that long ago, `today` and `yesterday` as the midnight at which they began; dates and times
  /// as ISO 8601 has them. Returns nil for anything else.
  ///
  /// - Parameters:
  ///   - zone: the zone of times without one.
  ///   - days: the same for plain dates, and for days by name.
  package static func parse(
    _ text: String, before now: Instant, in zone: ClockZone, days: ClockZone
  ) -> Instant? {
    if let back = ["today", "yesterday"].firstIndex(of: text.lowercased()) {
      let civil = CivilTime(now, offsetSeconds: days.offsetSeconds)
      let time = civil.hour * 3600 + civil.minute * 60 + civil.second
      return now.advanced(by: .seconds(-time - back * 86_400) - .nanoseconds(civil.nanosecond))
    }
    if let milliseconds = DurationText.milliseconds(text) {
      // No market is a century old, and moments have an end.
      return milliseconds > 36_525 * 86_400_000 ? nil : now.advanced(by: .milliseconds(-milliseconds))
    }
    let isDate = !text.contains { "Tt ".contains($0) }
    return Instant.iso8601(text, defaultOffsetSeconds: (isDate ? days : zone).offsetSeconds)
  }
}

/// The currency names that a command accepts.
extension LoadedConfig {
  /// National currencies, and what else rate providers list: metals, special drawing rights of the IMF, bitcoin.
  package static let currencyCodes = FiatCurrency.codes.union([
    "BTC", "CLF", "GGP", "IMP", "JEP", "XAG", "XAU", "XDR", "XPD", "XPT",
  ])

  /// Returns the canonical name of a currency, ignoring case.
  ///
  /// - Throws: `UsageProblem` with the most likely correction if there is no such currency.
  package func canonicalCurrency(_ name: String) throws(UsageProblem) -> String {
    let code = canonicalPayment(name)
    let known = Self.currencyCodes.union(configuration.settings.dollarTokens)
    if known.contains(code) || configuredCurrencies.contains(code) { return code }
    let all = known.union(configuredCurrencies).sorted()
    // Codes have three letters, so one wrong letter or two swapped ones are a typo.
    let near = all.first { $0.count == code.count && Spelling.distance($0, code) == 1 }
    let hint = (near ?? Spelling.suggestion(for: code, among: all)).map { "; did you mean '\($0)'?" } ?? ""
    throw .other("unknown currency '\(name)'\(hint)")
  }

  /// The currencies named by a route or a provider of the config.
  private var configuredCurrencies: Set<String> {
    var names = Set(configuration.routes.flatMap { [$0.pattern.asset, $0.pattern.payment, $0.via] }.compactMap(\.self))
    for pattern in configuration.providerNames.flatMap({ configuration.readProvider($0).provider?.pairs ?? [] }) {
      names.formUnion([pattern.asset, pattern.payment].compactMap(\.self))
    }
    return names
  }
}
