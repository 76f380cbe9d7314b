package import Files
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
  package init(reading bytes: [UInt8]) throws(FavoritesProblem) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw .unreadable("\(SourceMap(bytes).position(of: error.offset)): \(error.problem)")
    }
    guard document.root.kind == .array else { throw .unreadable("it is not an array of pairs") }
    guard document.root.count <= Self.most else { throw .unreadable("it has more than \(Self.most) pairs") }
    for (place, element) in document.root.elements.enumerated() {
      guard let text = element.string, let pair = Pair(text) else {
        throw .unreadable("element \(place + 1) is no pair such as \"BTC/USDT\"")
      }
      insert(pair)
    }
  }

  /// The text of the file: a pair a line.
  package var bytes: [UInt8] { JSONValue.texts(pairs.map(\.description)).written(indent: 2) + Array("\n".utf8) }
}

/// Why favourites cannot be had or kept.
package enum FavoritesProblem: Error, Sendable, Hashable {
  /// The file is there and cannot be understood.
  case unreadable(String)
  case file(FileError)
}

/// The file of the favourites.
package struct FavoritesFile: Sendable {
  private let file: UserFile

  package var path: String { file.path }

  /// - Parameter folder: that of the user's config.
  package init(in folder: String) { file = UserFile(path: "\(folder)/favorites.json") }

  /// The favourites; none where there is no file.
  package func read() throws(FavoritesProblem) -> Favorites {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try file.bytes() } catch { throw .file(error) }
    return try bytes.map { bytes throws(FavoritesProblem) in try Favorites(reading: bytes) } ?? Favorites()
  }

  /// Changes the favourites and writes them in one step: of two programs that change them at once, both changes hold.
  ///
  /// - Parameter change: returns whether it changed anything; without a change nothing is written.
  /// - Returns: the favourites afterwards.
  /// - Throws: also where the file cannot be understood: what the user has written is never overwritten.
  @discardableResult package func update(
    _ change: (inout Favorites) -> Bool
  ) throws(FavoritesProblem) -> Favorites {
    var favorites = Favorites()
    try file.update(FavoritesProblem.file) { old throws(FavoritesProblem) in
      favorites = try old.map { bytes throws(FavoritesProblem) in try Favorites(reading: bytes) } ?? Favorites()
      return change(&favorites) ? favorites.bytes : nil
    }
    return favorites
  }
}

/// The favourites of a running view, read again when their file has changed. A file that has become unreadable changes
/// nothing: what was read before holds.
package struct FollowedFavorites: Sendable {
  package let file: FavoritesFile
  package private(set) var favorites = Favorites()
  /// Why the file as it is now is not what holds; nil where it is.
  package private(set) var problem: FavoritesProblem?

  package init(_ file: FavoritesFile) {
    self.file = file
    refresh()
  }

  /// Reads the file.
  ///
  /// - Returns: whether favourites or problem have changed.
  @discardableResult package mutating func refresh() -> Bool {
    let before = (favorites, problem)
    do {
      favorites = try file.read()
      problem = nil
    } catch {
      problem = error
    }
    return before != (favorites, problem)
  }
}
