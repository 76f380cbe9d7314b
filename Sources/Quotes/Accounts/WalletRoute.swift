/// What is known of the wallets of one asset at one exchange.
package enum WalletSide: Sendable, Hashable {
  /// A row for each network; one without a network where the exchange names none.
  case told([WalletStatus])
  case unknown(Gap)

  /// Why nothing is known.
  package enum Gap: Sendable, Hashable {
    /// The exchange tells it only to the owner of an account, and there is no key that could ask.
    case noKey
    /// The exchange has no such request.
    case notTold
    /// The exchange tells it, and not of this asset.
    case notNamed
    /// The exchange tells of this asset, and not whether it is open.
    case notSaid
    /// There was no answer: `timeout`, `not-allowed`.
    case failed(code: String)

    /// The word that scripts see.
    package var code: String {
      switch self {
      case .noKey: "no-key"
      case .notTold: "not-told"
      case .notNamed: "not-named"
      case .notSaid: "not-said"
      case .failed(let code): code
      }
    }

    /// The same for people: `Okx: no key`.
    package var words: String {
      switch self {
      case .noKey: "no key"
      case .notTold: "not told"
      case .notNamed: "not named"
      case .notSaid: "not said"
      case .failed(let code): code
      }
    }
  }
}

/// Whether a coin that is bought at one exchange can be brought to another and sold there.
///
/// It is a sign and no promise: exchanges close wallets without a word, and name one network differently.
package enum WalletRoute: Sendable, Hashable {
  /// The two ends of the way of a coin.
  package enum End: String, Sendable, Hashable {
    /// Out of the exchange where it is bought.
    case withdraw
    /// Into the exchange where it is sold.
    case deposit
  }

  /// An end of which nothing is known, and why.
  package struct Doubt: Sendable, Hashable {
    package let end: End
    package let gap: WalletSide.Gap

    package init(_ end: End, _ gap: WalletSide.Gap) { (self.end, self.gap) = (end, gap) }
  }

  /// Bought and sold at one exchange: nothing has to move.
  case sameExchange
  /// Both ends are open on a network that both name; in the words of the first.
  case open(network: String)
  /// These ends are closed on every network.
  case closed([End])
  /// Neither end is known to be closed, and one is not known to be open.
  case unknown([Doubt])
  /// Both ends are open, and no network that is open at one bears the name of one that is open at the other.
  case otherNetworks
  /// Both ends are open, and at these no network is named.
  case unnamedNetwork([End])

  /// Whether the coin can be moved, as far as the exchanges say: what is unknown is not.
  package var isOpen: Bool {
    switch self {
    case .sameExchange, .open: true
    case .closed, .unknown, .otherNetworks, .unnamedNetwork: false
    }
  }

  /// The word that scripts see.
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

  /// The way from the wallets of one exchange to those of another.
  package init(from source: WalletSide, to destination: WalletSide, _ names: NetworkNames) {
    let ends: [(End, Reach)] = [
      (.withdraw, Reach(source, \.withdraw)), (.deposit, Reach(destination, \.deposit)),
    ]
    let closed = ends.compactMap { end, reach in if case .closed = reach { end } else { nil } }
    let doubts = ends.compactMap { end, reach in if case .unknown(let gap) = reach { Doubt(end, gap) } else { nil } }
    guard closed.isEmpty, doubts.isEmpty, case .open(let out) = ends[0].1, case .open(let into) = ends[1].1 else {
      self = closed.isEmpty ? .unknown(doubts) : .closed(closed)
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

  /// How far one end is open, over all of its networks.
  private enum Reach {
    /// On these networks; nil is one without a name.
    case open([String?])
    case closed
    case unknown(WalletSide.Gap)

    init(_ side: WalletSide, _ state: (WalletStatus) -> WalletStatus.State) {
      switch side {
      case .unknown(let gap): self = .unknown(gap)
      case .told(let wallets):
        let open = wallets.filter { state($0) == .open }.map(\.network)
        if !open.isEmpty {
          self = .open(open)
        } else if wallets.isEmpty {
          self = .unknown(.notNamed)
        } else {
          self = wallets.contains { state($0) == .unknown } ? .unknown(.notSaid) : .closed
        }
      }
    }
  }
}

/// Other names of networks, by which the network of one exchange is known at another: `ERC20` is `ETH`.
///
/// Case, blanks and signs make no difference: `Tron (TRC20)` and `TRON-TRC20` are one name.
package struct NetworkNames: Sendable, Hashable {
  private let known: [String: String]

  /// - Parameter others: what a name stands for. A name that stands for another is not followed further.
  package init(_ others: [String: String] = [:]) {
    known = others.reduce(into: [:]) { $0[Self.plain($1.key)] = Self.plain($1.value) }
  }

  /// One text for all names of a network; nil for signs alone, such as `-`, which name none.
  func network(_ name: String) -> String? {
    let plain = Self.plain(name)
    return plain.isEmpty ? nil : known[plain] ?? plain
  }

  private static func plain(_ name: String) -> String { name.uppercased().filter { $0.isLetter || $0.isNumber } }
}
