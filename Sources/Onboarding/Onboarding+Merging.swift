import Config
import Files
import HTTP
import Inference
import JSON
import Mapping
import Quotes
import Shell

extension Onboarding {
  /// Adds ready blocks, `{"Newex": {…}}` or a whole config: each is added unchanged, shown, and proved by its own
  /// requests.
  ///
  /// - Returns: Whether they are written, or would be without the dry run.
  mutating func merge(_ path: String) async throws -> Bool {
    let bytes = try FileSystem.read(path)
    let file: ConfigFile
    do { file = try ConfigFile(name: path, bytes: bytes) } catch { throw OnboardingProblem.configSyntax(error) }
    let members = file.root["exchanges"]?.members ?? file.root.members
    let hasBlock = members.contains { block in ["markets", "like", "baseUrls"].contains { block.value[$0] != nil } }
    if !hasBlock, (try? ExchangeInference(bytes).proposal()) != nil { throw OnboardingProblem.looksLikeAnswer(path) }
    guard !members.isEmpty, members.allSatisfy({ $0.value.json.kind == .object }) else {
      throw OnboardingProblem.noBlock(path: path)
    }
    let unchanged = draft
    let blocks = members.map { (name: $0.name, value: ConfigValue.raw($0.value.json.text)) }
    for block in blocks {
      if let problem = try draft.problem(with: block.name) { throw OnboardingProblem.nameTaken(problem) }
      try draft.add(block.name, block.value)
    }
    for block in blocks {
      let exchange: Exchange
      do { exchange = try draft.exchange(named: block.name) } catch {
        guard case .configFindings = error, case let own = try unchanged.findings(in: file), !own.isEmpty else {
          throw error
        }
        throw OnboardingProblem.configFindings(own)
      }
      if !options.isJSON { context.write(Self.text(of: block.value, named: block.name)) }
      for tables in exchange.markets { guard try await isProved(tables, of: exchange) else { return false } }
    }
    return try write() || options.isDry
  }

  /// Sends the first request of a ready block's market once and shows how the answer reads; returns false if it does
  /// not. Reports as unproved what cannot be requested here.
  private mutating func isProved(_ tables: ExchangeMarket, of exchange: Exchange) async throws -> Bool {
    let pair = options.hints.pair
    let isTable = !tables.tickers.isEmpty
    let subject = "\(exchange.name) \(tables.market.rawValue)"
    guard let spec = tables.firstTable, isTable || pair != nil else {
      context.note("\(subject) is not proved; name a pair to request with --symbol ASSET/PAYMENT")
      return true
    }
    lookups = [:]
    await requestLookups(of: exchange, tables.market, pair, nil)
    if let missing = spec.lookups.first(where: { $0.request != nil && lookups[$0.name] == nil }) {
      context.note("\(subject) is not proved: its rows need the answer of lookup \(missing.name)")
      return true
    }
    var writer = RequestWriter(spec, RequestContext(pair: isTable ? nil : pair, now: context.now()))
    let response: HTTPResponse
    do { response = try await context.handler(try writer.request(named: "sample")) } catch {
      context.note("\(subject) is not proved: \(error)")
      return true
    }
    // A denied request may succeed another day; any other answer must be readable by the block.
    guard response.status < 500, !HTTPResponse.isDenial(response.status) else {
      context.note("\(subject) is not proved: it answered with status \(response.status)")
      return true
    }
    let sample = try Sample(bytes: response.body, request: nil, arrival: response.arrival, name: subject)
    let preview = try self.preview(
      exchange, isTable ? .table(0) : .single(0), sample, pair, of: tables.market)
    if !options.isJSON { showRows(preview) }
    guard preview.isRead, preview.filled(.price) * 2 >= preview.rows else {
      context.note(
        "\(subject) does not read its answer: \(preview.failure ?? preview.reasonForNo(.price) ?? "it has no row")")
      return false
    }
    return try isTaken(preview.objection)
  }
}
