package import Config
package import HTTP
import JSON
import JSONPath
package import Quotes

/// The compiled table for the permissions of a key.
package final class PermissionPlan: Sendable {
  package let spec: TableSpec
  private let reading: PlaceReading
  /// By list, as the conditions of `reading` are.
  private let words: [[IRegexp]]
  /// The number of lists about trading; the others are about withdrawing.
  private let tradeCount: Int
  private let rights: PathSpec?
  /// Every word whose meaning is known.
  private let knownWords: [IRegexp]
  private let addresses: PathSpec?

  package init(_ permissions: AccountSpec.Permissions) {
    spec = permissions.part.table
    let signs = permissions.trade + permissions.withdraw
    tradeCount = permissions.trade.count
    words = signs.map { $0.compactMap(\.word) }
    rights = permissions.rights
    knownWords = words.flatMap(\.self) + permissions.neither
    addresses = permissions.addresses
    reading = PlaceReading(
      spec, values: [permissions.expires], conditions: signs.map { $0.compactMap(\.condition) })
  }

  /// - Throws: `AnswerFailure` if the response is an error, or fails its success conditions.
  package func permissions(
    in answer: HTTPResponse, _ context: ReadingContext
  ) throws(AnswerFailure) -> KeyPermissions {
    let document = try AnswerReader.tree(answer, hook: spec.hook, hooks: context.hooks, success: spec.success)
    try AnswerReader.requireSuccess(of: answer, document, spec.success)
    let root = TreeRow(document.root)
    let origins = try addresses.flatMap { path throws(AnswerFailure) in try Self.origins(root, path) }
    let found = try rights.flatMap { path throws(AnswerFailure) in try Self.words(root, path) }
    return reading.read(root, context) { reader, place in
      let decisions = zip(reading.conditions, words).map { conditions, words in
        (conditions.map { reader.decision($0, at: place) } + words.map { decision($0, among: found) }).all
      }
      return KeyPermissions(
        trade: Self.right(decisions.prefix(tradeCount)), withdraw: Self.right(decisions.dropFirst(tradeCount)),
        expires: reading.values[0].flatMap { Self.end(reader, $0, at: place) }, origins: origins)
    }
  }

  /// Returns whether one of the words of the rights is this one; nil if they are unknown, or the meaning of one is.
  private func decision(_ word: IRegexp, among found: [String]?) -> Bool? {
    guard let found else { return nil }
    if found.contains(where: word.matchesWhole) { return true }
    return found.allSatisfy { text in knownWords.contains { $0.matchesWhole(text) } } ? false : nil
  }

  /// Returns the words for the rights of the key; nil if nothing says what they are. A path that selects some of many has
  /// an answer even if it selects none; a text without a word is one that nobody knows. Only a text in place of the whole
  /// list is taken apart: a word of a list may have blanks and commas.
  private static func words(_ root: TreeRow, _ path: PathSpec) throws(AnswerFailure) -> [String]? {
    let found = try root.nodes(at: path, of: "the rights")
    if found.isEmpty, path.query.isSingular { return nil }
    if path.query.isSingular, let text = found[0].string {
      let parts = text.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
      return parts.allSatisfy(\.isEmpty) ? [text] : parts.filter { !$0.isEmpty }
    }
    var words: [String] = []
    for node in found.flatMap({ $0.kind == .array ? Array($0.elements) : [$0] }) {
      guard let text = node.scalarText else { return nil }
      words.append(text)
    }
    return words
  }

  /// Returns the addresses in a text.
  private static func listed(in text: String) -> [String] { text.split { ",; ".contains($0) }.map(String.init) }

  /// Returns the expiry of the key. Nothing, null, an empty string and values listed as missing mean no expiry;
  /// anything else is a time, or unreadable.
  private static func end(
    _ reader: ValueReader<TreeRows>, _ value: ValuePlan, at place: RowPlace
  ) -> KeyPermissions.End? {
    let (instant, missing) = reader.time(value, at: place)
    if let instant { return .at(instant) }
    let isSaid = missing == .notANumber && reader.text(value, at: place)?.isEmpty == false
    return isSaid ? .unreadable : nil
  }

  /// The ways that exchanges write "any address".
  private static let everywhere: Set = ["*", "0.0.0.0", "0.0.0.0/0", "::/0"]

  private static func origins(
    _ root: TreeRow, _ path: PathSpec
  ) throws(AnswerFailure) -> KeyPermissions.Origins? {
    let found = try root.nodes(at: path, of: "the addresses")
    let nodes = found.flatMap { $0.kind == .array ? Array($0.elements) : [$0] }
    if nodes.contains(where: { $0.boolean == true }) { return .bound([]) }
    // As elsewhere, null says nothing; an empty list says that there is no restriction.
    guard found.contains(where: { [.array, .string].contains($0.kind) || $0.boolean == false }) else { return nil }
    let addresses = nodes.compactMap(\.string).flatMap(listed)
    return addresses.isEmpty || !everywhere.isDisjoint(with: addresses) ? .anywhere : .bound(addresses)
  }

  /// Combines the condition lists: one that holds suffices; if none does, a single unknown one makes the result
  /// unknown.
  private static func right(_ decisions: ArraySlice<Bool?>) -> KeyPermissions.Right {
    if decisions.contains(true) { return .yes }
    return decisions.isEmpty || decisions.contains(nil) ? .unknown : .no
  }
}
