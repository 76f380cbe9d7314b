import Config
import Quotes

/// What one market of an exchange can give, by its config.
struct MarketAbilities: Hashable {
  /// How a figure is had.
  enum Offer: String, Hashable {
    case yes
    /// From other figures of the same row.
    case computed
    /// By a second request, which is made only where the figure is wanted.
    case apart
    case notOffered = "not-offered"

    /// As a cell of the matrix.
    var word: String { self == .notOffered ? "-" : rawValue }
  }

  let isEnabled: Bool
  /// Whether a single pair can be asked for, rather than found in the table of all.
  let hasOnePair: Bool
  /// nil: the exchange sends no change.
  let change: ChangeBasis?
  let bidAsk: Offer
  let volume: Offer
  let turnover: Offer
  let time: Offer
  let limit: LimitSpec?
  /// The day of the recorded answer with all pairs that passed the checks; nil: written from documents.
  let verified: String?
  /// The same for the answer with one pair.
  let verifiedOnePair: String?

  init(_ exchange: Exchange, _ market: ExchangeMarket) {
    let table = market.tickers.first ?? market.ticker.first
    isEnabled = exchange.isEnabled && market.isEnabled
    hasOnePair = !market.ticker.isEmpty
    change = table?.fields[TickerField.changePricePercent24.rawValue]?.basis.flatMap { ChangeBasis(rawValue: $0) }
    bidAsk = Self.offer(of: .bid, in: table)
    volume = Self.offer(of: .volume24, in: table)
    turnover = Self.offer(of: .turnover24, in: table)
    time = Self.offer(of: .time, in: table)
    limit = table?.limit
    verified = market.tickers.compactMap(\.verified).min()
    verifiedOnePair = market.ticker.compactMap(\.verified).min()
  }

  private static func offer(of field: TickerField, in table: TableSpec?) -> Offer {
    guard let table, let value = table.fields[field.rawValue] else { return .notOffered }
    if table.lookups.contains(where: { value.lookupNames.contains($0.name) && $0.timeToLiveSeconds == 0 }) {
      return .apart
    }
    switch value.origin {
    case .product, .sum, .quotient, .difference: return .computed
    default: return .yes
    }
  }

  /// `24h`, `UTC day`; `-` where there is no change.
  var changeWord: String { change.map { $0.label ?? "24h" } ?? "-" }

  /// `20 in 1s`; `-` where no limit is known.
  var limitWord: String {
    guard let limit else { return "-" }
    let window = limit.perMilliseconds
    let text =
      window % 60_000 == 0 ? "\(window / 60_000)m" : window % 1000 == 0 ? "\(window / 1000)s" : "\(window)ms"
    return "\(limit.requests) in \(text)"
  }
}
