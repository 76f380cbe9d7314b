import Cassettes
import Files
import MarketData
import Transport

/// Where the recordings of an exchange are looked for: `--replay DIR`, else those that the user has recorded, else
/// those that ship with the program.
struct CassetteShelf {
  /// A folder with the recordings of one exchange.
  struct Place: Hashable {
    let folder: String
    /// Those that ship with the program are nobody's to write.
    let isShipped: Bool
  }

  /// The name of the file beside the recordings that says what they come to.
  static let recordName = "rows.tsv"

  /// The folders that hold one folder for each exchange, the first that has it counts.
  private let folders: [Place]
  /// A folder named on the command line may be that of the one exchange itself.
  private let named: String?

  /// - Parameters:
  ///   - named: the folder that the command line names; nothing else is looked at then.
  ///   - config: the path of the config in use.
  init(named: String?, config: String, in context: Context) {
    self.named = named
    if let named {
      folders = [Place(folder: named, isShipped: false)]
      return
    }
    var own = [config.parentFolder, context.paths.config ?? ""].filter { !$0.isEmpty }.map { "\($0)/cassettes" }
    let shipped = (try? ConfigLocator(context).shipped().path.parentFolder).map { folder in
      ["\(folder)/cassettes", "\(folder)/Tests/Cassettes"]
    }
    own.removeAll { shipped?.contains($0) == true }
    folders =
      own.map { Place(folder: $0, isShipped: false) } + (shipped ?? []).map { Place(folder: $0, isShipped: true) }
  }

  /// Where the recordings of an exchange are; nil where there are none.
  func place(of exchange: String) -> Place? {
    let name = CassetteRecorder.safeFileName(exchange)
    for place in folders {
      let folder = "\(place.folder)/\(name)"
      if FileSystem.isFolder(folder) { return Place(folder: folder, isShipped: place.isShipped) }
    }
    guard let named, let names = try? FileSystem.names(in: named), names.contains(where: { $0.hasSuffix(".json") })
    else { return nil }
    return Place(folder: named, isShipped: false)
  }

  /// The folders that were looked at, for a message.
  var description: String { folders.map(\.folder).joined(separator: ", ") }
}

extension String {
  /// The path without its last component; `.` for a bare name, empty at the root.
  fileprivate var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return String(self[..<slash])
  }
}
