import Config
import JSONPath
import Quotes

/// A table's symbol rules with the payment currencies sorted for the longest match.
struct SymbolPlan: Sendable {
  /// A class, because every row looks at the rules, and a reference is cheaper to pass around than their texts.
  final class Rule: Sendable {
    let spec: SymbolSpec.Rule
    let asset: ValuePlan?
    let payment: ValuePlan?

    init(_ spec: SymbolSpec.Rule, asset: ValuePlan?, payment: ValuePlan?) {
      self.spec = spec
      self.asset = asset
      self.payment = payment
    }

    /// Whether all that it does is to cut at the payment currency.
    var isPlainPayment: Bool {
      guard case .payment? = spec.split, spec.prefix == nil, spec.suffix == nil else { return false }
      return asset == nil && payment == nil && !spec.skip
    }
  }

  /// A payment currency of the config.
  struct Currency: Sendable {
    /// As the config, and so the exchange, spells it.
    let spelling: String
    let group: String
    let rank: Int
  }

  /// The end of a symbol that a payment currency makes: its place in `endingBytes`, in upper case.
  struct Ending: Sendable {
    let start: Int
    let count: Int
    let last: UInt8
    let currency: Int

    var group: Int { Int(last & 31) }
  }

  /// True where every row is of the pair that was asked for.
  private(set) var isRequest = true
  private(set) var text: ValuePlan?
  /// The number of a path that leads to the symbol as it stands; nil where more has to be done.
  private(set) var plainPath: Int?
  private(set) var rules: [Rule] = []
  /// In the order of the config.
  private(set) var currencies: [Currency] = []
  /// Of the currencies, grouped by the low five bits of their last letter, in each group the longest first.
  private(set) var endings: [Ending] = []
  /// Where each of the 32 groups of endings begins, and where the last one ends.
  private(set) var endingStarts = [Int](repeating: 0, count: 33)
  private(set) var endingBytes: [UInt8] = []
  /// What `set` names as the product; futures only.
  private(set) var product: String?
  private(set) var usesProducts = false
  /// `BTC` for the exchange's `XBT`.
  private(set) var aliases: [String: String] = [:]
  /// The exchange's name of a currency, by the name that it leads to: the first of the aliases.
  private(set) var spellings: [String: String] = [:]
  /// Longest mark first.
  private(set) var multipliers: [Multiplier] = []

  /// Says nothing: for records that name no pair.
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
    for (rank, group) in spec.paymentCurrencies.enumerated() {
      for spelling in group.currencies {
        list.append(Currency(spelling: spelling, group: group.name, rank: rank))
      }
    }
    currencies = list
    (endings, endingBytes) = Self.endings(of: list)
    let groups = endings.map(\.group)
    endingStarts = (0...32).map { group in groups.firstIndex { $0 >= group } ?? groups.count }
    usesProducts = market == .futures
    product = spec.set.first { $0.name == "product" }?.value ?? spec.set.first?.value
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
