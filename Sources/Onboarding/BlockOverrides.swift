import Config
import Inference
import JSON
import Quotes

/// The block keys given on the command line with `--set KEY=JSON`.
///
///     rows=$.data[*]                                 // a hint: used by the inference, checked against the sample
///     fields.high=$.hi  fields.low=null              // the same; null leaves a field out
///     fields.changePricePercent24.basis=utcDay
///     success={"where":[{"path":"$.code","equals":0}]}   // merged into the block
struct BlockOverrides {
  private var keys: [(path: [String], value: ConfigValue)] = []
  /// All of them, hints included: a stream has no others.
  private var given: [(path: [String], value: ConfigValue)] = []
  /// A path, or the text of a `zip`.
  private(set) var rows: String?
  /// The paths of fields, relative to the row.
  private(set) var paths: [Role: String] = [:]
  /// The fields to leave out.
  private(set) var excluded: Set<Role> = []
  /// The fully specified fields, about which there is nothing to ask.
  private(set) var whole: Set<Role> = []
  private(set) var changeBasis: ChangeBasis?
  private(set) var changeScale: Decimal?
  private(set) var priceBasis: PriceBasis?
  private(set) var timeForm: TimeRole.Form?

  init(_ texts: [String]) throws(OnboardingProblem) {
    for text in texts {
      guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
        throw Self.problem(text, "KEY=JSON, such as docs=https://…")
      }
      let path = text[..<sign].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard path.allSatisfy({ !$0.isEmpty }) else { throw Self.problem(text, "names with '.' between them") }
      let value = Self.value(String(text[text.index(after: sign)...]))
      given.append((path, value))
      if try !takeHint(path, value, text) { keys.append((path, value)) }
    }
  }

  /// Takes a key if the inference needs and writes it; returns whether it does.
  private mutating func takeHint(
    _ path: [String], _ value: ConfigValue, _ text: String
  ) throws(OnboardingProblem) -> Bool {
    if path == ["rows"] {
      if case .text(let rows) = value { self.rows = try Self.path(rows, text) }
      if value["zip"] != nil { rows = value.text(lead: 0) }
      if rows != nil { return true }
    }
    guard path.count >= 2, path[0] == "fields", let role = Role.allCases.first(where: { $0.field.rawValue == path[1] })
    else { return false }
    switch (path.count, value) {
    case (2, .text(let place)): paths[role] = try Self.path(place, text)
    case (2, .null): excluded.insert(role)
    case (2, .object):
      whole.insert(role)
      if case .text(let place)? = value["path"], value["from"] == nil { paths[role] = try Self.path(place, text) }
      return false
    case (3, .text(let word)) where role == .change && path[2] == "basis":
      guard let basis = ChangeBasis(rawValue: word) else {
        throw Self.problem(text, ChangeBasis.allCases.map(\.rawValue).listed("or"))
      }
      changeBasis = basis
    case (3, .text(let word)) where role == .price && path[2] == "basis":
      guard let basis = PriceBasis(rawValue: word) else {
        throw Self.problem(text, PriceBasis.allCases.map(\.rawValue).listed("or"))
      }
      priceBasis = basis
      return false
    case (3, .number(let number)) where role == .change && path[2] == "scale":
      guard let scale = Decimal(number), scale > 0 else { throw Self.problem(text, "a number above zero") }
      changeScale = scale
    case (3, .text(let word)) where role == .time && path[2] == "unit":
      guard
        let form: TimeRole.Form = word == "iso8601"
          ? .iso8601(saysZone: true) : TimeUnit(rawValue: word).map({ .unit($0) })
      else { return false }
      timeForm = form
    default: return false
    }
    return true
  }

  private static func path(_ path: String, _ text: String) throws(OnboardingProblem) -> String {
    guard SampleHints.isPath(path) else { throw problem(text, "a JSONPath such as $.last") }
    return path
  }

  private static func problem(_ text: String, _ expected: String) -> OnboardingProblem {
    .invalidValue(option: "--set", value: text, expected: expected)
  }

  /// Returns the text as JSON, or else as a string.
  private static func value(_ text: String) -> ConfigValue {
    (try? JSONDocument(parsing: Array(text.utf8))).map { ConfigValue($0.root) } ?? .text(text)
  }

  /// Whether they specify how a row names its pair.
  var givesSymbol: Bool { keys.contains { $0.path.contains("symbol") } }

  /// The symbol as given, for a rule of its own or a key of one; nil if it is to be inferred.
  var symbol: ConfigValue? {
    var whole = ConfigValue.object([])
    for key in keys {
      guard let place = key.path.firstIndex(of: "symbol") else { continue }
      whole.set(key.path[place...], to: key.value)
    }
    return whole["symbol"]
  }

  /// Returns whether a key, or part of it, is given.
  func gives(_ path: [String]) -> Bool { keys.contains { $0.path.starts(with: path) } }

  /// Returns whether they say which unit a field counts.
  func givesUnit(of role: Role) -> Bool {
    let path = ["fields", role.field.rawValue]
    return ["scale", "decimals"].contains { name in
      gives(path + [name]) || keys.contains { $0.path == path && $0.value[name] != nil }
    }
  }

  /// The lookups that they add, in the order of the command line.
  var lookupNames: [String] {
    var names: [String] = []
    for key in keys {
      guard let place = key.path.firstIndex(of: "lookups") else { continue }
      if let name = key.path[(place + 1)...].first {
        names.append(name)
      } else {
        for member in key.value.members ?? [] { names.append(member.name) }
      }
    }
    return names.unique
  }

  /// Whether they list the payment currencies.
  var givesPayments: Bool { keys.contains { $0.path.contains("paymentCurrencies") } }

  /// The conditions that rows must meet.
  var conditions: [ConfigValue] {
    guard case .list(let conditions)? = keys.last(where: { Self.isOfRows($0.path) })?.value else { return [] }
    return conditions
  }

  /// Returns whether a path is that of the conditions of ticker rows: on the exchange, a market, or its table.
  private static func isOfRows(_ path: [String]) -> Bool {
    guard path.last == "where" else { return false }
    let levels = path.dropLast()
    return levels.isEmpty
      || levels.first == "markets" && (levels.count == 2 || levels.count == 3 && levels[2] == "tickers")
  }

  /// The exchange's names of currencies, and what they stand for in uppercase.
  var aliases: [String: String] {
    let given = keys.last { $0.path == ["aliases"] }?.value.members ?? []
    let pairs = given.compactMap { member -> (String, String)? in
      guard case .text(let name) = member.value else { return nil }
      return (member.name.uppercased(), name.uppercased())
    }
    return Dictionary(pairs) { $1 }
  }

  /// Returns the block with the keys applied.
  ///
  /// - Parameter table: The path from the exchange to the level where the keys of a table take effect.
  func overriding(_ block: ConfigValue, table: [String] = []) -> ConfigValue {
    var block = block
    for key in keys {
      let isOfTable = Self.tableKeys.contains(key.path[0])
      let path = isOfTable ? table + key.path : key.path
      block.expandPaths(above: path)
      block.set(path[...], to: key.value, order: Self.order)
    }
    return block
  }

  // MARK: Streams

  /// Whether they are all of `streams`, and so say what no answer shows.
  var areOfStreams: Bool { !given.isEmpty && given.allSatisfy { $0.path[0] == "streams" } }

  /// Whether they say what the price is.
  var givePrice: Bool { paths[.price] != nil || whole.contains(.price) }

  /// The fields of rows that are given as a whole; null is for those that are not there.
  var streamFields: [(name: String, value: ConfigValue)] {
    given.compactMap { key in
      guard key.path.suffix(2).first == "fields", key.path.count >= 2, let name = key.path.last else { return nil }
      return (name: name, value: key.value)
    }
  }

  /// Returns the block of `streams` with the keys applied: below the channel, unless they begin with `streams`.
  ///
  /// - Parameter channel: nil if they all do.
  func overriding(streams block: ConfigValue, of channel: StreamChannel?) -> ConfigValue {
    var block = block
    for key in given {
      let path: [String]
      if key.path[0] == "streams" {
        path = Array(key.path.dropFirst())
      } else if let channel, key.path[0] != channel.rawValue || key.path.count == 1 {
        path = [channel.rawValue] + key.path
      } else {
        path = key.path
      }
      block.expandPaths(above: path)
      block.set(path[...], to: key.value)
    }
    return block
  }

  private static let tableKeys: Set = [
    "limit", "staleAfter", "hook", "success", "where", "symbol", "aliases", "multiplier", "fields", "lookups",
    "paymentCurrencies",
  ]

  /// The order in the shipped config.
  private static let order = [
    "like", "enabled", "names", "badge", "docs", "note", "verified", "baseUrls", "headers", "limit", "takerFee",
    "refresh", "staleAfter", "hook", "success", "rows", "where", "symbol", "aliases", "multiplier", "fields", "lookups",
    "markets",
  ]
}

extension ConfigValue {
  /// Writes a value that is only its path as an object, so that a key for it joins the path instead of replacing it.
  fileprivate mutating func expandPaths(above path: [String]) {
    for length in path.indices.dropFirst() where !(ValueSpec.operations + ["zip"]).contains(path[length]) {
      guard case .text(let place)? = self[Array(path[..<length])], SampleHints.isPath(place) else { continue }
      // The text of a side of a book is where its levels are.
      let key = ["bids", "asks"].contains(path[length - 1]) ? "rows" : "path"
      set(path[..<length], to: .object([(key, .text(place))]))
    }
  }
}
