import Config
import Inference
import JSON
import Quotes

/// The keys of a block that the command line gives and no sample can tell. They are laid over the block, whichever way it
/// came about.
struct GivenKeys {
  private struct Key {
    /// Below the exchange, or below its table.
    let path: [String]
    let value: ConfigValue
    /// A key of the table: it stands where the table's other keys do.
    let isOfTable: Bool
  }

  private var keys: [Key] = []
  /// Texts that mean no value, in every field that is a number.
  private(set) var missing: [String] = []
  /// Groups of payment currencies by name.
  private(set) var groups: [(name: String, currencies: [String])] = []
  /// Of the request for one pair: the path, or the whole address.
  private(set) var ticker: String?
  private(set) var tickerRows: String?
  /// What the request counts.
  private var cost: Int?

  init(_ invocation: Invocation) throws(UsageProblem) {
    try readJudging(invocation)
    try readExchange(invocation)
    missing = invocation.values(of: Self.missing)
    ticker = invocation.value(of: Self.ticker)
    if let path = invocation.value(of: Self.tickerRows) {
      guard SampleHints.isPath(path) else { throw Self.problem(Self.tickerRows, path, "a JSONPath such as $.data[0]") }
      guard ticker != nil else { throw .other("--ticker-rows says where the answer to --ticker has its row") }
      tickerRows = path
    }
    for text in invocation.values(of: AddingOptions.payment) {
      guard let (name, list) = Self.halves(text) else { continue }
      groups.append((name, AddingOptions.payments(in: list)))
    }
    if let text = invocation.value(of: Self.cost) {
      guard let number = Int(text), (0...100_000).contains(number) else {
        throw Self.problem(Self.cost, text, "a whole number from 0 to 100000")
      }
      cost = number
    }
    // The last word is that of whoever writes the JSON.
    for text in invocation.values(of: Self.set) {
      guard let (name, json) = Self.halves(text) else { throw Self.problem(Self.set, text, "KEY=JSON, such as docs=…") }
      let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard path.allSatisfy({ !$0.isEmpty }) else { throw Self.problem(Self.set, text, "names with '.' between them") }
      keys.append(Key(path: path, value: Self.value(json), isOfTable: false))
    }
  }

  // MARK: Reading

  private mutating func readJudging(_ invocation: Invocation) throws(UsageProblem) {
    try addList(["where"], conditions(of: Self.condition, invocation))
    try addList(["success", "where"], conditions(of: Self.success, invocation))
    if let path = invocation.value(of: Self.code) {
      try addOfTable(["success", "code"], .text(Self.path(path, Self.code)))
    }
    var messages: [ConfigValue] = []
    for path in invocation.values(of: Self.message) { messages.append(.text(try Self.path(path, Self.message))) }
    if !messages.isEmpty { addOfTable(["success", "message"], .list(messages)) }
    try addList(["success", "unlisted"], conditions(of: Self.unlisted, invocation))
    try addMap("aliases", Self.alias, invocation) { .text($0) }
    try addMap("multiplier", Self.multiplier, invocation) { .raw($0) }
  }

  private mutating func readExchange(_ invocation: Invocation) throws(UsageProblem) {
    func list(_ text: String) -> ConfigValue {
      .list(text.split(separator: ",").map { .text(Questioner.trimmed(String($0))) })
    }
    if invocation.has(Self.disabled) { add(["enabled"], .raw("false")) }
    let names = invocation.values(of: Self.names)
    if !names.isEmpty { add(["names"], list(names.joined(separator: ","))) }
    let texts = [
      (Self.badge, "badge"), (Self.documentation, "docs"), (Self.note, "note"), (Self.verified, "verified"),
      (Self.refresh, "refresh"), (Self.staleAfter, "staleAfter"), (Self.hook, "hook"),
    ]
    for (option, key) in texts { if let text = invocation.value(of: option) { add([key], .text(text)) } }
    if let text = invocation.value(of: Self.limit) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let requests = Int(parts[0]), let unit = parts[1].first else {
        throw Self.problem(Self.limit, text, "requests and a time, such as 20/1s")
      }
      let time = unit.isNumber ? parts[1] : "1" + parts[1]
      addOfTable(["limit"], .object([("requests", .raw(String(requests))), ("per", .text(time))]))
    }
    guard let text = invocation.value(of: Self.takerFee) else { return }
    if text.contains("=") {
      try addMap("takerFee", Self.takerFee, invocation) { Self.number($0) ? .raw($0) : .text($0) }
    } else {
      guard Self.number(text) else { throw Self.problem(Self.takerFee, text, "a number, or KRW=0.05,*=0.25") }
      add(["takerFee"], .raw(text))
    }
  }

  private func conditions(of option: Option, _ invocation: Invocation) throws(UsageProblem) -> [ConfigValue] {
    var values: [ConfigValue] = []
    for text in invocation.values(of: option) {
      guard let condition = ConditionText(text) else {
        throw Self.problem(option, text, "a condition such as '$.state=live', '$.price>0', '$.error is absent'")
      }
      values.append(condition.value)
    }
    return values
  }

  private mutating func addList(_ path: [String], _ values: [ConfigValue]) {
    if !values.isEmpty { addOfTable(path, .list(values)) }
  }

  private mutating func add(_ path: [String], _ value: ConfigValue) {
    keys.append(Key(path: path, value: value, isOfTable: path == ["hook"] || path == ["staleAfter"]))
  }

  private mutating func addOfTable(_ path: [String], _ value: ConfigValue) {
    keys.append(Key(path: path, value: value, isOfTable: true))
  }

  /// `A=B,C=D`, the option once or more often.
  private mutating func addMap(
    _ key: String, _ option: Option, _ invocation: Invocation, _ value: (String) -> ConfigValue
  ) throws(UsageProblem) {
    var members: [(name: String, value: ConfigValue)] = []
    for text in invocation.values(of: option) {
      for item in text.split(separator: ",") {
        guard let (name, text) = Self.halves(String(item)), !text.isEmpty else {
          throw Self.problem(option, text, "NAME=VALUE, with commas between several")
        }
        if key == "multiplier", !Self.number(text) { throw Self.problem(option, String(item), "1000=1000") }
        members.append((name, value(text)))
      }
    }
    if !members.isEmpty { keys.append(Key(path: [key], value: .object(members), isOfTable: key != "takerFee")) }
  }

  private static func halves(_ text: String) -> (String, String)? {
    guard let sign = text.firstIndex(of: "="), sign != text.startIndex else { return nil }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }

  private static func number(_ text: String) -> Bool {
    (try? JSONDocument(parsing: Array(text.utf8)))?.root.kind == .number
  }

  /// JSON, or else a text.
  private static func value(_ text: String) -> ConfigValue {
    (try? JSONDocument(parsing: Array(text.utf8))).map { ConfigValue($0.root) } ?? .text(text)
  }

  private static func path(_ text: String, _ option: Option) throws(UsageProblem) -> String {
    guard SampleHints.isPath(text) else { throw problem(option, text, "a JSONPath such as $.code") }
    return text
  }

  private static func problem(_ option: Option, _ text: String, _ valid: String) -> UsageProblem {
    .invalidValue(option: option.spelling, value: text, valid: [valid])
  }

  /// Names of currencies as the exchange writes them, and what they stand for, in capitals.
  var aliases: [String: String] {
    let given = keys.last { $0.path == ["aliases"] }?.value.members ?? []
    let pairs = given.compactMap { member -> (String, String)? in
      guard case .text(let name) = member.value else { return nil }
      return (member.name.uppercased(), name.uppercased())
    }
    return Dictionary(pairs) { $1 }
  }

  // MARK: Writing

  /// How one pair is asked for; nil where that is not said.
  func tickerBlock() throws(UsageProblem) -> ConfigValue? {
    guard let ticker else { return nil }
    // The host is that of the table of all.
    let url = ticker.contains("://") ? ticker : "https://host" + (ticker.hasPrefix("/") ? "" : "/") + ticker
    let request = try ExchangeRequest(SampleRequest(url: url), keepsTemplates: true)
    guard request.secrets.isEmpty else {
      throw .other("a secret in --ticker is written as {secret:name}; it is filled from credentials.json")
    }
    guard request.isAboutPair else {
      throw .other("--ticker asks for one pair: write {asset} and {payment} where it names the pair")
    }
    let rows: [(name: String, value: ConfigValue)] = tickerRows.map { [("rows", .text($0))] } ?? []
    return .object([("request", ExchangeBlock.value(of: request.block))] + rows)
  }

  /// The block with the keys in it.
  ///
  /// - Parameters:
  ///   - table: the way from the exchange to the level that the keys of the table stand on.
  ///   - inherited: the fields that the block has from elsewhere.
  func laid(
    over block: ConfigValue, market: Market, table: [String] = [],
    inherited: [(name: String, value: ConfigValue)] = []
  ) -> ConfigValue {
    var block = block
    if !groups.isEmpty { addGroups(to: &block, market) }
    if let cost {
      let kind = block[["markets", market.rawValue, "tickers"]] == nil ? "ticker" : "tickers"
      block.set(["markets", market.rawValue, kind, "request", "cost"], to: .raw(String(cost)))
    }
    addMissing(to: &block, table, inherited)
    for key in keys {
      block.set((key.isOfTable ? table + key.path : key.path)[...], to: key.value, order: Self.order)
    }
    return block
  }

  /// The groups that are given, and of the others what those leave.
  private func addGroups(to block: inout ConfigValue, _ market: Market) {
    let path = ["markets", market.rawValue, "paymentCurrencies"]
    let taken = Set(groups.flatMap(\.currencies))
    var members: [(name: String, value: ConfigValue)] = []
    for (name, value) in block[path]?.members ?? [] {
      guard case .list(let currencies) = value else { continue }
      let rest = currencies.filter { if case .text(let text) = $0 { !taken.contains(text) } else { true } }
      if !rest.isEmpty, !groups.contains(where: { $0.name == name }) { members.append((name, .list(rest))) }
    }
    members += groups.map { ($0.name, .list($0.currencies.map { .text($0) })) }
    block.set(path[...], to: .object(members), order: Self.order)
  }

  private func addMissing(
    to block: inout ConfigValue, _ table: [String], _ inherited: [(name: String, value: ConfigValue)]
  ) {
    guard !missing.isEmpty else { return }
    var fields = block[table + ["fields"]]?.members ?? []
    fields += inherited.filter { field in !fields.contains { $0.name == field.name } }
    for (name, value) in fields where name != TickerField.time.rawValue {
      var members: [(name: String, value: ConfigValue)]
      switch value {
      case .text(let path): members = [("path", .text(path))]
      case .object(let own): members = own
      default: continue
      }
      var texts = ValueSpec.defaultMissing
      if let index = members.firstIndex(where: { $0.name == "missing" }) {
        if case .list(let own) = members.remove(at: index).value {
          texts = own.compactMap { if case .text(let text) = $0 { text } else { nil } }
        }
      }
      texts += missing.filter { !texts.contains($0) }
      // The path first, then what is done to it.
      let place = members.firstIndex { $0.name == "scale" || $0.name == "basis" } ?? members.count
      members.insert(("missing", .list(texts.map { .text($0) })), at: place)
      block.set((table + ["fields", name])[...], to: .object(members), order: Self.order)
    }
  }

  /// As the shipped config has them.
  private static let order = [
    "like", "enabled", "names", "badge", "docs", "note", "verified", "baseUrls", "headers", "limit", "takerFee",
    "refresh", "staleAfter", "hook", "success", "rows", "where", "symbol", "aliases", "multiplier", "fields", "lookups",
    "markets",
  ]
}
