package import Config
import Files
import HTTP
import Mapping
package import MarketData
import Quotes
package import Shell
import Terminal
package import Transport

/// A session that queries the user's accounts, with keys, nonces and clocks.
package struct AccountSession {
  package let session: MarketSession
  package let client: MarketClient
  private let dependencies: AccountDependencies
  /// nil in a replay.
  private let keys: KeyStore?

  package init(_ config: LoadedConfig, _ asking: AskingOptions, in context: Context) throws {
    let session = try MarketSession(config, asking, in: context)
    self.init(session, session.replay == nil ? context.keyFile : nil, in: context) { session.client.handler }
    if asking.record != nil {
      context.note("the recordings will contain your account data, without the keys")
    }
  }

  /// Creates a session for repeated polling.
  ///
  /// - Parameter file: the user's keys; nil if there is no folder for them, or in a replay.
  package init(rounds session: MarketSession, keys file: CredentialsFile?, in context: Context) {
    self.init(session, file, in: context) { session.newRound().handler }
  }

  /// - Parameter handler: requests hosts' clocks.
  private init(
    _ session: MarketSession, _ file: CredentialsFile?, in context: Context,
    _ handler: @escaping @Sendable () -> HTTPHandler
  ) {
    self.session = session
    // Nothing is sent in a replay, so anyone may play a recording, and no program is asked for a secret.
    let keys: KeyStore? = session.replay == nil ? KeyStore(file, for: session.configuration, in: context) : nil
    let secrets: any SecretSource = if let keys { keys } else { NamesOfSecrets(session: session) }
    self.keys = keys
    let clock = HostClock({ request throws(TransportError) in try await handler()(request) }, now: context.now)
    let nonces: any NonceSource = context.nonces ?? NoNonces()
    dependencies = AccountDependencies(secrets: secrets, nonces: nonces, clock: clock, crypto: CryptoLibrary())
    client = Self.signing(session.client, dependencies)
  }

  private static func signing(_ client: MarketClient, _ dependencies: AccountDependencies) -> MarketClient {
    var client = client
    client.handler = dependencies.clock?.noting(client.handler) ?? client.handler
    client.account = dependencies
    return client
  }

  package var configuration: Configuration { session.configuration }

  /// Returns whether the user has stored any secret of an exchange, or, in a replay, its accounts are recorded.
  package func hasKey(of exchange: String) -> Bool { dependencies.secrets.hasSecrets(of: exchange) }

  /// Returns whether the file has another key of an exchange than it had for an earlier session, or another permission
  /// to send it.
  package func hasOtherKey(of exchange: String, than earlier: AccountSession) -> Bool {
    keys?.credentials.entry(of: exchange) != earlier.keys?.credentials.entry(of: exchange)
  }

  /// Returns the assets with a matching name; nil if an exchange has a wallet of that exact symbol, or nothing matches.
  package func assets(
    called word: String, in reports: [WalletReport], _ context: Context
  ) async -> Set<String>? {
    let assets = reports.flatMap(\.rows).map(\.asset).unique
    guard !assets.isEmpty, !assets.contains(word) else { return nil }
    let names = await context.showing(session.journal) { await session.assetNames() }
    let subjects = assets.map { asset in
      let name = names[asset]?.name
      return NameFilter.Subject(symbol: asset, names: [name?.korean, name?.english].compactMap(\.self))
    }
    let found = NameFilter(word).places(in: subjects).map { assets[$0] }
    return found.isEmpty ? nil : Set(found)
  }

  /// Returns the client for another round of requests with the full time limit.
  package func newRound() -> MarketClient { Self.signing(session.newRound(), dependencies) }
}

extension KeyStore {
  /// Creates the store of the user's keys.
  ///
  /// - Parameter file: nil if there is no folder for it.
  package init(_ file: CredentialsFile?, for configuration: Configuration, in context: Context) {
    self.init(
      Credentials(file, environment: context.environment.lookup), configuration,
      KeyAllowance(configuration, ConfigLocator(context)))
  }
}

extension Context {
  /// The user's keys; nil if there is no folder for them.
  var keyFile: CredentialsFile? { paths.config.map { CredentialsFile(in: $0) } }

  /// The files of the last nonces; nil if there is no folder for them.
  package var nonces: NonceFiles? { paths.state.map { NonceFiles(in: "\($0)/nonces") } }

  /// The pauses that hosts asked for in earlier runs; nil if there is no folder for them.
  package var keptPauses: KeptPauses? { paths.state.map { KeptPauses(in: "\($0)/pauses") } }
}

/// Stands for the keys in a replay: each secret is its own name, where the recorded run had any.
private struct NamesOfSecrets: SecretSource {
  let session: MarketSession

  func hasSecrets(of exchange: String) -> Bool { session.hasRecordedAccounts(of: exchange) }

  func secrets(of exchange: String) -> [String: Secret] {
    guard session.hasRecordedAccounts(of: exchange) else { return [:] }
    let names = session.configuration.exchanges.first { $0.name == exchange }?.secretNames ?? []
    return Dictionary(names.map { ($0, Secret($0)) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Used if there is no folder for nonces.
private struct NoNonces: NonceSource {
  func turn(
    of key: NonceKey, unit: SignedTemplate.ClockUnit, now: Instant, patience: Duration
  ) async throws(SecretProblem) -> any NonceTurn {
    throw .nonceStore("no folder for nonces: \(UserPaths.absence(of: "XDG_STATE_HOME"))")
  }
}
