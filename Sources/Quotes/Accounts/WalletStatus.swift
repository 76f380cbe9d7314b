/// Whether an asset can be deposited and withdrawn over one network.
package struct WalletStatus: Sendable, Hashable {
  package enum State: String, Sendable, Hashable {
    case open, closed
    /// The exchange does not say.
    case unknown
  }

  /// The canonical name.
  package let asset: String
  /// In the exchange's words; nil if it names none.
  package let network: String?
  package let deposit: State
  package let withdraw: State
  /// In the exchange's words; must be sanitized before it is shown.
  package let message: String?

  package init(asset: String, network: String?, deposit: State, withdraw: State, message: String?) {
    self.asset = asset
    self.network = network
    self.deposit = deposit
    self.withdraw = withdraw
    self.message = message
  }
}

/// The permissions of an API key.
package struct KeyPermissions: Sendable, Hashable {
  package enum Right: String, Sendable, Hashable {
    case yes, no
    /// The exchange does not say.
    case unknown
  }

  package let trade: Right
  /// Withdrawals, or transfers to others.
  package let withdraw: Right
  /// When the key expires; nil if never, or if the exchange does not say.
  package let expires: End?

  /// Where the key may be used from; nil if the exchange does not say.
  package let origins: Origins?

  /// When a key expires.
  package enum End: Sendable, Hashable {
    case at(Instant)
    /// The exchange's value is not a time as the config describes it.
    case unreadable
  }

  /// The addresses from which requests with the key are accepted.
  package enum Origins: Sendable, Hashable {
    case anywhere
    /// In the exchange's words, to be sanitized before they are shown; empty if it does not name them.
    case bound([String])
  }

  package init(trade: Right, withdraw: Right, expires: End?, origins: Origins? = nil) {
    (self.trade, self.withdraw, self.expires, self.origins) = (trade, withdraw, expires, origins)
  }
}
