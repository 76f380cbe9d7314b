import Cassettes
import Files
import MarketData
import Quotes

/// Where the recordings of an exchange are looked up: in the folder given on the command line, or else among those
/// recorded by the user, or else among those shipped with the program.
struct RecordingFolders: Sendable {
  /// A folder with the recordings of one exchange.
  struct Place: Hashable {
    let path: String
    /// Whether it ships with the program, so that nothing is written to it.
    let isShipped: Bool
  }

  /// Folders with a folder for each exchange; the first that has it is used.
  private let folders: [Place]
  /// A folder given on the command line, which may be that of the exchange itself.
  private let named: String?

  /// - Parameters:
  ///   - named: The folder given on the command line, which excludes all others.
  ///   - config: The config in use.
  ///   - locator: Finds the user's config and the shipped one, which may have recordings beside them.
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

/// The name of a recording, such as `spot-BTC-USDT` or `futures-NOPE_USDC-PERPETUAL`, and the pairs it may stand for.
struct RecordingName {
  private let words: [Substring]

  /// Returns nil if the name does not start with this word, or is not that of a pair.
  init?(_ entry: CassettePlayer.Entry, of kind: String) {
    let all = entry.name.split { !$0.isLetter && !$0.isNumber }
    let lead = kind.split(separator: "-")
    guard all.starts(with: lead) else { return nil }
    // If the kind has several words, the last one stands for all.
    words = Array(all.dropFirst(lead.count - 1))
    guard words.count >= 2, !["lookup", "tickers"].contains(words[1]) else { return nil }
  }

  /// The pair spelled by the name; nil if it is written differently.
  var pair: Pair? {
    words.count >= 3 ? Pair(asset: words[1].uppercased(), payment: words[2].uppercased()) : nil
  }

  /// Returns the possible pairs, with asset and payment currency anywhere in the name.
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
