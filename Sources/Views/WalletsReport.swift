import Formats
import JSON
import Mapping
package import MarketData
import Quotes
import Terminal

/// The wallet states of exchanges.
package struct WalletsReport: LineReport {
  private let reports: [WalletReport]
  /// The exchanges that were not asked: those that need a key, and those without such a request.
  private let unkeyed: [String]
  private let unable: [String]
  private let isReplay: Bool
  private let option: String
  private let rows: [(exchange: String, wallet: WalletStatus)]

  /// - Parameters:
  ///   - assets: the assets to show; nil for all.
  ///   - unkeyed: the exchanges that are not among the reports because there is no key for them.
  ///   - unable: those whose config has no request for wallets.
  ///   - isReplay: whether recordings are played, which needs no keys: then a recording is what is missing.
  ///   - option: what another command needs to find the same config: ` -c FILE`.
  package init(
    _ reports: [WalletReport], assets: Set<String>?, unkeyed: [String] = [], unable: [String] = [],
    isReplay: Bool = false, option: String = ""
  ) {
    (self.reports, self.unkeyed, self.unable) = (reports, unkeyed, unable)
    (self.isReplay, self.option) = (isReplay, option)
    rows = reports.flatMap { report in
      report.rows.filter { assets?.contains($0.asset) ?? true }.map { (report.exchange, $0) }
    }
  }

  package var isEmpty: Bool { rows.isEmpty }

  package func text(on page: Page) -> String {
    guard !rows.isEmpty else { return "" }
    let isOfOne = Set(rows.map(\.wallet.asset)).count == 1
    let language = page.language
    let asset = TableColumn(language("asset", "자산"), dropping: isOfOne ? 2 : nil)
    let message = TableColumn(language("message", "메시지"), shortening: 0, dropping: 1)
    var table = Table(
      columns: [TableColumn(language("exchange", "거래소")), asset] + WalletStatus.columns(language) + [message])
    for (exchange, wallet) in rows {
      let asset = StyledText(wallet.asset).shortened(to: Table.maximumCellWidth)
      table.addRow(
        [StyledText(exchange), asset] + wallet.cells(language) + [StyledText(wallet.message ?? "", .dim)])
    }
    return page.replayLine + page.table(table)
  }

  package var notes: [String] {
    reports.flatMap { report in
      report.failures.map { failure in
        report.isPrivate
          ? AccountAdvice.sentence(report.exchange, failure, of: report.exchange, option)
          : "\(report.exchange): \(failure.words)"
      } + AccountAdvice.notes(unnamed: report.incomplete, of: report.exchange)
    } + leftOut.filter { !$0.exchanges.isEmpty }.map { "\($0.words): \($0.exchanges.joined(separator: ", "))" }
  }

  private var leftOut: [(exchanges: [String], reason: Missing, words: String)] {
    [
      isReplay ? (unkeyed, .notRecorded, "not recorded") : (unkeyed, .noSecret, "not asked without a key"),
      (unable, .notOffered, "no wallet status in the config"),
    ]
  }

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "rows": .list(rows) { .members($0.wallet.members(of: $0.exchange)) },
      "exchanges": .list(reports) { report in
        [
          "exchange": .string(report.exchange), "isPrivate": .bool(report.isPrivate),
          "failures": .list(report.failures, \.json),
        ]
      },
      "notAsked": .list(leftOut.flatMap { group in group.exchanges.map { ($0, group.reason.code) } }) {
        ["exchange": .string($0.0), "reason": .string($0.1)]
      },
    ]
    return value.document
  }

  package func ndjson() -> [UInt8] {
    var writer = LineWriter()
    for (exchange, wallet) in rows { writer.object("wallet", .members(wallet.members(of: exchange))) }
    for report in reports {
      for failure in report.failures {
        writer.object("failure", ["exchange": .string(report.exchange)] + failure.json)
      }
    }
    return writer.bytes
  }

  package func csv() -> [UInt8] {
    var writer = CSVWriter(titles: ["exchange", "asset", "network", "deposit", "withdraw", "message", "reasons"])
    for (exchange, wallet) in rows {
      writer.addRecord([
        .text(exchange), .text(wallet.asset), .text(wallet.network), .text(wallet.deposit.rawValue),
        .text(wallet.withdraw.rawValue), .text(wallet.message), .reasons(wallet.reasons),
      ])
    }
    return writer.finished()
  }
}

extension WalletStatus {
  func members(of exchange: String) -> [(String, JSONValue)] {
    [
      ("exchange", .string(exchange)), ("asset", .string(asset)), ("network", .text(network)),
      ("deposit", .string(deposit.rawValue)), ("withdraw", .string(withdraw.rawValue)), ("message", .text(message)),
      ("reasons", .reasons(reasons)),
    ]
  }

  /// Returns the columns of ``cells(_:)``. That of the network is never shortened: coins sent through another one may be
  /// lost, and names differ at their end, as `BEP2` and `BEP20`.
  static func columns(_ language: Language) -> [TableColumn] {
    [language("network", "네트워크"), language("deposit", "입금"), language("withdraw", "출금")].map { TableColumn($0) }
  }

  /// Returns the network, or that the exchange names none, and both states.
  func cells(_ language: Language) -> [StyledText] {
    let unnamed = StyledText(language("unnamed", "이름 없음"), .dim)
    return [
      network.map { StyledText($0).shortened(to: Table.maximumCellWidth) } ?? unnamed, deposit.styled(language),
      withdraw.styled(language),
    ]
  }

  fileprivate var reasons: [(title: String, code: String?)] {
    [("network", network == nil ? WalletRoute.unnamedNetwork([]).code : nil)]
  }
}

extension WalletStatus.State {
  var korean: String {
    switch self {
    case .open: "가능"
    case .closed: "중지"
    case .unknown: "확인 불가"
    }
  }

  func styled(_ language: Language) -> StyledText {
    let style: Style =
      switch self {
      case .open: .neutral
      case .closed: .warning
      case .unknown: .dim
      }
    return StyledText(language(rawValue, korean), style)
  }
}
