import Config
import Files
import HTTP
import Mapping
import Quotes
import Transport

/// Signing one request of each exchange, on one thread.
struct SigningBenchmarks {
  private let configuration: Configuration

  init(config path: String) throws {
    let file = try ConfigFile(name: "exchanges.json", bytes: try FileSystem.read(path), origin: .shipped)
    configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
  }

  /// Returns the microseconds from plan to finished request, by exchange; `ed25519 ` prefixes those whose signature is
  /// not a MAC but two multiplications on a curve.
  func measured() throws -> [(String, Double)] {
    let crypto = CryptoLibrary()
    var result: [(String, Double)] = []
    for source in configuration.exchanges {
      guard let account = configuration.read(source).exchange?.account,
        let part = account.balances.first?.parts.first, let auth = part.auth, let vector = auth.vectors.first
      else { continue }
      let plan = SigningPlan(
        auth, part.table.request, headers: part.table.headers, constants: part.table.set, keys: "KRW,BTC")
      // Made up, but in a shape that suits the exchange's signature.
      let material = SigningMaterial(
        now: vector.now, nonce: vector.nonce, uuid: vector.uuid, secrets: vector.secrets.mapValues { Secret($0) },
        crypto: crypto)
      let url = part.table.baseURLs[0]
      _ = try plan.signed(for: url, with: material)
      let times = 100
      let milliseconds = TableBenchmarks.best(of: 20) {
        for _ in 0..<times { _ = try? plan.signed(for: url, with: material) }
      }
      let isEd25519 = auth.values.contains { if case .ed25519 = $0.value { true } else { false } }
      result.append(((isEd25519 ? "ed25519 " : "") + source.name, milliseconds * 1000 / Double(times)))
    }
    return result
  }
}
