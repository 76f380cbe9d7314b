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
}
