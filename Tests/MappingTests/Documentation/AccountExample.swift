import Config
import HTTP
import JSON
import Mapping
import Quotes
import Testing
import Transport

/// An example from `docs/private.md`: a block `json account` with members of an exchange and secrets as `name=value`;
/// then `request`, sent over the wire; `json response`; and `balances`, `wallets` or `permissions`, the result.
struct AccountExample: CustomTestStringConvertible {
  let place: String
  private let members: String
  private let secrets: [String: String]
  private var response = ""
  private var results: [String: [String]] = [:]

  var testDescription: String { place }

  static func examples(of page: String) -> [AccountExample] {
    var examples: [AccountExample] = []
    for block in Manual.blocks(of: page) {
      if block.words.starts(with: ["json", "account"]) {
        examples.append(AccountExample(block, page: page))
      } else if let last = examples.indices.last, let word = block.words.first, word != "sh" {
        if word == "json" {
          examples[last].response = block.text
        } else {
          examples[last].results[word] = block.text.split(separator: "\n").map(String.init)
        }
      }
    }
    return examples
  }

  private init(_ block: Manual.Block, page: String) {
    place = "\(page):\(block.line)"
    members = block.text
    secrets = block.words.dropFirst(2).reduce(into: [:]) { result, word in
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { result[parts[0]] = parts[1] }
    }
  }

  func check() throws {
    let (read, findings) = try AccountConfig.read(members)
    // Known answers beside every example would obscure what it is about.
    #expect(findings.filter { $0.code != .noVectors }.map(\.message) == [])
    let account = try #require(read)
    for signer in account.signers {
      for vector in signer.auth.vectors {
        let difference = vector.difference(from: signer.auth, baseURL: signer.baseURLs[0], crypto: CryptoLibrary())
        #expect(difference == nil, "\(String(describing: difference))")
      }
    }
    if let part = account.parts.first, let request = results["request"] { #expect(try [wire(part)] == request) }
    let answer = HTTPResponse(body: Array(response.utf8))
    if let lines = results["balances"] {
      let rows = try account.balances.flatMap { balances in
        try balances.parts.flatMap { part in
          try BalancePlan(part.table, account: balances.account).rows(
            in: answer, ReadingContext(AccountConfig.request)
          ).rows
        }
      }
      func text(_ cell: Cell) -> String { cell.value?.description ?? cell.missing?.code ?? "" }
      #expect(
        Balance.merged(rows).map { row in
          [row.account, row.asset, text(row.free), text(row.locked), text(row.total)].joined(separator: " ")
        } == lines)
    }
    if let lines = results["wallets"] {
      let plan = WalletPlan(try #require(account.wallets.first))
      let rows = try plan.wallets(in: answer, ReadingContext(AccountConfig.request)).rows
      #expect(
        rows.map { "\($0.asset) \($0.network ?? "-") \($0.deposit) \($0.withdraw) \($0.message ?? "-")" } == lines)
    }
    if let lines = results["permissions"] {
      let plan = PermissionPlan(try #require(account.permissions.first))
      let found = try plan.permissions(in: answer, ReadingContext(AccountConfig.request))
      let origins: [String] =
        switch found.origins {
        case .anywhere?: ["anywhere"]
        case .bound(let addresses)?: addresses
        case nil: []
        }
      let words = [found.trade.rawValue, found.withdraw.rawValue, found.expires?.text].compactMap(\.self) + origins
      #expect([words.joined(separator: " ")] == lines)
    }
  }

  private func wire(_ part: AccountSpec.Part) throws -> String {
    let now = AccountConfig.request.now
    let plan = SigningPlan(
      try #require(part.auth), part.table.request, headers: part.table.headers, constants: part.table.set)
    let material = SigningMaterial(
      now: now, nonce: now.nanoseconds / 1000, uuid: "3f2a1c9e-8b47-4d15-9e60-7c1d2b3a4f58",
      secrets: secrets.mapValues { Secret($0) }, crypto: CryptoLibrary())
    let sent = try plan.signed(for: part.table.baseURLs[0], with: material)
    let headers = sent.headers.map { " \($0.name): \($0.value)" }.joined()
    let body = sent.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
    return "\(sent.method) \(sent.url)\(headers)\(body)"
  }
}
