import HTTP
import JSON
import Quotes

/// The page on the exchange's own site where a pair is traded: `https://www.exchange.example/trade/{asset}_{payment}`.
package struct PageSpec: Sendable {
  /// The address as written in the config.
  package let text: String
  package let template: Template

  /// The root of the site: `https://www.exchange.example/`.
  package var root: String { "https://" + text.dropFirst(Self.scheme.count).prefix { !"/?#".contains($0) } + "/" }

  private static let scheme = "https://"

  /// Returns whether the address may be shown and followed: https only, with a non-local host given by name and without
  /// placeholders in it, and only RFC 3986 characters.
  fileprivate static func isAllowed(_ template: Template) -> Bool {
    guard case .text(let start)? = template.pieces.first, start.hasPrefix(scheme) else { return false }
    let host = start.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard host.endIndex < start.endIndex || template.pieces.count == 1, labels.count > 1,
      labels.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isOfHost) }), !HostName(of: host).isLocal
    else { return false }
    return template.pieces.allSatisfy { piece in
      if case .text(let text) = piece { text.utf8.allSatisfy(isOfAddress) } else { true }
    }
  }

  private static func isOfHost(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || byte == UInt8(ascii: "-") }

  private static func isOfAddress(_ byte: UInt8) -> Bool {
    isOfHost(byte) || "._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
  }
}

extension SpecReader {
  /// - Parameter constants: the names in the part's `set`.
  mutating func readPage(_ node: ConfigNode, constants: [String]) -> PageSpec? {
    let known = Template.PairPart.names + constants
    guard let text = readText(node), let template = readTemplate(node, known: known) else { return nil }
    for placeholder in template.placeholders {
      if let name = placeholder.nameOfRequests { report(.unknownPlaceholder(name, known: known, at: node.place)) }
    }
    guard PageSpec.isAllowed(template) else { return rejected(.invalidPage(text, at: node)) }
    return PageSpec(text: text, template: template)
  }
}

extension Template.Placeholder {
  /// The name of a placeholder that only requests can fill.
  fileprivate var nameOfRequests: String? {
    switch self {
    case .nowMilliseconds: "now.ms"
    case .nowSeconds: "now.s"
    case .date: "date"
    case .secret(let name): "secret:\(name)"
    case .pair, .keys, .count, .name, .from, .to, .interval: nil
    }
  }
}
