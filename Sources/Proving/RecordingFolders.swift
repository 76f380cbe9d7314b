import Cassettes
import Files
import MarketData

/// Where the recordings of an exchange are looked up: in the folder given on the command line, or else among those
/// recorded by the user, or else among those shipped with the program.
struct RecordingFolders: Sendable {
  /// A folder with the recordings of one exchange.
  struct Place: Hashable {
    let path: String
    /// Whether it ships with the program, so that nothing is written to it.
    let isShipped: Bool
  }

  /// Folders with a folder for each exchange, such as those beside the config and the shipped one; the first that has it
  /// is used.
  private let folders: [Place]
  /// The folder given on the command line, which excludes all others, and may be that of the exchange itself.
  private let named: String?

  init(named: String?, _ config: LoadedConfig, _ locator: ConfigLocator) {
    self.named = named
    if let named {
      folders = [Place(path: named, isShipped: false)]
      return
    }
    let shipped = (try? locator.shipped()).map { FileSystem.folder(of: $0.path) }
    let others = shipped.map { ["\($0)/cassettes", "\($0)/Tests/Cassettes"] } ?? []
    let folder = FileSystem.folder(of: config.found.path)
    let own = [folder, locator.userFolder ?? ""].filter { !$0.isEmpty }.map { "\($0)/cassettes" }.filter {
      !others.contains($0)
    }
    folders =
      own.map { Place(path: $0, isShipped: false) } + others.map { Place(path: $0, isShipped: true) }
  }

  /// Returns the location of an exchange's recordings; nil if there are none.
  func place(of exchange: String) -> Place? {
    let name = CassetteRecorder.safeFileName(exchange)
    for folder in folders where FileSystem.isFolder("\(folder.path)/\(name)") {
      return Place(path: "\(folder.path)/\(name)", isShipped: folder.isShipped)
    }
    guard let named, let names = try? FileSystem.names(in: named), names.contains(where: { $0.hasSuffix(".json") })
    else { return nil }
    return Place(path: named, isShipped: false)
  }

  /// The searched folders, for messages.
  var description: String { folders.map(\.path).joined(separator: ", ") }
}
