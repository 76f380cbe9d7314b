import Catalog
import Quotes

/// The options of `add-exchange`, read.
struct AddingOptions {
  let pair: Pair?
  let market: Market
  /// Paths that the user gives; `-` leaves a role out.
  let paths: [Role: String]
  let basis: ChangeBasis?
  let changeUnit: String?

  static let symbol = Option(
    "symbol", value: "ASSET/PAYMENT", help: "a pair that is in the sample, or that it is about")
  static let baseURL = Option("base-url", value: "URL", help: "where the venue answers: https://api.example.com")
  static let tickers = Option(
    "tickers", value: "PATH", help: "the path of the answer, with its query; or the whole address")
  static let market = Option(
    "market", short: "m", value: "MARKET", help: "what the sample is a table of", default: Market.spot.rawValue,
    choices: Market.allCases.map(\.rawValue))
  static let basis = Option(
    "basis", value: "BASIS", help: "what the change is measured from",
    choices: ChangeBasis.allCases.map(\.rawValue))
  static let unit = Option("change-unit", value: "UNIT", help: "what the change counts", choices: ["percent", "ratio"])
  static let places = Role.allCases.filter { $0 != .time }.map { role in
    Option(name(of: role), value: "PATH", help: "where the \(role.rawValue) of a row stands; '-' leaves it out")
  }

  static let all = [symbol, baseURL, tickers, market, basis, unit] + places

  static func name(of role: Role) -> String { role.rawValue }

  init(_ invocation: Invocation) throws {
    pair = try invocation.value(of: Self.symbol).map { try Self.pair($0) }
    market = try invocation.choice(of: Self.market, as: Market.self) ?? .spot
    basis = try invocation.choice(of: Self.basis, as: ChangeBasis.self)
    changeUnit = invocation.value(of: Self.unit)
    var paths: [Role: String] = [:]
    for role in Role.allCases where role != .time {
      guard let option = Self.places.first(where: { $0.name == Self.name(of: role) }) else { continue }
      paths[role] = invocation.value(of: option)
    }
    self.paths = paths
  }

  private static func pair(_ text: String) throws(UsageProblem) -> Pair {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw .invalidValue(option: symbol.spelling, value: text, valid: ["a pair such as BTC/KRW"])
    }
    return Pair(asset: parts[0].uppercased(), payment: parts[1].uppercased())
  }
}
