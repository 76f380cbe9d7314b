import Inference
import Quotes

/// Adds an exchange step by step with a user who has just an address, a curl line or a file.
///
/// Every question has a default for an empty line, and the end of the input cancels everything: nothing is written
/// before the last question.
struct Dialogue {
  let context: OnboardingContext
  /// The pair for `{asset}` and `{payment}` in an address.
  let pair: Pair?

  // MARK: Sample

  /// Asks for samples until there is a usable one.
  func sample(named name: String?, _ hints: SampleHints) async throws(OnboardingProblem) -> Sample {
    context.say(
      "Where do the tickers come from? Give one of\n"
        + "  an address       https://api.example.com/v1/tickers\n"
        + "  a curl line      curl 'https://api.example.com/v1/tickers' -H 'X: y'\n"
        + "  a saved answer   tickers.json")
    while true {
      let text = try context.ask("address, curl line or file:")
      if text.isEmpty { continue }
      do throws(OnboardingProblem) {
        let sample = try await sample(at: text, named: name ?? "sample")
        guard let problem = Self.problem(of: sample, hints) else { return sample }
        context.say("\(problem)")
        let outline = ResponseOutline(sample.bytes)
        if outline.isJSON { context.say("it is " + outline.lines.joined(separator: "\n")) }
      } catch { try report(error) }
    }
  }

  /// Returns why a sample is unusable. A single row is enough: its pair is asked for next.
  private static func problem(of sample: Sample, _ hints: SampleHints) -> SampleProblem? {
    do throws(SampleProblem) {
      _ = try ExchangeInference(sample.bytes, hints).proposal()
      return nil
    } catch {
      if case .oneRow = error { return nil }
      return error
    }
  }

  private func sample(at text: String, named name: String) async throws(OnboardingProblem) -> Sample {
    let source =
      Self.isCommand(text) ? SampleSource.wire(try request(ofLine: text)) : SampleSource(typed: Self.unquoted(text))
    return try await source.sample(named: name, pair: pair, in: context)
  }

  /// Returns the request of a curl line that begins with this text.
  private func request(ofLine text: String) throws(OnboardingProblem) -> SampleRequest {
    let curl = try CurlLine.parsed(try wholeLine(text))
    for note in curl.notes { context.say(note) }
    return curl.request
  }

  /// Asks for the address of a saved answer, which does not contain it; a curl line is accepted as well.
  func address() throws(OnboardingProblem) -> SampleRequest {
    context.say("\nThe saved answer does not show where it came from.")
    while true {
      let text = try context.ask("which address or curl line gives it?")
      if text.isEmpty { continue }
      do throws(OnboardingProblem) {
        guard !Self.isCommand(text) else { return try request(ofLine: text) }
        guard case .wire(let request) = SampleSource(typed: Self.unquoted(text)) else { throw .usage(.notAnAddress) }
        _ = try request.address()
        return request
      } catch { try report(error) }
    }
  }

  /// Returns whether a line is a shell command: `curl …`, `$ /usr/bin/curl …`.
  private static func isCommand(_ text: String) -> Bool {
    let first = ShellWords.withoutPrompt(text).split(whereSeparator: \.isWhitespace).first
    return first.map { $0 == "curl" || $0.hasSuffix("/curl") } ?? false
  }

  /// Reads the rest of a pasted curl line, which often continues after a backslash or within quotes.
  private func wholeLine(_ first: String) throws(OnboardingProblem) -> String {
    var line = first
    while true {
      do throws(ShellWords.Problem) {
        _ = try ShellWords(line)
        return line
      } catch {
        guard case .unfinished = error else { return line }
      }
      line += "\n" + (try context.askLine(">"))
    }
  }

  /// Removes the quotes that a shell or file manager puts around a path.
  private static func unquoted(_ text: String) -> String {
    for quote in ["'", "\""] where text.count > 1 && text.hasPrefix(quote) && text.hasSuffix(quote) {
      return String(text.dropFirst().dropLast())
    }
    return text
  }

  // MARK: Content

  /// Shows the response and asks where its rows are, and about anything else that is uncertain.
  ///
  /// - Parameter isOfFutures: Returns whether the user says that the rows are futures; called if they look like it.
  func answers(
    to sample: Sample, _ options: OnboardingOptions,
    isOfFutures: (ExchangeProposal) throws(OnboardingProblem) -> Bool
  ) throws(OnboardingProblem) -> SettledProposal {
    context.say("\nThe answer is " + ResponseOutline(sample.bytes).lines.joined(separator: "\n"))
    var answers = try SettledProposal(sample.bytes, options, context)
    if options.hints.rows == nil { answers = try withRows(answers, sample, options) }
    if try isOfFutures(answers.proposal) {
      var hints = answers.hints
      hints.isFutures = true
      answers = try SettledProposal(sample.bytes, options, context, hints: hints)
    }
    if let symbol = answers.proposal.symbol, symbol.isSure, let pair = symbol.pairs.compactMap(\.self).first {
      context.say("\nThe pair: '\(symbol.example)' is \(pair)")
    }
    try answers.settle()
    try askPayments(&answers, options)
    return answers
  }

  /// Shows a problem before the question is asked again.
  ///
  /// - Throws: The problem, if it ends the run.
  private func report(_ problem: OnboardingProblem) throws(OnboardingProblem) {
    switch problem {
    case .stopped, .lineCut: throw problem
    default: context.say("\(problem)")
    }
  }

  private func withRows(
    _ answers: SettledProposal, _ sample: Sample, _ options: OnboardingOptions
  ) throws(OnboardingProblem) -> SettledProposal {
    let proposal = answers.proposal
    let count = proposal.rowCount.counted("row")
    context.say("\nThe rows: one for each pair")
    let lines = ["\(proposal.rows)  \(count), \(proposal.shape)"] + proposal.otherRows
    while true {
      let choice = try context.choose(
        "a number, or a path such as $.data[*] [1]:", from: lines, byDefault: .number(0))
      let path: String
      switch choice {
      case .nothing, .number(0): return answers
      case .number(let number): path = proposal.otherRows[number - 1]
      case .text(let text): path = text
      }
      var hints = answers.hints
      hints.rows = path
      guard SampleHints.isPath(path) else {
        context.say("'\(path)' is not a path")
        continue
      }
      do throws(OnboardingProblem) {
        return try SettledProposal(sample.bytes, options, context, hints: hints)
      } catch { try report(error) }
    }
  }

  private func askPayments(_ answers: inout SettledProposal, _ options: OnboardingOptions) throws(OnboardingProblem) {
    guard !options.keys.givesSymbol, let symbol = answers.symbol, symbol.source != .request else { return }
    let found = symbol.payments
    guard !found.isEmpty else { return }
    context.say("\nThe payment currencies: \(found.joined(separator: ", "))")
    while true {
      let example = found.prefix(2).joined(separator: ",")
      let answer = try context.ask("only some, such as \(example), or nothing to take these:")
      let typed = answer.split { $0 == "," || $0 == " " }.map(String.init)
      // Someone who has moved on to naming the exchange would otherwise get an empty table.
      if let stranger = typed.first(where: { !symbol.mayPay(in: $0) }) {
        context.say("no row is paid in \(stranger)")
        continue
      }
      // As the exchange spells them.
      let payments = typed.map { name in found.first { $0.lowercased() == name.lowercased() } ?? name.uppercased() }
      if !payments.isEmpty { answers.setPayments(payments) }
      return
    }
  }

  // MARK: Name

  func name(in draft: ConfigDraft) throws(OnboardingProblem) -> String {
    context.say("")
    while true {
      let name = try context.ask("what is the exchange called?")
      guard let problem = try draft.problem(with: name) else { return name }
      context.say("\(OnboardingProblem.nameTaken(problem))")
    }
  }
}
