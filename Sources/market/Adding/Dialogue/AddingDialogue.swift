import Config
import Files
import HTTP
import Inference
import Quotes
import Terminal
import Transport

/// Adds an exchange step by step with a person who has nothing but an address, a curl line or a file.
///
/// Every question has a default that an empty line takes, and the end of the input ends all: nothing is written before
/// the last question.
struct AddingDialogue {
  let questioner: Questioner
  let context: Context
  let handler: HTTPHandler
  /// What the options say of a request.
  var flags = RequestFlags()
  /// What fills `{asset}` and `{payment}` of an address.
  var pair: Pair?

  // MARK: The sample

  /// Asks for the sample until there is one that says something.
  func sample(named name: String?, _ hints: SampleHints) async throws -> Sample {
    questioner.say(
      "Where do the tickers come from? Give one of\n"
        + "  an address       https://api.example.com/v1/tickers\n"
        + "  a curl line      curl 'https://api.example.com/v1/tickers' -H 'X: y'\n"
        + "  a saved answer   tickers.json")
    while true {
      let text = try questioner.ask("address, curl line or file:")
      if text.isEmpty { continue }
      do {
        let sample = try await sample(at: text, named: name ?? "sample")
        do {
          _ = try ExchangeInference(sample.bytes, hints).proposal()
          return sample
        } catch .oneRow {
          // It says enough: which pair it is about is asked next.
          return sample
        } catch {
          questioner.say("\(error)")
          let outline = ResponseOutline(sample.bytes)
          if outline.isJSON { questioner.say("it is " + outline.lines.joined(separator: "\n")) }
        }
      } catch let problem as UsageProblem {
        questioner.say("\(problem)")
      } catch let error as FileError {
        questioner.say("\(error)")
      } catch CommandError.noAnswer(let reason) where reason != Questioner.stopReason {
        questioner.say(reason)
      }
    }
  }

  private func sample(at text: String, named name: String) async throws -> Sample {
    guard Self.isCommand(text) else {
      return try await SampleSource(typed: Self.unquoted(text)).adding(flags).sample(
        answering: nil, named: name, pair: pair, in: context, by: handler)
    }
    let request = try request(ofLine: text)
    return try await SampleSource.wire(request).sample(
      answering: request, named: name, pair: pair, in: context, by: handler)
  }

  /// What a curl line asks that begins like this, with what the options say of it.
  private func request(ofLine text: String) throws -> SampleRequest {
    let line = try wholeLine(text)
    let curl: CurlLine
    do { curl = try CurlLine(line) } catch { throw UsageProblem.other("\(error)") }
    for note in curl.notes { questioner.say(note) }
    var request = curl.request
    flags.apply(to: &request)
    return request
  }

  /// Asks for the address of a saved answer, which does not say where it is from; a curl line does as well.
  func address() throws -> SampleRequest {
    questioner.say("\nThe saved answer does not say where it is from.")
    while true {
      let text = try questioner.ask("which address gives it, or which curl line?")
      if text.isEmpty { continue }
      do {
        guard !Self.isCommand(text) else { return try request(ofLine: text) }
        guard case .wire(var request) = SampleSource(typed: Self.unquoted(text)) else {
          throw UsageProblem.other("write it as https://api.example.com/v1/tickers")
        }
        _ = try request.address()
        flags.apply(to: &request)
        return request
      } catch let problem as UsageProblem {
        questioner.say("\(problem)")
      }
    }
  }

  /// Whether a line is what a shell would be given, by curl's name or by that of what browsers offer beside it.
  private static func isCommand(_ text: String) -> Bool {
    let words = text.split(whereSeparator: \.isWhitespace)
    let first = words.first == "$" || words.first == "%" || words.first == ">" ? words.dropFirst().first : words.first
    guard let first else { return false }
    let names = [
      "curl", "curl.exe", "wget", "http", "https", "await", "invoke-webrequest", "invoke-restmethod", "iwr", "irm",
    ]
    return names.contains(first.lowercased()) || first.hasSuffix("/curl") || first.hasPrefix("$session")
      || first.hasPrefix("fetch(")
  }

  /// A pasted curl line often goes on behind a backslash or within quotes.
  private func wholeLine(_ first: String) throws -> String {
    var line = first
    while true {
      do {
        _ = try CommandPromptWords.isNeeded(line) ? CommandPromptWords(line).words : ShellWords(line)
        return line
      } catch {
        guard case .unfinished = error else { return line }
        line += "\n" + (try questioner.askLine(">"))
      }
    }
  }

  /// A path as a shell or a file manager quotes it.
  private static func unquoted(_ text: String) -> String {
    for quote in ["'", "\""] where text.count > 1 && text.hasPrefix(quote) && text.hasSuffix(quote) {
      return String(text.dropFirst().dropLast())
    }
    return text
  }

  // MARK: What it holds

  /// Shows the response and asks where its rows are; the rest is asked where it is unsure.
  func answers(to sample: Sample, _ options: AddingOptions) throws -> AddingAnswers {
    questioner.say("\nThe answer is " + ResponseOutline(sample.bytes).lines.joined(separator: "\n"))
    var answers = try AddingAnswers(sample.bytes, options, questioner)
    if options.hints.rows == nil { answers = try withRows(answers, sample, options) }
    if let symbol = answers.proposal.symbol, symbol.isSure, let pair = symbol.pairs.compactMap(\.self).first {
      questioner.say("\nThe pair: '\(symbol.example)' is \(pair.asset)/\(pair.payment)")
    }
    try answers.settle()
    try askPayments(&answers, options)
    return answers
  }

  private func withRows(
    _ answers: AddingAnswers, _ sample: Sample, _ options: AddingOptions
  ) throws -> AddingAnswers {
    let proposal = answers.proposal
    let count = proposal.rowCount == 1 ? "1 row" : "\(proposal.rowCount) rows"
    questioner.say("\nThe rows: one for each pair")
    let lines = ["\(proposal.rows)  \(count), \(proposal.shape)"] + proposal.otherRows
    while true {
      let choice = try questioner.choose(
        "a number, or a path such as $.data[*] [1]:", from: lines, byDefault: .number(0))
      let path: String
      switch choice {
      case .nothing, .number(0): return answers
      case .number(let number): path = proposal.otherRows[number - 1]
      case .text(let text): path = text
      }
      var hints = answers.hints
      hints.rows = path
      do {
        guard SampleHints.isPath(path) else { throw CommandError.noAnswer("'\(path)' is no path") }
        return try AddingAnswers(sample.bytes, options, hints, questioner)
      } catch CommandError.noAnswer(let reason) {
        questioner.say(reason)
      }
    }
  }

  private func askPayments(_ answers: inout AddingAnswers, _ options: AddingOptions) throws {
    guard options.hints.symbol.payments.isEmpty, let symbol = answers.symbol, symbol.source != .request else { return }
    let found = symbol.payments
    guard !found.isEmpty else { return }
    questioner.say("\nThe payment currencies: \(found.joined(separator: ", "))")
    while true {
      let answer = try questioner.ask("others, such as KRW,BTC, or nothing to take these:")
      let payments = AddingOptions.payments(in: answer)
      // Whoever means to name the exchange already would have a table that lists nothing.
      if let stranger = payments.first(where: { !symbol.mayPay(in: $0) }) {
        questioner.say("no row is paid in \(stranger)")
        continue
      }
      if !payments.isEmpty { answers.setPayments(payments) }
      return
    }
  }

  // MARK: The name

  /// - Parameter problem: why a name cannot be taken; nil where it can.
  func name(objecting problem: (String) throws -> String?) throws -> String {
    questioner.say("")
    while true {
      let name = try questioner.ask("what shall the exchange be called?")
      if name.isEmpty { continue }
      guard let problem = try problem(name) else { return name }
      questioner.say(problem)
    }
  }
}
