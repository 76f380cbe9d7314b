import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization

/// A request and its result.
struct CapturedAnswer: Sendable {
  let request: HTTPRequest
  let outcome: Result<HTTPResponse, TransportError>

  /// The name prefix of lookup requests.
  private static let lookupPrefix = "lookup-"

  /// The response; nil if there was none.
  var response: HTTPResponse? { try? outcome.get() }

  /// The request, if no recording answers it: `GET https://…`.
  var unrecordedRequest: String? {
    if case .failure(.notInCassette(let request)) = outcome { request } else { nil }
  }

  /// Returns whether it is for a lookup; nil stands for the table itself.
  func isAbout(_ lookup: LookupSpec?) -> Bool {
    lookup.map { request.name == Self.lookupPrefix + $0.name } ?? !request.name.hasPrefix(Self.lookupPrefix)
  }
}

extension HTTPResponse {
  /// Returns the body as JSON, converted by a hook if it is not.
  func json(hook: String?, _ hooks: HookRegistry) -> [UInt8]? {
    guard let hook else { return body }
    return try? hooks[hook]?.json(from: body)
  }
}

extension AnswerBodies {
  /// - Parameter hook: Converts bodies to JSON, if they are not.
  init(_ responses: some Sequence<HTTPResponse>, hook: String?, _ hooks: HookRegistry) {
    // Of hundreds of single-pair answers, the first ones are representative.
    let first = responses.filter(\.isSuccessful).prefix(50)
    self.init(bodies: first.compactMap { $0.json(hook: hook, hooks) }, arrival: first.compactMap(\.arrival).max())
  }
}

/// Keeps every request that passes through, with its answer.
final class AnswerCapture: Sendable {
  private let kept = Mutex<[CapturedAnswer]>([])

  var answers: [CapturedAnswer] { kept.withLock { $0 } }

  func keep(_ answer: CapturedAnswer) { kept.withLock { $0.append(answer) } }

  func tapping(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      let outcome = await Result { () async throws(TransportError) in try await handler(request) }
      self.keep(CapturedAnswer(request: request, outcome: outcome))
      return try outcome.get()
    }
  }
}

extension MarketClient {
  /// Returns a client with every answer tapped and no cached lookups. Rate providers' budgets still apply: their
  /// earlier answers replace calls that are not yet allowed.
  func tapped(by tap: AnswerCapture) -> MarketClient {
    MarketClient(
      handler: tap.tapping(handler),
      rates: rates?.telling { request, response in
        tap.keep(CapturedAnswer(request: request, outcome: .success(response)))
      },
      credentials: credentials, configPath: configPath, hooks: hooks, now: now, timeLeft: timeLeft)
  }

  /// Returns a client that only has the answers to earlier requests, whatever they were for. It takes the time it needs,
  /// as nothing is requested.
  func repeating(_ answers: [CapturedAnswer]) -> MarketClient {
    MarketClient(
      handler: { request throws(TransportError) in
        let same = answers.first { answer in
          answer.request.method == request.method && answer.request.urls == request.urls
            && answer.request.body == request.body
        }
        guard let same else { throw .notInCassette("\(request.method) \(request.urls.first ?? "")") }
        return try same.outcome.get()
      }, credentials: credentials, configPath: configPath, hooks: hooks, now: now)
  }
}
