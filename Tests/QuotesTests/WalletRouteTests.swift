import Quotes
import Testing

/// A coin can be transferred between two exchanges only if both ends are open on the same network.
@Suite struct WalletRouteTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// A row per network, `ETH open closed`: its name (`-` for none), deposit, withdraw. Otherwise the reason for none.
    let from: String
    let to: String
    let route: WalletRoute

    var testDescription: String { "\(from) → \(to)" }
  }

  private static func side(_ text: String) -> WalletSide {
    let gaps: [String: WalletSide.Gap] = [
      "no-key": .noKey, "not-told": .notTold, "not-named": .notNamed, "timeout": .failed(code: "timeout"),
    ]
    if let gap = gaps[text] { return .unknown(gap) }
    return .told(
      text.split(separator: "/").map { row in
        let words = row.split(separator: " ").map(String.init)
        func state(_ index: Int) -> WalletStatus.State { WalletStatus.State(rawValue: words[index]) ?? .unknown }
        return WalletStatus(
          asset: "USDT", network: words[0] == "-" ? nil : words[0], deposit: state(1), withdraw: state(2), message: nil)
      })
  }

  static let cases = [
    Case(from: "ETH closed open", to: "ETH open closed", route: .open(network: "ETH")),
    Case(from: "TRX open closed/ETH open open", to: "ETH open open", route: .open(network: "ETH")),
    // Names as exchanges write them.
    Case(from: "ERC20 open open", to: "ethereum open open", route: .open(network: "ERC20")),
    Case(from: "Tron(TRC20) open open", to: "TRX open open", route: .open(network: "Tron(TRC20)")),
    Case(from: "ARBITRUM open open", to: "ETH open open", route: .otherNetworks),
    // The network named by both is closed at one end; whether the other two are the same is unknown.
    Case(from: "ETH open open/TRX open closed", to: "ETH closed open/TRX open open", route: .otherNetworks),
    Case(from: "ETH open closed", to: "ETH open open", route: .closed([.withdraw])),
    Case(from: "ETH open open", to: "ETH closed open/TRX closed open", route: .closed([.deposit])),
    Case(from: "ETH open closed", to: "ETH closed open", route: .closed([.withdraw, .deposit])),
    // Closed is closed, whatever the other end says.
    Case(from: "ETH open closed", to: "no-key", route: .closed([.withdraw])),
    Case(from: "timeout", to: "ETH closed open", route: .closed([.deposit])),
    // Unknown is never treated as open.
    Case(from: "no-key", to: "ETH open open", route: .unknown([.init(.withdraw, .noKey)])),
    Case(
      from: "not-named", to: "timeout",
      route: .unknown([.init(.withdraw, .notNamed), .init(.deposit, .failed(code: "timeout"))])),
    Case(from: "ETH open unknown", to: "ETH open open", route: .unknown([.init(.withdraw, .notSaid)])),
    Case(from: "ETH open open", to: "ETH unknown open/TRX closed open", route: .unknown([.init(.deposit, .notSaid)])),
    Case(from: "", to: "not-told", route: .unknown([.init(.withdraw, .notNamed), .init(.deposit, .notTold)])),
    Case(from: "- open open", to: "ETH open open", route: .unnamedNetwork([.withdraw])),
    Case(from: "- open open", to: "- open open", route: .unnamedNetwork([.withdraw, .deposit])),
    // Punctuation alone is not a name.
    Case(from: "-- open open", to: "* open open", route: .unnamedNetwork([.withdraw, .deposit])),
    Case(from: "ETH open open", to: "-- open open", route: .unnamedNetwork([.deposit])),
    // Of several rows of one network, under any of its names, the least open counts.
    Case(from: "ETH open open/ETH open closed", to: "ETH open open", route: .closed([.withdraw])),
    Case(from: "ETH open open", to: "ERC20 closed open/ETH open open", route: .closed([.deposit])),
    Case(from: "ETH open open/ETH open unknown", to: "ETH open open", route: .unknown([.init(.withdraw, .notSaid)])),
    Case(from: "ETH open closed/TRX open open/ETH open open", to: "TRX open open", route: .open(network: "TRX")),
    // Without names they may be several.
    Case(from: "- open open/- open closed", to: "ETH open open", route: .unnamedNetwork([.withdraw])),
    Case(from: "ETH open open/-- open open", to: "ETH open open/* open open", route: .open(network: "ETH")),
  ]

  /// Two aliases that differ in punctuation are one; which of them counts does not depend on the run.
  @Test func aliasesOfOneName() {
    for _ in 0..<20 {
      let names = NetworkNames(["TRC-20": "TRX", "TRC20": "ETH", "T R C 20": "SOL"])
      let route = WalletRoute(
        from: Self.side("TRC20 open open"), to: Self.side("SOL open open/TRX open open"), names)
      #expect(route == .open(network: "TRC20"))
      #expect(WalletRoute(from: Self.side("TRC20 open open"), to: Self.side("ETH open open"), names) == .otherNetworks)
      #expect(WalletRoute(from: Self.side("TRC20 open open"), to: Self.side("TRX open open"), names) == .otherNetworks)
    }
  }

  @Test(arguments: cases) func isOpenOnOneNetwork(_ example: Case) {
    let names = NetworkNames(["erc-20": "Eth", "Ethereum": "ETH", "TRONTRC20": "TRX"])
    let route = WalletRoute(from: Self.side(example.from), to: Self.side(example.to), names)
    #expect(route == example.route)
    if case .open = example.route { #expect(route.isOpen) } else { #expect(!route.isOpen) }
  }
}
