import Formats
import JSON
import Mapping
import MarketData
import Quotes
import Terminal

/// Whether the coin of a premium can be moved from the cheap exchange to the expensive one.
extension PremiumReport {
  // MARK: Words

  /// `open BTC`, `closed: Kraken withdraw`, `unknown: Okx no key`.
  func words(of premium: LocalPremium, isReverse: Bool = false) -> StyledText {
    guard let route = snapshot.route(of: premium, isReverse: isReverse) else { return "" }
    func named(_ end: WalletRoute.End) -> String { name(of: end, premium, isReverse: isReverse) }
    switch route {
    case .sameExchange: return StyledText(language("same exchange", "같은 거래소"), .dim)
    case .open(let network): return StyledText(language("open ", "가능 ") + network)
    case .closed(let ends):
      let sides = ends.map { "\(named($0)) \(word(for: $0))" }
      return StyledText(language("closed: ", "중지: ") + sides.joined(separator: ", "), .warning)
    case .unknown(let unknownEnds):
      let reasons = unknownEnds.map { "\(named($0.end)) \($0.gap.text(language))" }
      return StyledText(language("unknown: ", "확인 불가: ") + reasons.joined(separator: ", "), .dim)
    case .otherNetworks: return StyledText(language("other networks?", "다른 네트워크?"), .dim)
    case .unnamedNetwork(let ends):
      let none = ends.map { "\(named($0)) \(language("lists none", "표시 없음"))" }
      return StyledText(language("network? ", "네트워크? ") + none.joined(separator: ", "), .dim)
    }
  }

  private func word(for end: WalletRoute.End) -> String {
    switch end {
    case .withdraw: language(end.rawValue, "출금")
    case .deposit: language(end.rawValue, "입금")
    }
  }

  private func name(of end: WalletRoute.End, _ premium: LocalPremium, isReverse: Bool) -> String {
    let (local, dollar) = rows(of: premium)
    return ((end == .deposit) != isReverse ? local : dollar).ticker.exchange
  }

  // MARK: Text

  /// What was excluded because of its wallets, and what the words in the column mean.
  var walletRemarks: [String] {
    guard let wallets = snapshot.wallets else { return [] }
    let count = snapshot.table.premiums.count + (wallets.leftOut?.count ?? 0)
    guard count > 0 else { return [] }
    var lines: [String] = []
    if let leftOut = wallets.leftOut {
      if leftOut.isEmpty {
        lines.append(
          language(
            "every pair of exchanges has an open route for \(wallets.asset)", "모든 거래소 쌍에서 \(wallets.asset) 입출금 가능"))
      } else {
        let counts = counts(leftOut.map { phrase(for: $0.route) })
        lines.append(
          language(
            "\(leftOut.count) of \(count) pairs of exchanges left out, route not open: \(counts)",
            "입출금이 열리지 않아 거래소 쌍 \(language.part(leftOut.count, of: count)) 제외: \(counts)"))
      }
    }
    let gaps = unknownSides.map { (exchange: $0.exchange, words: TerminalText.sanitized($0.gap.text(language))) }
    if !gaps.isEmpty {
      let words = gaps.map(\.words).unique
      let lists = words.map { word in
        "\(word): \(gaps.filter { $0.words == word }.map(\.exchange).joined(separator: ", "))"
      }
      lines.append(language("unknown wallets: ", "입출금 확인 불가: ") + lists.joined(separator: "; "))
    }
    lines.append(
      language(
        "wallets: whether \(wallets.asset) leaves the dollar exchange and enters the \(snapshot.query.local) "
          + "exchange; an indication, not a promise",
        "입출금: 달러 거래소에서 출금하고 \(snapshot.query.local) 거래소로 입금할 수 있는지; 참고용"))
    return lines
  }

  /// `open`, `other networks`
  private func word(for route: WalletRoute) -> String {
    let korean =
      switch route {
      case .sameExchange: "같은 거래소"
      case .open: WalletStatus.State.open.korean
      case .closed: WalletStatus.State.closed.korean
      case .unknown: WalletStatus.State.unknown.korean
      case .otherNetworks: "다른 네트워크"
      case .unnamedNetwork: "네트워크 표시 없음"
      }
    return language(route.code.replacing("-", with: " "), korean)
  }

  private func phrase(for route: WalletRoute) -> String {
    switch route {
    case .sameExchange, .open, .closed, .unknown: word(for: route)
    case .otherNetworks: language("on networks with other names", "다른 이름의 네트워크")
    case .unnamedNetwork: language("on networks without a name", "이름 없는 네트워크")
    }
  }

  /// Returns `3 closed, 2 unknown`, in order of first appearance.
  func counts(_ words: [String]) -> String {
    let counts = words.unique.map { word in (word: word, count: words.count { $0 == word }) }
    return counts.map { language("\($0.count) \($0.word)", "\($0.word) \($0.count)") }.joined(separator: ", ")
  }

  private var sides: [(exchange: String, side: WalletSide)] {
    guard let wallets = snapshot.wallets else { return [] }
    return wallets.reports.map { ($0.exchange, $0.side(of: wallets.asset)) }
  }

  private var unknownSides: [(exchange: String, gap: WalletSide.Gap)] {
    sides.compactMap { own in if case .unknown(let gap) = own.side { (own.exchange, gap) } else { nil } }
  }

  /// Returns every wallet, network by network, or the reason there is none; empty if not requested.
  func walletSection(on page: Page) -> String {
    guard let wallets = snapshot.wallets, !wallets.reports.isEmpty else { return "" }
    let ways = matrix { premium in
      StyledText(snapshot.route(of: premium).map { word(for: $0) } ?? "")
    }
    let title = language(
      "Whether \(wallets.asset) can be moved to each \(snapshot.query.local) exchange",
      "\(wallets.asset): 각 \(snapshot.query.local) 거래소로 옮길 수 있는지")
    let message = TableColumn(language("message", "메시지"), shortening: 0, dropping: 0)
    var layout = Table(
      columns: [TableColumn(language("exchange", "거래소"), minimumWidth: 8)] + WalletStatus.columns(language) + [message])
    for (exchange, side) in sides {
      switch side {
      case .told(let rows):
        for wallet in rows {
          layout.addRow(
            [StyledText(exchange)] + wallet.cells(language) + [StyledText(wallet.message ?? "", .dim)])
        }
      case .unknown(let gap):
        let reason = StyledText(gap.text(language), .dim)
        let unknown = WalletStatus.State.unknown.styled(language)
        layout.addRow([StyledText(exchange), StyledText(""), unknown, unknown, reason])
      }
    }
    return page.heading(title) + page.table(ways) + "\n"
      + page.heading(language("Wallets of \(wallets.asset)", "\(wallets.asset) 입출금")) + page.table(layout)
  }

  /// Why exchanges that offer wallet states did not answer, as lines for standard error.
  package var walletNotes: [String] {
    (snapshot.wallets?.reports ?? []).flatMap { report in
      report.failures.filter { $0.reason != .noSecret && $0.reason != .notOffered }.map { failure in
        "\(report.exchange) wallets: \(failure.words)"
      }
    }
  }

  // MARK: Files

  /// Returns the JSON members for the coin's route; empty if not requested.
  func routeJSON(of premium: LocalPremium, isReverse: Bool = false) -> JSONValue {
    snapshot.route(of: premium, isReverse: isReverse).map { ["route": json(of: $0, premium, isReverse)] } ?? [:]
  }

  private func json(of route: WalletRoute, _ premium: LocalPremium, _ isReverse: Bool) -> JSONValue {
    [
      "state": .string(route.code), "network": .text(route.network),
      "reasons": .list(Self.reasons(route)) { end, reason in
        [
          "exchange": .string(name(of: end, premium, isReverse: isReverse)), "side": .string(end.rawValue),
          "reason": .string(reason),
        ]
      },
    ]
  }

  /// Returns why a route is not known to be open, for each end.
  private static func reasons(_ route: WalletRoute) -> [(WalletRoute.End, String)] {
    switch route {
    case .sameExchange, .open, .otherNetworks: []
    case .closed(let ends): ends.map { ($0, "closed") }
    case .unknown(let unknownEnds): unknownEnds.map { ($0.end, $0.gap.code) }
    case .unnamedNetwork(let ends): ends.map { ($0, "network-unnamed") }
    }
  }

  /// The wallet states of the exchanges, and the pairs excluded because of them. Empty if not requested.
  var walletsJSON: JSONValue {
    guard let wallets = snapshot.wallets else { return [:] }
    var told: [(exchange: String, wallet: WalletStatus)] = []
    for (exchange, side) in sides {
      if case .told(let rows) = side { told += rows.map { (exchange, $0) } }
    }
    let value: JSONValue = [
      "wallets": .list(told) { .members($0.wallet.members(of: $0.exchange)) },
      "walletsUnknown": .list(unknownSides) {
        ["exchange": .string($0.exchange), "reason": .string($0.gap.code)]
      },
    ]
    guard let leftOut = wallets.leftOut else { return value }
    return value + ["notOpen": .list(leftOut) { pairJSON(of: $0.premium) + routeJSON(of: $0.premium) }]
  }

  /// Returns the CSV fields: state, network and reason.
  func routeFields(of premium: LocalPremium) -> [CSVWriter.Field] {
    guard let route = snapshot.route(of: premium) else { return [] }
    let reasons = Self.reasons(route).map { end, reason in
      "\(name(of: end, premium, isReverse: false)) \(end.rawValue): \(reason)"
    }
    return [.text(route.code), .text(route.network), .text(reasons.joined(separator: "; "))]
  }

  static let routeTitles = ["route", "network", "routeReasons"]
}

extension WalletRoute {
  fileprivate var network: String? { if case .open(let name) = self { name } else { nil } }
}
