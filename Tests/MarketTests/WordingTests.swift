import Config
import Files
import Lint
import TestSupport
import Testing

@testable import Shell
@testable import market

/// The program's messages follow `docs/wording.md`.
@Suite struct WordingTests {
  /// The words in the column "avoid" of the page's last table.
  private static let avoided: [String] = {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let page = (try? FileSystem.read("/\(root)/docs/wording.md")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let rows = page.split(separator: "\n").drop { $0 != "| use | avoid |" }.dropFirst(2)
    return rows.flatMap { row in
      // Words in backticks are every other piece.
      row.split(separator: "|").last.map { $0.split(separator: "`", omittingEmptySubsequences: false) }?
        .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) } ?? []
    }
  }()

  /// Returns what is wrong with a message; empty if it follows the page.
  private static func flaws(_ message: String, isSentence: Bool = false) -> [String] {
    let words = " \(message.lowercased().map { $0.isLetter ? String($0) : " " }.joined()) "
    var flaws = avoided.filter { words.contains(" \($0.lowercased()) ") }.map { "says '\($0)'" }
    flaws += denials(in: message).map { "says '\($0)'" }
    if !isSentence {
      if message.hasSuffix(".") { flaws.append("ends with a full stop") }
      let first = message.prefix { $0.isLetter }
      // `JSON`, `USD` and `BTC/USDT` keep their capitals.
      if let letter = first.first, letter.isUppercase, first.dropFirst().contains(where: \.isLowercase),
        !isName(first)
      {
        flaws.append("begins with a capital")
      }
    }
    return flaws
  }

  /// Returns what is said to be "no" something instead of "not" one. That there is no such thing, or no longer, is said
  /// rightly.
  private static func denials(in text: String) -> [String] {
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.indices.dropFirst().dropLast().compactMap { index in
      guard words[index] == "no", ["is", "are"].contains(words[index - 1]),
        index < 2 || words[index - 2].lowercased() != "there",
        !["longer", "more"].contains(words[index + 1].prefix { $0.isLetter })
      else { return nil }
      return words[index - 1...index + 1].joined(separator: " ")
    }
  }

  private static func isName(_ word: Substring) -> Bool {
    Program.market.commands.flatMap(\.examples).contains { $0.line.contains(word) }
  }

  @Test func wordListIsRead() {
    #expect(Self.avoided.contains("anew"))
    #expect(Self.avoided.count > 15)
    #expect(Self.flaws("nobody asked") == ["says 'nobody'"])
    #expect(Self.flaws("Unknown exchange.") == ["ends with a full stop", "begins with a capital"])
    #expect(Self.flaws("the price is no last trade") == ["says 'is no last'"])
    #expect(Self.flaws("there is no price, and the pairs are no longer listed").isEmpty)
  }

  @Test(
    arguments: [
      .unknownCommand("x", suggestion: "y"), .unknownOption("--x", suggestion: "--y"), .optionBeforeCommand("--x"),
      .missingValue(option: "--x", valueName: "N"), .unexpectedValue(option: "--x", value: "v"),
      .invalidValue(option: "--x", value: "v", valid: ["a", "b", "c"]), .missingArgument("X"),
      .unexpectedArgument("x"), .conflict("--x", "--y"),
    ] as [UsageProblem])
  func usageProblems(_ problem: UsageProblem) {
    let message = problem.description
    #expect(Self.flaws(message).isEmpty)
    #expect(!message.contains("\""))
  }

  @Test(arguments: Program.market.commands.map(\.name))
  func help(_ name: String) throws {
    let command = try #require(Program.market.command(named: name))
    let phrases =
      [command.summary] + command.arguments.map(\.help) + command.options.map(\.help) + command.examples.map(\.meaning)
    for phrase in phrases { #expect(Self.flaws(phrase).isEmpty, "\(phrase)") }
    for paragraph in command.discussion { #expect(Self.flaws(paragraph, isSentence: true).isEmpty, "\(paragraph)") }
  }

  @Test(arguments: DiagnosticExplanation.all.map { "\($0.code.rawValue): \($0.title)" })
  func titlesOfFindings(_ title: String) {
    let phrase = String(title.drop { $0 != " " }.dropFirst())
    #expect(Self.flaws(phrase).isEmpty)
  }

  /// The page on wording itself has examples of what to avoid.
  @Test func pages() throws {
    let pages = try FileSystem.names(in: Checkout.path("docs")).filter { $0.hasSuffix(".md") && $0 != "wording.md" }
    for page in pages.map({ "docs/\($0)" }) + ["README.md", "exchanges.schema.json"] {
      let text = String(decoding: try FileSystem.read(Checkout.path(page)), as: UTF8.self)
      #expect(Self.denials(in: text) == [], "\(page)")
    }
  }

  @Test(arguments: ReasonExplanation.all.map(\.text)) func textsOfReasons(_ text: String) {
    #expect(Self.flaws(text).isEmpty)
  }
}
