package import Config
package import Files
package import HTTP
package import Inference
import Lint
import MarketData
package import Quotes
import Shell
import Terminal

/// Why an exchange cannot be added. Facts only: `description` creates the sentence, `asError` determines the exit code.
package enum OnboardingProblem: Error, Sendable {
  // MARK: Options

  case usage(Usage)
  case invalidValue(option: String, value: String, expected: String)
  case curl(CurlLine.Problem)
  case plainHTTP(host: String)
  /// A URL without scheme where a file was expected.
  case looksLikeHost(String)
  case tickersNeedBase(path: String)
  case fieldNeeds(key: String)
  case partGivenTwice(String)
  case moreAnswersThanParts(of: String)
  case blockNeedsExchange(String, path: String)
  case blockNeedsAddress(BlockKind)
  case blockNamesNoPair(Pair)
  /// The address of an answer about one pair.
  case addressNamesOther(String, insteadOf: Pair)
  /// A parameter that occurs more than once, by its name.
  case parameterRepeats(String)
  /// The name or the text of the time, the template that may stand for it under this name, and whether nothing is against
  /// one but that the answer has candles on both sides of it.
  case blockRequestHoldsTime(String, template: String?, isBetween: Bool)

  // MARK: Results

  case sample(SampleProblem)
  /// No order book, trades or candles were found, which may be given instead.
  /// - Parameter missing: the keys of a block given as a whole that are not given.
  case blockNotFound(BlockKind, SampleProblem, missing: [String])
  case unsettled(SettledProposal.Objection)
  /// Required fields that nothing proves, and what may be the first of them.
  case blockUnproved(BlockKind, [String], guess: String?, mayNeedRows: Bool)
  /// The path that leads to those of all pairs in the answer.
  case blockOfSeveralPairs(BlockKind, path: String)
  case sizesCountMoney(setting: String)
  case sizesAreTooLarge(path: String, setting: String)
  case sizesMayCountContracts(path: String)
  case looksLikeFutures(sign: String)
  case unknownExchange(String, path: String, suggestion: String?)
  /// There is nothing to compare stream messages with.
  case noTableBeside(String, reason: String)
  case brokenExchange(String)
  case noMarket(Market, of: String)
  case nameTaken(NameProblem)
  case moved(place: String, status: Int, target: String?)
  case refused(place: String, status: Int, words: String)
  case transport(place: String, TransportError)
  case file(FileError)
  /// The user has ended the input.
  case stopped
  /// The terminal has truncated a line to this many bytes.
  case lineCut(limit: Int)

  // MARK: Config

  case configSyntax(ConfigSyntaxError)
  case configFindings([Finding])
  /// The file given as ready blocks is an exchange's answer.
  case looksLikeAnswer(String)
  case noBlock(path: String)
  case noHome
  case brokenConfig(path: String, String)
  case notAnObject(path: String, key: String?)

  /// What is wrong with the options whatever their values are, as the sentence itself.
  package enum Usage: String, Sendable {
    // The address itself may contain a secret.
    case noScheme = "an address begins with https:// (or http:// for this machine)"
    case hostIsVariable = "the host of the address is a variable; write its value"
    case noHost = "the address has no host"
    case notAnAddress = "not an address; write it like https://api.example.com/v1/tickers"
    case secretNeeded = "the request needs the secret itself; write its value, it stays out of the config"
    /// A part of the query that looks like a secret, where the name of a parameter should be.
    case secretWithoutName = "what looks like a secret has no name in the address; write it as NAME=SECRET"
    case pairNeeded = "missing pair to request; add --symbol BTC/KRW"
    case baseURLHoldsMore = "--base-url takes a host, with a path if needed, and nothing else"
    case tickerHoldsSecret = "write a secret in --ticker as {secret:name}; it is filled from credentials.json"
    case tickerNamesNoPair = "--ticker requests one pair; write {asset} and {payment} where it names the pair"
    case tickerOfOnePair = "the answer is already about one pair; use --tickers to give the request for one pair"
    case tickersMissing = "missing address of the answer; add --tickers https://api.example.com/tickers"
    case baseURLMissing = "missing host of the exchange; add --base-url https://api.example.com"
    case severalAnswers =
      "give one answer for a new exchange, the address of a saved one as --tickers; several only make sense with --like"
    /// Answers with and without tickers at once.
    case blocksComeLater = "add the exchange with its tickers first, then its order books, trades and candles"
    /// One URL for several answers.
    case blocksShareNoAddress = "one address gives one answer; add the others one at a time"
  }

  /// Why a name cannot be used.
  package enum NameProblem: Hashable, Sendable {
    case own(String, path: String)
    case shipped(String)
    case notALine
    case alias(String, of: String)
    /// Their recordings would be in the same folder.
    case alike(String, String)
  }
}

extension OnboardingProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .usage(let usage): usage.rawValue
    case .invalidValue(let option, let value, let expected):
      "invalid value '\(value)' for '\(option)'; expected \(expected)"
    case .curl(let problem): "\(problem)"
    case .plainHTTP(let host): "plain http:// is for this machine only; write https://\(host)"
    case .looksLikeHost(let address): "no such file; an address begins with \(address)"
    case .tickersNeedBase(let path): "--tickers \(path) is a path; add --base-url https://api.example.com"
    case .fieldNeeds(let key): "a path alone is not enough here; add --set \(key)=…"
    case .partGivenTwice(let part): "--from-sample gives '\(part)' twice"
    case .moreAnswersThanParts(let exchange): "there are more answers than '\(exchange)' has parts"
    case .blockNeedsExchange(let name, let path):
      "\(path) has no exchange '\(name)'; add it with its tickers first: market add-exchange NAME SOURCE"
    case .blockNeedsAddress(let kind):
      "missing address of the \(kind.singular); add --url https://… as it was requested"
    case .blockNamesNoPair(let pair):
      "the request names \(pair) neither by its currencies nor by the symbol of the recorded table; give the one that "
        + "the answer came from, or the same with {symbol} where it names the pair, with --url or as a curl line"
    case .addressNamesOther(let other, let pair):
      "the address names \(other), not \(pair); give the address that the answer came from"
    case .parameterRepeats(let name):
      "'\(name)' of the address is repeated, which a config does only for each key of a batch; give an address of all "
        + "pairs or of one, or write \"query\": { \(ConfigValue.quoted(name)): [\"{keys}\"] } with a lookup of all names and "
        + "\"batch\": { \"of\": \"LOOKUP\" } into the config, see docs/config.md"
    case .blockRequestHoldsTime(let name, let template, let isBetween):
      "'\(name)' of the address is a time "
        + (isBetween ? "between the first and the last candle of the answer" : "that no template represents")
        + "; give the address without it"
        + (template.map { ", and a template such as --set " + "candles.request.query.\(name)=\($0)".shellQuoted } ?? "")
    case .blockUnproved(let kind, let names, let guess, let mayNeedRows):
      "the numbers do not prove \(names.joined(separator: ", ")); "
        + (mayNeedRows ? "give an answer with more rows, or " : "")
        + (guess.map { "if it is right --set " + "\(kind.rawValue).\($0)".shellQuoted }
          ?? "say where \(names.first ?? "") is with --set "
          + "\(kind.rawValue).\(kind == .orderbook ? "" : "fields.")\(names.first ?? "")=…")
    case .blockOfSeveralPairs(let kind, let path):
      "the answer has the \(kind.singular) of several pairs, all of which \(path) leads to; give the answer to a "
        + "request for one pair"
    case .sizesCountMoney(let setting):
      "the sizes of the levels are amounts of money; divide them by the price with --set "
        + "orderbook.\(setting)".shellQuoted
    case .sizesAreTooLarge(let path, let setting):
      "the sizes of the levels are too large for coins; if they are amounts of money, divide them by the price with "
        + "--set " + "orderbook.\(setting)".shellQuoted + "; if they count a smaller unit, say which with --set "
        + "orderbook.size={ \"path\": \(ConfigValue.quoted(path)), \"scale\": \"0.001\" }".shellQuoted
    case .sizesMayCountContracts(let path):
      "the sizes of the levels are whole numbers and too large for coins; if they count contracts, give the size of one "
        + "with --set " + "orderbook.size={ \"path\": \(ConfigValue.quoted(path)), \"scale\": \"SIZE\" }".shellQuoted
    case .sample(.oneRow(let path)): "\(SampleProblem.oneRow(path: path)): --symbol ASSET/PAYMENT"
    case .sample(let problem): "\(problem)" + (problem.mayHavePrice ? Self.givenPrice : "")
    case .blockNotFound(_, .emptySide(let path), _): "\(SampleProblem.emptySide(path: path))"
    case .blockNotFound(let kind, let problem, let missing):
      (missing.count == kind.neededKeys.count
        ? "\(problem); if it has, say where with "
        : "only a part of the \(kind.singular) is given, and the sample does not show the rest; add ")
        + missing.map { "--set \(kind.rawValue).\($0)=…" }.joined(separator: " ")
    case .unsettled(let objection): "\(objection)"
    case .looksLikeFutures(let sign):
      "these look like futures: \(sign); add --market futures, or --market spot if they are not"
    case .unknownExchange(let name, let path, let suggestion):
      "unknown exchange '\(name)' in \(path)" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
    case .noTableBeside(let name, let reason):
      "the table of \(name) has no rows to compare the messages with: \(reason)"
    case .brokenExchange(let name): "the block of '\(name)' itself has errors; run: market validate-config"
    case .noMarket(let market, let name): "'\(name)' has no \(market.rawValue) market"
    case .nameTaken(.own(let name, let path)):
      "\(path) already has an exchange '\(name)'; remove it first with remove-exchange"
    case .nameTaken(.shipped(let name)): "an exchange '\(name)' ships with the program; choose another name"
    case .nameTaken(.notALine): "a name must be one line of text"
    case .nameTaken(.alias(let name, let other)):
      "the exchange '\(other)' is also called '\(name)'; choose another name"
    case .nameTaken(.alike(let name, let other)):
      "recordings of '\(name)' would be in the folder of those of '\(other)'; choose another name"
    case .moved(let place, let status, let target):
      "\(place) answered with status \(status): it has moved" + (target.map { " to \($0)" } ?? "")
    case .refused(let place, let status, let words):
      "\(place) answered with status \(status)" + (words.isEmpty ? "" : ": \(words)")
        + (status == 405 ? Self.otherMethod : "")
    case .transport(let place, let error): "\(place): \(error)"
    case .file(let error): "\(error)"
    case .stopped: "stopped; nothing was written"
    case .lineCut(let limit):
      "the terminal takes lines of at most \(limit) bytes and cut this one off; put it into a file and use "
        + "--from-curl - < FILE; nothing was written"
    case .configSyntax(let error): "\(error)"
    case .configFindings(let findings): findings.first?.sentence ?? "the config has errors"
    case .looksLikeAnswer(let path):
      "\(path) looks like an answer of an exchange, not a block; run: market add-exchange NAME \(path)"
    case .noBlock(let path): "\(path) has no exchange; write { \"NAME\": { … } }"
    case .noHome: "no home folder to keep a config in; name a file with --config"
    case .brokenConfig(let path, let reason): "\(path) is not valid JSON: \(reason)"
    case .notAnObject(let path, nil): "\(path) is not an object; a config begins with { \"version\": 1 }"
    case .notAnObject(let path, let key?): "'\(key)' of \(path) is not an object"
    }
  }
}

extension OnboardingProblem {
  private static let otherMethod =
    "; the address takes another method: give the request as a curl line, such as --from-curl 'curl -X POST ADDRESS'"

  private static let givenPrice = ", or say how it is read with --price PATH or --set fields.price=…"

  /// The corresponding error for the user, with its exit code.
  package var asError: any Error {
    switch self {
    case .usage, .invalidValue, .curl, .plainHTTP, .looksLikeHost, .tickersNeedBase, .fieldNeeds, .partGivenTwice,
      .moreAnswersThanParts, .blockNeedsExchange, .blockNeedsAddress, .blockNamesNoPair, .addressNamesOther,
      .parameterRepeats, .blockRequestHoldsTime, .unknownExchange:
      UsageProblem.other("\(self)")
    case .sample, .blockNotFound, .unsettled, .blockUnproved, .blockOfSeveralPairs, .sizesCountMoney, .sizesAreTooLarge,
      .sizesMayCountContracts, .looksLikeFutures, .noTableBeside, .brokenExchange, .noMarket, .nameTaken, .moved,
      .refused, .transport, .stopped, .lineCut, .looksLikeAnswer, .noBlock, .noHome:
      CommandError.noAnswer("\(self)")
    case .brokenConfig, .notAnObject: CommandError.invalidConfig("\(self)")
    case .configSyntax(let error): ConfigProblem.syntax(error)
    case .configFindings(let findings): CommandError.diagnostics(SourceDiagnostic.list(findings), .invalidConfig)
    case .file(let error): error
    }
  }
}

extension SampleProblem {
  /// Whether it may be a table of tickers for someone who knows what its last price is.
  fileprivate var mayHavePrice: Bool {
    switch self {
    case .noTicker, .otherKind(.offers, _), .otherKind(.marks, _): true
    default: false
    }
  }
}

extension BlockKind {
  /// The keys without which a block reads nothing.
  var neededKeys: [String] {
    let fields = BlockProposal.needed(of: self)
    return self == .orderbook
      ? fields : (self == .candles ? ["intervals", "rows"] : ["rows"]) + fields.map { "fields.\($0)" }
  }
}
