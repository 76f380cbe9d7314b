import Config
import Inference
import JSON
import Quotes

extension ConfigValue {
  /// Generalizes paths with members named after the sample's pair, as their names differ for other pairs.
  ///
  ///     $.result.XXBTZUSD.bids[*]  becomes  $.result.*.bids[*]
  ///     $['btc-usdt'].timestamp    becomes  $['{asset|lower}-{payment|lower}'].timestamp
  ///
  /// - Parameter isOne: Whether the path must lead to one value, which a template does and `*` need not.
  func ofAnyPair(_ pair: Pair, called assets: [String], isOne: Bool = false) -> ConfigValue {
    switch self {
    case .null, .bool, .number, .raw: return self
    case .list(let values): return .list(values.map { $0.ofAnyPair(pair, called: assets, isOne: isOne) })
    case .object(let members):
      return .object(
        members.map { name, value in
          (name, value.ofAnyPair(pair, called: assets, isOne: isOne || Self.namesOne(name)))
        })
    case .text(let text): return text.hasPrefix("$") ? .text(Self.path(text, ofAny: pair, assets, isOne)) : self
    }
  }

  /// Returns a path that would lead to more than the pair's own, as its answer has others beside it under their names; nil
  /// if there is none.
  ///
  /// - Parameters:
  ///   - root: The pair's answer.
  ///   - isOne: As for `ofAnyPair`: a template leads to the pair's own.
  func pathToOthers(
    than pair: Pair, called assets: [String], in root: JSONNode, isOne: Bool = false
  ) -> String? {
    switch self {
    case .null, .bool, .number, .raw: return nil
    case .list(let values):
      return values.lazy.compactMap { $0.pathToOthers(than: pair, called: assets, in: root, isOne: isOne) }.first
    case .object(let members):
      return members.lazy.compactMap { name, value in
        value.pathToOthers(than: pair, called: assets, in: root, isOne: isOne || Self.namesOne(name))
      }.first
    case .text(let text):
      guard text.hasPrefix("$") else { return nil }
      let general = Self.path(text, ofAny: pair, assets, isOne)
      return BlockProposal.count(at: general, in: root) > BlockProposal.count(at: text, in: root) ? general : nil
    }
  }

  /// Returns whether a key of a block has a path to one value of the whole answer.
  private static func namesOne(_ key: String) -> Bool { ["time", "sequence"].contains(key) }

  private static func path(_ text: String, ofAny pair: Pair, _ assets: [String], _ isOne: Bool) -> String {
    var path = ""
    var rest = text[...]
    while let first = rest.first {
      // `.name` or `['name']`; anything else is kept.
      let isQuoted = rest.hasPrefix("['")
      guard isQuoted || first == "." else {
        path.append(rest.removeFirst())
        continue
      }
      let opening = isQuoted ? 2 : 1
      let name = rest.dropFirst(opening).prefix { isQuoted ? $0 != "'" : $0 != "." && $0 != "[" }
      let length = opening + name.count + (isQuoted ? 2 : 0)
      if names(name, pair, assets) {
        path += (isOne ? template(of: name, pair) : nil).map { "['\($0)']" } ?? ".*"
      } else {
        path += rest.prefix(length)
      }
      rest = rest.dropFirst(length)
    }
    return path
  }

  /// Returns the template of a name that consists of the two codes; nil if it is spelled in another way.
  private static func template(of name: Substring, _ pair: Pair) -> String? {
    pair.spellings(around: ["", "-", "_", "/", ":"]).first { name == $0.text }?.template
  }

  private static func names(_ name: Substring, _ pair: Pair, _ assets: [String]) -> Bool {
    let letters = name.uppercased()
    return assets.contains { String(name) == $0 || letters.contains($0) && letters.contains(pair.payment) }
  }
}
