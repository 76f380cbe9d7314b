/// Whether an asset can be deposited and withdrawn over one network.
package struct WalletStatus: Sendable, Hashable {
  package enum State: String, Sendable, Hashable {
    case open, closed
    /// The exchange does not say.
    case unknown
  }

  /// The canonical name.
  package let asset: String
  /// In the exchange's words; nil where it names none.
  package let network: String?
  package let deposit: State
  package let withdraw: State
  /// In the exchange's words: to be cleaned before it is shown.
  package let message: String?

  package init(asset: String, network: String?, deposit: State, withdraw: State, message: String?) {
    self.asset = asset
    self.network = network
    self.deposit = deposit
    self.withdraw = withdraw
    self.message = message
  }
}

/// What a key may do.
package struct KeyPermissions: Sendable, Hashable {
  package enum Right: String, Sendable, Hashable {
    case yes, no
    /// The exchange does not say.
    case unknown
  }

  package let trade: Right
  /// Withdraw, or transfer to others.
  package let withdraw: Right
  /// When the key ends; nil where it does not, or where the exchange does not say.
  package let expires: End?

  /// Where it may be used from; nil where the exchange does not say.
  package let origins: Origins?

  /// When a key ends.
  package enum End: Sendable, Hashable {
    case at(Instant)
    /// The exchange says something, and it is no time as the config describes it.
    case unreadable
  }

  /// The addresses that requests with the key may come from.
  package enum Origins: Sendable, Hashable {
    case anywhere
    /// In the exchange's words, and to be cleaned before they are shown; none where it does not name them.
    case bound([String])
  }

  package init(trade: Right, withdraw: Right, expires: End?, origins: Origins? = nil) {
    self.trade = trade
    self.withdraw = withdraw
    self.expires = expires
    self.origins = origins
  }
}
