import Cassettes
import Files
import MarketData
import Quotes

/// Where the recordings of an exchange are looked for: in the folder that the command line names, else among those that
/// the user has recorded, else among those that ship with the program.
struct RecordingFolders: Sendable {
  /// A folder with the recordings of one exchange.
  struct Place: Hashable {
    let path: String
    /// Nothing is written to those that ship with the program.
    let isShipped: Bool
  }

  /// The folders that hold one folder for each exchange; the first that has it counts.
  private let folders: [Place]
  /// A folder named on the command line may be that of the one exchange itself.
  private let named: String?

  /// - Parameters:
  ///   - named: the folder that the command line names; nothing else is looked at then.
  ///   - config: the config in use.
  ///   - locator: finds the user's own and the shipped one, which may have recordings beside them.
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

  /// Where the recordings of an exchange are; nil where there are none.
  func place(of exchange: String) -> Place? {
    let name = CassetteRecorder.safeFileName(exchange)
    for folder in folders where FileSystem.isFolder("\(folder.path)/\(name)") {
      return Place(path: "\(folder.path)/\(name)", isShipped: folder.isShipped)
    }
    guard let named, let names = try? FileSystem.names(in: named), names.contains(where: { $0.hasSuffix(".json") })
    else { return nil }
    return Place(path: named, isShipped: false)
  }

  /// The folders that are looked at, for a message.
  var description: String { folders.map(\.path).joined(separator: ", ") }
}

/// The name of a recording, such as `spot-BTC-USDT` or `futures-NOPE_USDC-PERPETUAL`, and the pairs that it may stand
/// for.
struct RecordingName {
  private let words: [Substring]

  /// nil where the name does not begin with that word, or is not that of one pair.
  init?(_ entry: CassettePlayer.Entry, of kind: String) {
    let all = entry.name.split { !$0.isLetter && !$0.isNumber }
    let lead = kind.split(separator: "-")
    guard all.starts(with: lead) else { return nil }
    // Of a name with several words the last stands for all.
    words = Array(all.dropFirst(lead.count - 1))
    guard words.count >= 2, !["lookup", "tickers"].contains(words[1]) else { return nil }
  }

  /// The pair that the name spells; nil where it is written in another way.
  var pair: Pair? {
    words.count >= 3 ? Pair(asset: words[1].uppercased(), payment: words[2].uppercased()) : nil
  }

  /// The pairs that may be meant, asset and payment currency in any place of the name.
  func guesses(payments: Set<String>) -> [Pair] {
    let words = words.dropFirst().map { $0.uppercased() }
    var assets: [String] = []
    for word in words where !payments.contains(word) {
      assets.append(word)
      for payment in payments where word.count > payment.count {
        if word.hasSuffix(payment) { assets.append(String(word.dropLast(payment.count))) }
        if word.hasPrefix(payment) { assets.append(String(word.dropFirst(payment.count))) }
      }
    }
    return assets.flatMap { asset in payments.sorted().map { Pair(asset: asset, payment: $0) } }
  }
}
