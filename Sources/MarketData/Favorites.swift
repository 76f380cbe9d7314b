import JSON
package import Quotes

/// The pairs that a user has marked, in a file next to the config: a JSON array of strings such as `"BTC/KRW"`.
package struct Favorites: Sendable, Hashable {
  /// In the order in which they were added, without duplicates.
  package private(set) var pairs: [Pair] = []

  package init(_ pairs: [Pair] = []) {
    for pair in pairs { insert(pair) }
  }

  /// - Returns: false if it was already there.
  @discardableResult package mutating func insert(_ pair: Pair) -> Bool {
    guard !pairs.contains(pair) else { return false }
    pairs.append(pair)
    return true
  }

  /// - Returns: false if it was not there.
  @discardableResult package mutating func remove(_ pair: Pair) -> Bool {
    guard let place = pairs.firstIndex(of: pair) else { return false }
    pairs.remove(at: place)
    return true
  }

  /// The maximum number of favourites; a file with more is a mistake.
  package static let maximumCount = 1000

  /// - Throws: A message with line and column.
  package init(reading bytes: [UInt8]) throws(UserFileProblem) {
    let elements = try UserFileProblem.elements(of: bytes, "pairs", most: Self.maximumCount, "pairs")
    for (place, element) in elements.enumerated() {
      guard let text = element.string, let pair = Pair(text) else {
        throw .unreadable("element \(place + 1) is not a pair such as \"BTC/USDT\"")
      }
      insert(pair)
    }
  }

  /// The text of the file, one pair per line.
  package var bytes: [UInt8] { JSONValue.texts(pairs.map(\.description)).written(indent: 2) + Array("\n".utf8) }
}

/// The favourites file.
package struct FavoritesFile: UserList {
  package static let empty = Favorites()
  private let file: UserFile

  package var path: String { file.path }

  /// - Parameter folder: The folder of the user's config.
  package init(in folder: String) { file = UserFile(path: "\(folder)/favorites.json") }

  /// Returns the favourites; none if there is no file.
  package func read() throws(UserFileProblem) -> Favorites { try file.read(Self.favorites) }

  private static func favorites(_ bytes: [UInt8]?) throws(UserFileProblem) -> Favorites {
    if let bytes { try Favorites(reading: bytes) } else { empty }
  }

  /// Changes and writes the favourites atomically, so that concurrent changes by two programs are both kept.
  ///
  /// - Parameter change: Returns whether it changed anything; if not, nothing is written.
  /// - Returns: The resulting favourites.
  /// - Throws: Also if the file cannot be parsed, as the user's text is never overwritten.
  @discardableResult package func update(
    _ change: (inout Favorites) -> Bool
  ) throws(UserFileProblem) -> Favorites {
    var favorites = Self.empty
    try file.update { old throws(UserFileProblem) in
      favorites = try Self.favorites(old)
      return change(&favorites) ? favorites.bytes : nil
    }
    return favorites
  }
}
