/// What is known about the wallets of one asset on one exchange.
package enum WalletSide: Sendable, Hashable {
  /// A row for each network, or one without a network if the exchange names none.
  case told([WalletStatus])
  case unknown(Gap)

  /// The reason nothing is known.
  package enum Gap: Sendable, Hashable {
    /// The exchange tells only account owners, and there is no key to ask with.
    case noKey
    /// The config has no such request.
    case notTold
    /// The exchange answers, but not for this asset.
    case notNamed
    /// The exchange lists this asset, but not whether it is open.
    case notSaid
    /// The request failed: `timeout`, `not-allowed`.
    case failed(code: String)

    /// The code used in machine-readable output.
    package var code: String {
      switch self {
      case .noKey: "no-key"
      case .notTold: "not-told"
      case .notNamed: "not-named"
      case .notSaid: "not-said"
      case .failed(let code): code
      }
    }

    /// The gap in words: `Okx: no key`.
    package var words: String {
      switch self {
      case .noKey: "no key"
      case .notTold: "not available"
      case .notNamed: "asset not listed"
      case .notSaid: "status not reported"
      case .failed(let code): code
      }
    }
  }
}

/// Whether a coin bought on one exchange can be moved to another and sold there.
///
/// This is a hint, not a promise: exchanges close wallets without notice, and name the same network differently.
package enum WalletRoute: Sendable, Hashable {
  /// The two ends of a coin's route.
  package enum End: String, Sendable, Hashable {
    /// Out of the exchange where it is bought.
    case withdraw
    /// Into the exchange where it is sold.
    case deposit
  }

  /// An end whose state is unknown, and why.
  package struct UnknownEnd: Sendable, Hashable {
    package let end: End
    package let gap: WalletSide.Gap

    package init(_ end: End, _ gap: WalletSide.Gap) { (self.end, self.gap) = (end, gap) }
  }

  /// Bought and sold on one exchange: nothing has to move.
  case sameExchange
  /// Both ends are open on a network that both name, spelled as the first exchange does.
  case open(network: String)
  /// These ends are closed on every network.
  case closed([End])
  /// Neither end is known to be closed, and at least one is not known to be open.
  case unknown([UnknownEnd])
  /// Both ends are open, but they share no network name.
  case otherNetworks
  /// Both ends are open, but these name no network.
  case unnamedNetwork([End])

  /// Whether the exchanges say that the coin can be moved. False if unknown.
  package var isOpen: Bool {
    switch self {
    case .sameExchange, .open: true
    case .closed, .unknown, .otherNetworks, .unnamedNetwork: false
    }
  }

  /// The code used in machine-readable output.
  package var code: String {
    switch self {
    case .sameExchange: "same-exchange"
    case .open: "open"
    case .closed: "closed"
    case .unknown: "unknown"
    case .otherNetworks: "other-networks"
    case .unnamedNetwork: "network-unnamed"
    }
  }

  /// Creates the route from the wallets of one exchange to those of another.
  package init(from source: WalletSide, to destination: WalletSide, _ names: NetworkNames) {
    let ends: [(End, Reach)] = [
      (.withdraw, Reach(source, names, \.withdraw)), (.deposit, Reach(destination, names, \.deposit)),
    ]
    let closed = ends.compactMap { end, reach in if case .closed = reach { end } else { nil } }
    let unknownEnds = ends.compactMap { end, reach in
      if case .unknown(let gap) = reach { UnknownEnd(end, gap) } else { nil }
    }
    guard closed.isEmpty, unknownEnds.isEmpty, case .open(let out) = ends[0].1, case .open(let into) = ends[1].1 else {
      self = closed.isEmpty ? .unknown(unknownEnds) : .closed(closed)
      return
    }
    func network(_ name: String?) -> String? { name.flatMap(names.network) }
    let reached = Set(into.compactMap(network))
    if let shared = out.compactMap(\.self).first(where: { network($0).map(reached.contains) ?? false }) {
      self = .open(network: shared)
      return
    }
    let unnamed = [(End.withdraw, out), (.deposit, into)].filter { $0.1.contains { network($0) == nil } }.map(\.0)
    self = unnamed.isEmpty ? .otherNetworks : .unnamedNetwork(unnamed)
  }

  /// How far one end is open, across all its networks.
  private enum Reach {
    /// Open on these networks; nil is a network without a name.
    case open([String?])
    case closed
    case unknown(WalletSide.Gap)

    init(_ side: WalletSide, _ names: NetworkNames, _ state: (WalletStatus) -> WalletStatus.State) {
      switch side {
      case .unknown(let gap): self = .unknown(gap)
      case .told(let wallets):
        // Of several rows of one network, the least open counts: nothing says which of them a transfer meets. Those
        // without a name may be of several networks.
        func name(_ wallet: WalletStatus) -> String? { wallet.network.flatMap(names.network) }
        let rowsOfNetworks =
          wallets.filter { name($0) != nil }.grouped(by: name) + wallets.filter { name($0) == nil }.map { [$0] }
        let networks = rowsOfNetworks.map { rows in
          (name: rows[0].network, state: WalletStatus.State.leastOpen(of: rows.map(state)))
        }
        let open = networks.filter { $0.state == .open }.map(\.name)
        if !open.isEmpty {
          self = .open(open)
        } else if wallets.isEmpty {
          self = .unknown(.notNamed)
        } else {
          self = networks.contains { $0.state == .unknown } ? .unknown(.notSaid) : .closed
        }
      }
    }
  }
}

extension WalletStatus.State {
  fileprivate static func leastOpen(of states: [Self]) -> Self {
    [.closed, .unknown].first(where: states.contains) ?? .open
  }
}

/// Aliases of networks, which match names across exchanges: `ERC20` is `ETH`.
///
/// Case, blanks and punctuation are ignored: `Tron (TRC20)` and `TRON-TRC20` are one name.
package struct NetworkNames: Sendable, Hashable {
  private let known: [String: String]

  /// - Parameter others: The name that each alias stands for. Aliases of aliases are not followed. Of two that are one
  ///   name here, the first in alphabetical order counts.
  package init(_ others: [String: String] = [:]) {
    // A dictionary has another order in each run.
    let names = others.sorted { $0.key < $1.key }.map { (Self.plain($0.key), Self.plain($0.value)) }
    known = Dictionary(names) { first, _ in first }
  }

  /// Returns one text for all names of a network, or nil for punctuation alone, such as `-`, which names none.
  func network(_ name: String) -> String? {
    let plain = Self.plain(name)
    return plain.isEmpty ? nil : known[plain] ?? plain
  }

  private static func plain(_ name: String) -> String { name.uppercased().filter { $0.isLetter || $0.isNumber } }
}
