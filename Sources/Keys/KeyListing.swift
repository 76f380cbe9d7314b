import Config
package import JSON
import MarketData
import Quotes
package import Terminal

/// The stored keys, by name only.
package struct KeyListing {
  private struct Row {
    let owner: String
    let secrets: [(name: String, origin: Credentials.Origin?)]
    let status: String
    let isGood: Bool
    /// The code for scripts; nil if the config has nothing with this name.
    let code: String?
  }

  private let rows: [Row]
  /// Whether there may be keys that could not be read.
  private let isPartial: Bool

  package init(_ ring: KeyRing) {
    isPartial = !ring.file.problems.isEmpty
    rows = ring.owners.map { owner in
      let secrets = ring.secrets(of: owner)
      guard ring.isExchange(owner) || ring.config.configuration.providerNames.contains(owner) else {
        return Row(owner: owner, secrets: secrets, status: "unknown exchange", isGood: false, code: nil)
      }
      let (code, words, isGood) = ring.store.status(of: owner).listed
      return Row(owner: owner, secrets: secrets, status: words, isGood: isGood, code: code)
    }
  }

  package func text(width: Int?, palette: Palette) -> String {
    guard !rows.isEmpty else {
      return isPartial ? "no keys can be read\n" : "no keys are stored; run: market keys add NAME\n"
    }
    var table = Table(columns: [.init("exchange"), .init("secrets"), .init("requests")])
    for row in rows {
      let secrets = row.secrets.map { "\($0.name) (\($0.origin.word))" }.joined(separator: ", ")
      table.addRow([
        StyledText(TerminalText.sanitized(row.owner)), StyledText(TerminalText.sanitized(secrets)),
        StyledText(row.status, row.isGood ? .dim : .warning),
      ])
    }
    return table.rendered(width: width, palette: palette)
  }

  package var json: JSONValue {
    [
      "keys": .list(rows) { row in
        [
          "name": .string(row.owner),
          "secrets": .list(row.secrets) { ["name": .string($0.name), "from": .string($0.origin.word)] },
          "requests": .text(row.code),
        ]
      }
    ]
  }
}

extension Credentials.Origin? {
  /// The source of a secret.
  var word: String {
    switch self {
    case .file: "file"
    case .program: "command"
    case .environment: "environment"
    case nil: "unusable"
    }
  }
}

extension KeyAllowance.Status {
  fileprivate var listed: (code: String, words: String, isGood: Bool) {
    switch self {
    case .needless: ("none", "need no key", true)
    case .shipped: ("shipped", "ship with the program", true)
    case .allowed: ("allowed", "allowed", true)
    case .notAllowed: (NotSent.notAllowed.rawValue, "not allowed", false)
    case .invalidBlock: (NotSent.invalidBlock.rawValue, "invalid block", false)
    }
  }
}
