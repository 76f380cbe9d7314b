import Config
import Files
import HTTP
import Mapping
import MarketData
import Quotes
import Terminal
import Transport

/// A run that asks for the user's accounts: a session with the keys, the nonces and the clocks.
struct AccountSession {
  let session: MarketSession
  let client: MarketClient

  init(_ config: LoadedConfig, _ asking: AskingOptions, in context: Context) throws {
    session = try MarketSession(config, asking, in: context)
    var client = session.client
    let environment = context.environment
    let store = KeyStore(
      Credentials(context.paths.config.map { CredentialsFile(in: $0) }) { environment[$0] }, config.configuration,
      KeyAllowance(config.configuration, ConfigLocator(context)))
    let clock = HostClock(client.handler, now: context.now)
    client.handler = clock.noting(client.handler)
    let nonces: any NonceSource =
      context.paths.state.map { NonceFiles(in: "\($0)/nonces") } ?? NoNonces()
    client.account = AccountMeans(secrets: store, nonces: nonces, clock: clock, crypto: CryptoLibrary())
    self.client = client
    if asking.record != nil {
      context.note("the recordings will hold what the exchanges say of your accounts, with the keys left out")
    }
  }

  var configuration: Configuration { session.configuration }
}

/// Where the user has no folder for nonces.
private struct NoNonces: NonceSource {
  func turn(
    of key: NonceKey, unit: NonceUnit, now: Instant, patience: Duration
  ) async throws(SecretProblem) -> any NonceTurn {
    throw .nonceStore("no folder for nonces: neither HOME nor XDG_STATE_HOME is set")
  }
}
