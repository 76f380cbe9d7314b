import Config
import HTTP
import Hooks
import Mapping
import Quotes
import TestSupport
import Testing

/// A recorded order book, trades or candles of a shipped exchange, as described by the index of the corpora.
struct RecordedBlock: Sendable, CustomTestStringConvertible {
  let exchange: String
  let kind: BlockKind
  let market: String
  /// `A` is recorded, `B` recorded and then cut or rewritten, `C` a sample from documentation.
  let tier: String
  let file: String
  /// The request; nil if the recorder did not keep it.
  let request: RecordedRequest?
  /// The interval named by the index, if any.
  let interval: String?

  var testDescription: String { file }
  var name: String { file.split(separator: "/").dropFirst().joined(separator: "/") }
  var isFromExchange: Bool { tier != "C" }

  func bytes() throws -> [UInt8] { try Project.bytes("\(SharedCorpora.root ?? "")/recordings/\(file)") }

  /// All index entries of shipped exchanges, without socket messages, which are of another kind; empty if the corpora
  /// are absent.
  static let all: [RecordedBlock] = {
    guard let root = SharedCorpora.root, let data = try? Project.bytes("\(root)/recordings/INDEX.tsv") else {
      return []
    }
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count > 11 else { return nil }
      let words = columns[1].split(separator: "-", maxSplits: 1).map(String.init)
      guard let kind = BlockKind(rawValue: words[0]) else { return nil }
      let block = RecordedBlock(
        exchange: columns[0], kind: kind, market: columns[2], tier: columns[3], file: columns[4],
        request: RecordedRequest(columns[11]), interval: words.dropFirst().first)
      return block.shipped.isEmpty ? nil : block
    }
  }()

  /// The exchange's markets, whatever the recorder called the market; the recorded one first.
  var shipped: [ShippedMarket] {
    let names = RecordedBody.shippedNames(of: exchange)
    let wanted = market.split(separator: "-").first.map(String.init) ?? ""
    let markets = ShippedConfig.markets.filter { names.contains($0.exchange.name) }
    return markets.filter { $0.market.market.rawValue == wanted }
      + markets.filter { $0.market.market.rawValue != wanted }
  }

  // MARK: The pair

  /// The possible pair names in the request, like `BTC_USDT`, `XBTUSDTM` or `tBTCUSD`.
  private var words: [String] {
    guard let request else { return [] }
    let queried = [
      "symbol", "pair", "market", "instId", "contract", "currency_pair", "contract_code", "symbol", "code",
    ]
    return queried.compactMap { request.query[$0] } + request.path.split(separator: "/").reversed().map(String.init)
  }

  private static let payments = ["USDT", "USDC", "USD", "BTC", "ETH", "KRW", "EUR", "DAI", "UST", "BUSD", "XBT", "ZAR"]

  /// The requested pair, as far as its name can be split; bitcoin if the recorder did not keep the request.
  var spelling: PairSpelling {
    for word in words {
      // Bitfinex puts a lowercase t before the pair.
      let text = word.first == "t" && word.dropFirst().allSatisfy(\.isUppercase) ? String(word.dropFirst()) : word
      let upper = text.uppercased()
      for payment in Self.payments {
        for sign in ["", "_", "-", "/"] {
          if let range = upper.firstRange(of: sign + payment), range.lowerBound > upper.startIndex {
            let asset = upper[..<range.lowerBound].split { !$0.isLetter && !$0.isNumber }.last.map(String.init) ?? ""
            if (2...8).contains(asset.count) { return PairSpelling(asset: asset, payment: payment, symbol: word) }
          }
        }
      }
    }
    return PairSpelling(asset: "BTC", payment: market.hasSuffix("coinm") ? "USD" : "USDT", symbol: symbolOfNone)
  }

  /// OKX's name for the pair in most of its recordings without a request.
  private var symbolOfNone: String? {
    switch market {
    case "futures-usdtm": "BTC-USDT-SWAP"
    case "futures-coinm": "BTC-USD-SWAP"
    default: nil
    }
  }

  // MARK: The blocks

  /// A block that may have been requested.
  enum Block: Sendable {
    case orderbook(BookSpec)
    case trades(TableSpec)
    case candles(CandleSpec.Interval)

    var table: TableSpec {
      switch self {
      case .orderbook(let spec): spec.table
      case .trades(let table): table
      case .candles(let spec): spec.table
      }
    }
  }

  /// The blocks of its kind, those of the recorded market first, then by matching currency.
  var blocks: [(market: ShippedMarket, block: Block)] {
    let payment = spelling.payment
    return shipped.flatMap { shipped -> [(market: ShippedMarket, block: Block)] in
      let blocks: [Block] =
        switch kind {
        case .orderbook: shipped.market.orderbooks.map { .orderbook($0) }
        case .trades: shipped.market.trades.map { .trades($0) }
        case .candles: shipped.market.candles.flatMap { $0.intervals.map { .candles($0) } }
        }
      func holds(_ block: Block) -> Bool {
        block.table.canHold(payment: payment, globalAliases: ShippedConfig.aliases)
      }
      return (blocks.filter(holds) + blocks.filter { !holds($0) }).map { (shipped, $0) }
    }
  }

  /// The blocks whose request it was: the same method, domain and path, whatever the parameters. For candles, only
  /// those of the interval if the request names one of ours.
  var asked: [(market: ShippedMarket, block: Block)] {
    guard let request else { return [] }
    let same = blocks.filter { candidate in
      let table = candidate.block.table
      return request.method == table.request.method
        && table.baseURLs.contains { request.isAt($0, table.request, of: table) }
    }
    let exact = same.filter { candidate in
      let table = candidate.block.table
      return request.fit(table.request, of: table, baseURLs: table.baseURLs) != nil
    }
    return ofInterval(exact.isEmpty ? same : exact)
  }

  func ofInterval(_ blocks: [(market: ShippedMarket, block: Block)]) -> [(market: ShippedMarket, block: Block)] {
    let named = blocks.filter { candidate in
      guard case .candles(let spec) = candidate.block else { return true }
      if let interval { return spec.interval.rawValue == interval }
      guard let request else { return false }
      return request.query.values.contains(spec.word.text) || request.path.hasSuffix("/" + spec.word.text)
        || request.path.contains(":" + spec.word.text + ":") || request.body?.contains("\"\(spec.word.text)\"") == true
    }
    return named.isEmpty ? blocks : named
  }
}

extension RecordedBody {
  /// Returns the shipped exchanges that a corpora name stands for: Bithumb's older API ships under its own name.
  static func shippedNames(of name: String) -> Set<String> {
    guard let shipped = shippedName(of: name) else { return [] }
    return shipped.hasPrefix("Bithumb") ? ["Bithumb", "BithumbLegacy"] : [shipped]
  }
}
