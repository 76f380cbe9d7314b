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
}

package struct FavoritesFile: UserList {
  package static let empty = Favorites()
  package let path: String

  /// - Parameter folder: The folder of the user's config.
  package init(in folder: String) { path = "\(folder)/favorites.json" }

  package func contents(of bytes: [UInt8]) throws(UserFileProblem) -> Favorites {
    var favorites = Favorites()
    let elements = try UserFileProblem.elements(of: bytes, "pairs", most: Favorites.maximumCount, "pairs")
    for (place, element) in elements.enumerated() {
      guard let text = element.string, let pair = Pair(text) else {
        throw .unreadable("element \(place + 1) is not a pair such as \"BTC/USDT\"")
      }
      favorites.insert(pair)
    }
    return favorites
  }

  package func bytes(of favorites: Favorites) -> [UInt8] {
    JSONValue.texts(favorites.pairs.map(\.description)).document + Array("\n".utf8)
  }
}
