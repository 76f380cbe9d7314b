import Config
import JSONPath
import Quotes

/// A table's symbol rules, with the payment currencies sorted for the longest match.
struct SymbolPlan: Sendable {
  /// A class because every row uses the rules, and a reference is cheaper to pass around than their strings.
  final class Rule: Sendable {
    let spec: SymbolSpec.Rule
    let asset: ValuePlan?
    let payment: ValuePlan?

    init(_ spec: SymbolSpec.Rule, asset: ValuePlan?, payment: ValuePlan?) {
      self.spec = spec
      self.asset = asset
      self.payment = payment
    }

    /// Whether it only splits at the payment currency.
    var isPlainPayment: Bool {
      guard case .payment? = spec.split, spec.prefix == nil, spec.suffix == nil else { return false }
      return asset == nil && payment == nil && !spec.skip
    }
  }

  /// A payment currency of the config.
  struct Currency: Sendable {
    /// As spelled in the config, and so by the exchange.
    let spelling: String
    let group: String
    /// The rank of its rows that the first rule splits.
    let rank: ProductRank
  }

  /// A symbol ending formed by a payment currency: its range in `endingBytes`, in uppercase.
  struct Ending: Sendable {
    let start: Int
    let count: Int
    let last: UInt8
    let currency: Int

    var group: Int { Int(last & 31) }
  }

  /// Whether every row belongs to the requested pair.
  private(set) var isRequest = true
  private(set) var text: ValuePlan?
  /// The number of a path that leads to the unmodified symbol; nil if more is needed.
  private(set) var plainPath: Int?
  private(set) var rules: [Rule] = []
  /// In config order.
  private(set) var currencies: [Currency] = []
  /// The endings of the currencies, grouped by the low five bits of their last letter, longest first within a group.
  private(set) var endings: [Ending] = []
  /// The start of each of the 32 groups of endings, and the end of the last one.
  private(set) var endingStarts = [Int](repeating: 0, count: 33)
  private(set) var endingBytes: [UInt8] = []
  /// The product named by `set`; futures only.
  private(set) var product: String?
  private(set) var usesProducts = false
  /// `BTC` for the exchange's `XBT`.
  private(set) var aliases: [String: String] = [:]
  /// The exchange's name of a currency, by canonical name: the first of the aliases.
  private(set) var spellings: [String: String] = [:]
  /// Longest mark first.
  private(set) var multipliers: [Multiplier] = []

  /// Creates an empty plan, for records that name no pair.
  init() {}

  init(_ spec: TableSpec, market: Market?, _ compiler: inout ValueCompiler) {
    if case .rules(let value, let list) = spec.symbol {
      isRequest = false
      text = value.map { compiler.value($0) }
      rules = list.map { rule in
        Rule(
          rule, asset: rule.asset.map { compiler.value($0) }, payment: rule.payment.map { compiler.value($0) })
      }
    }
    if let plain = text.flatMap({ PlainText($0) }) {
      plainPath = plain.path
    }
    var list: [Currency] = []
    for (index, group) in spec.paymentCurrencies.enumerated() {
      for spelling in group.currencies {
        list.append(Currency(spelling: spelling, group: group.name, rank: ProductRank(group: index)))
      }
    }
    currencies = list
    (endings, endingBytes) = Self.endings(of: list)
    let groups = endings.map(\.group)
    endingStarts = (0...32).map { group in groups.firstIndex { $0 >= group } ?? groups.count }
    usesProducts = market == .futures
    product = spec.product
    aliases = Dictionary(spec.aliases.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    spellings = Dictionary(spec.aliases.map { ($0.to, $0.from) }, uniquingKeysWith: { first, _ in first })
    multipliers = spec.multipliers.sorted { $0.mark.utf8.count > $1.mark.utf8.count }
  }

  private static func endings(of currencies: [Currency]) -> ([Ending], [UInt8]) {
    var bytes: [UInt8] = []
    var endings: [Ending] = []
    for (index, currency) in currencies.enumerated() {
      let upper = Array(currency.spelling.uppercased().utf8)
      guard let last = upper.last else { continue }
      endings.append(Ending(start: bytes.count, count: upper.count, last: last, currency: index))
      bytes += upper
    }
    return (endings.sorted { ($0.group, -$0.count) < ($1.group, -$1.count) }, bytes)
  }
}
