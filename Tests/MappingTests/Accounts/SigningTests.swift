import Files
import HTTP
import JSON
import Quotes
import TestSupport
import Testing
import Transport

@testable import Config
@testable import Mapping

@Suite struct SigningTests {
  static let exchanges: [Exchange] = {
    guard let bytes = try? FileSystem.read(Checkout.path("exchanges.json")),
      let file = try? ConfigFile(name: "exchanges.json", bytes: bytes, origin: .shipped),
      let configuration = try? Configuration(file, builtin: { () throws(ConfigSyntaxError) in file })
    else { return [] }
    return configuration.exchanges.compactMap { configuration.read($0, .account).exchange }
  }()

  private static func shared(_ path: String) -> [KnownAnswer] {
    SharedCorpora.root.flatMap { try? FileSystem.read("\($0)/\(path)") }.flatMap { try? KnownAnswer.all(in: $0) } ?? []
  }

  @Test(
    "Known answers of 36 exchanges and of the config language are reproduced byte for byte",
    .enabled(if: SharedCorpora.arePresent),
    arguments: shared("design/private-vectors.json"))
  func knownSignaturesAreReproduced(_ answer: KnownAnswer) throws {
    let vector = try answer.vector()
    let crypto = CryptoLibrary()
    guard let name = answer.exchange else {
      let auth = try answer.auth()
      let url = try #require(answer.json["baseUrl"]?.string)
      #expect(vector.difference(from: auth, baseURL: url, crypto: crypto).map(text) == nil)
      return
    }
    let account = try #require(Self.exchanges.first { $0.name == name }?.account)
    guard let block = answer.block else {
      let signer = try #require(account.signers.first)
      #expect(vector.difference(from: signer.auth, baseURL: signer.baseURLs[0], crypto: crypto).map(text) == nil)
      return
    }
    let part = try #require(account.part(block, set: vector.set))
    let material = SigningMaterial(
      now: vector.now, nonce: vector.nonce, uuid: vector.uuid, secrets: vector.secrets.mapValues { Secret($0) },
      crypto: crypto)
    let sent: SignedRequest
    if let auth = part.auth {
      sent = try SigningPlan(auth, part.table.request, headers: part.table.headers, constants: part.table.set)
        .signed(for: part.table.baseURLs[0], with: material)
    } else {
      var writer = RequestWriter(part.table, RequestContext(now: vector.now) { vector.secrets[$0] })
      let request = try writer.request(named: "balances")
      sent = SignedRequest(
        method: request.method, url: request.urls[0], headers: request.headers, body: request.body, secrets: [])
    }
    #expect(sent.method == vector.sent.method?.text)
    #expect(sent.url == vector.sent.url?.text)
    for header in vector.sent.headers {
      #expect(sent.headers.first(named: header.name) == header.value, "\(header.name)")
    }
    #expect(sent.body.map { String(decoding: $0, as: UTF8.self) } == vector.sent.body?.text)
  }

  @Test("Every known answer in exchanges.json is reproduced", arguments: exchanges)
  func shippedSignaturesAreReproduced(_ exchange: Exchange) {
    for signer in exchange.account?.signers ?? [] {
      for vector in signer.auth.vectors {
        #expect(
          vector.difference(from: signer.auth, baseURL: signer.baseURLs[0], crypto: CryptoLibrary()).map(text) == nil)
      }
    }
  }

  /// An exchange may echo the last part of a token alone.
  @Test func partsOfTokensAreSecret() throws {
    let account = try #require(Self.exchanges.first { $0.name == "Upbit" }?.account)
    let part = try #require(account.balances.first?.parts.first)
    let material = SigningMaterial(
      now: Instant(nanoseconds: 1_794_978_727_000_000_000), nonce: 1, uuid: "0b1f7a3e-1b1c-4c7e-9d2a-6f1f0e5d4c3b",
      secrets: [
        "accessKey": Secret("made-up-key-0123456789"), "apiKey": Secret("made-up-key-0123456789"),
        "secretKey": Secret("made-up-secret-0123456789"), "secret": Secret("made-up-secret-0123456789"),
      ],
      crypto: CryptoLibrary())
    let sent = try SigningPlan(
      try #require(part.auth), part.table.request, headers: part.table.headers, constants: part.table.set
    ).signed(for: part.table.baseURLs[0], with: material)
    let token = try #require(sent.headers.first(named: "Authorization")).split(separator: " ")[1]
    let parts = token.split(separator: ".").map(String.init)
    #expect(parts.count == 3 && sent.secrets.contains(String(token)))
    #expect(sent.secrets.contains(parts[1]) && sent.secrets.contains(parts[2]))
  }

  private func text(_ difference: AuthVector.Difference) -> String {
    switch difference {
    case .member(let name, let expected, let found, _): "\(name): expected \(expected), found \(found ?? "nothing")"
    case .problem(let problem): problem.sentence
    }
  }
}

extension ExchangeExtent {
  fileprivate static let account = ExchangeExtent(markets: [], hasAccount: true)
}

extension Exchange: CustomTestStringConvertible {
  public var testDescription: String { name }
}

/// Signatures given by documentation and other projects' tests for a payload, in the language's steps.
@Suite struct SigningVectorTests {
  private struct Row: CustomTestStringConvertible {
    let json: JSONNode
    var testDescription: String { "\(json["exchange"]?.string ?? "") \(json["source"]?.string ?? "")" }
  }

  private static let rows: [Row] = {
    let path = SharedCorpora.root.map { "\($0)/recordings/signing-vectors.json" }
    guard let bytes = path.flatMap({ try? FileSystem.read($0) }), let document = try? JSONDocument(parsing: bytes)
    else {
      return []
    }
    return document.root.elements.map { Row(json: $0) }
  }()

  @Test(.enabled(if: SharedCorpora.arePresent), arguments: rows) private func signature(_ row: Row) throws {
    let json = row.json
    let algorithm = try #require(json["algorithm"]?.string)
    let hash = algorithm.contains("512") ? "512" : algorithm.contains("384") ? "384" : "256"
    let key = json["secret_encoding"]?.string == "base64" ? "{secret:secret|unbase64}" : "{secret:secret}"
    let output = json["output"]?.string ?? ""
    // The signed payload: the body as is, or Kraken's bytes of path and digest.
    let payload = try #require(json["payload"])
    let isOfParts = payload.kind == .object
    let isFutures = json["exchange"]?.string == "krakenfutures"
    let text =
      !isOfParts ? "{body}" : isFutures ? "{said|sha256}" : "{path}{said|sha256}"
    let said = isFutures ? "{body}{nonce.ms}{path}" : "{nonce.ms}{body}"
    let filter = output == "hex" ? "{sign|hex}" : output.contains("hex text") ? "{hex|base64}" : "{sign|base64}"
    var values = #""sign": { "hmac-sha\#(hash)": "\#(text)", "key": "\#(key)" }"#
    if isOfParts { values = #""said": "\#(said)", "# + values }
    if output.contains("hex text") { values += #", "hex": "{sign|hex}""# }
    var reader = SpecReader()
    let steps = try KnownAnswer.node(#"{ "values": { \#(values) }, "headers": { "S": "\#(filter)" } }"#)
    let found = reader.readAuth(steps, constants: [])
    let auth = try #require(found)
    let body = isOfParts ? payload["postdata"]?.text : payload.text
    let vector = try KnownAnswer.node(
      #"""
      { "now": \#(payload["nonce"]?.string ?? "0"), "secrets": { "secret": \#(json["secret"]?.text ?? "") },
        "request": { "method": "POST", "path": "\#(payload["path"]?.string ?? "/x")", "body": \#(body ?? "") },
        "sent": { "headers": { "S": \#(json["signature"]?.text ?? "") } } }
      """#)
    let known = reader.readVector(vector, constants: [])
    let difference = try #require(known).difference(
      from: auth, baseURL: "https://exchange.test", crypto: CryptoLibrary())
    #expect(difference == nil, "\(String(describing: difference))")
  }
}
