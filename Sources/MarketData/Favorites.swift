import JSON
package import Quotes

/// The pairs that a user has marked, in a file of their own beside the config: a JSON array of texts such as `"BTC/KRW"`.
package struct Favorites: Sendable, Hashable {
  /// In the order in which they were marked, each once.
  package private(set) var pairs: [Pair] = []

  package init(_ pairs: [Pair] = []) {
    for pair in pairs { insert(pair) }
  }

  /// - Returns: false where it was there already.
  @discardableResult package mutating func insert(_ pair: Pair) -> Bool {
    guard !pairs.contains(pair) else { return false }
    pairs.append(pair)
    return true
  }

  /// - Returns: false where it was not there.
  @discardableResult package mutating func remove(_ pair: Pair) -> Bool {
    guard let place = pairs.firstIndex(of: pair) else { return false }
    pairs.remove(at: place)
    return true
  }

  /// More are no favourites any more; a file with more is somebody's mistake.
  package static let most = 1000

  /// - Throws: a sentence with line and column.
  package init(reading bytes: [UInt8]) throws(UserFileProblem) {
    let elements = try UserFileProblem.elements(of: bytes, "pairs", most: Self.most, "pairs")
    for (place, element) in elements.enumerated() {
      guard let text = element.string, let pair = Pair(text) else {
        throw .unreadable("element \(place + 1) is no pair such as \"BTC/USDT\"")
      }
      insert(pair)
    }
  }

  /// The text of the file: a pair a line.
  package var bytes: [UInt8] { JSONValue.texts(pairs.map(\.description)).written(indent: 2) + Array("\n".utf8) }
}

/// The file of the favourites.
package struct FavoritesFile: UserList {
  package static let empty = Favorites()
  private let file: UserFile

  package var path: String { file.path }

  /// - Parameter folder: that of the user's config.
  package init(in folder: String) { file = UserFile(path: "\(folder)/favorites.json") }

  /// The favourites; none where there is no file.
  package func read() throws(UserFileProblem) -> Favorites { try file.read(Self.favorites) }

  private static func favorites(_ bytes: [UInt8]?) throws(UserFileProblem) -> Favorites {
    if let bytes { try Favorites(reading: bytes) } else { empty }
  }

  /// Changes the favourites and writes them in one step: of two programs that change them at once, both changes hold.
  ///
  /// - Parameter change: returns whether it changed anything; without a change nothing is written.
  /// - Returns: the favourites afterwards.
  /// - Throws: also where the file cannot be understood: what the user has written is never overwritten.
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
