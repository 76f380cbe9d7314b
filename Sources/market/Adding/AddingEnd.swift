import Quotes
import Terminal

/// The end of every way to add an exchange: the lines that change, one last question, the file.
struct AddingEnd {
  let settings: AddingRun.Settings
  let questioner: Questioner
  let context: Context

  /// - Returns: whether the file was written.
  func write(_ draft: ConfigDraft) throws -> Bool {
    if settings.showsDifference { context.output.write(TerminalText.sanitizedLines(draft.difference)) }
    if settings.isDry { return false }
    if !settings.writesUnasked {
      guard questioner.isAsking else {
        context.note("nothing is written; say --yes to write \(TerminalText.sanitized(draft.path))")
        return false
      }
      guard try questioner.confirm("write \(draft.path)?") else {
        context.note("nothing is written")
        return false
      }
    }
    try draft.write()
    context.note("wrote \(TerminalText.sanitized(draft.path))")
    return true
  }

  /// Says what shows a price of the new exchange.
  ///
  /// - Parameters:
  ///   - pair: one that it has; nil where none is known.
  ///   - folder: the recording of a saved answer, whose address nobody has tried yet.
  func tell(_ name: String, _ pair: Pair?, market: Market, folder: String?) {
    guard let pair else { return }
    var words = ["show", pair.asset, pair.payment, "-e", Self.quoted(name)]
    if market == .futures { words += ["-m", "futures"] }
    if let config = settings.config { words += ["-c", Self.quoted(config)] }
    let command = "\(context.program) " + words.joined(separator: " ")
    context.note(TerminalText.sanitized("see a price: \(command)"))
    guard let folder else { return }
    context.note(TerminalText.sanitized("from the recording, without the network: add --replay \(Self.quoted(folder))"))
  }

  /// A word as a shell takes it for one.
  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_./+:=@%".unicodeScalars.contains($0)
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
