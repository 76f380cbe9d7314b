import Files
import Quotes
import TestSupport

@testable import Cassettes
@testable import Transport

/// The project's cassettes behind one server on the loopback interface. The first path component is the exchange's
/// host: `/api.binance.com/api/v3/ticker/24hr` stands for `https://api.binance.com/api/v3/ticker/24hr`.
struct RecordedExchanges: Sendable {
  private let answers: [Cassette.Key: [UInt8]]
  /// The latest arrival in all cassettes, used as the time of the requests.
  let time: Int64

  init() throws {
    var answers: [Cassette.Key: [UInt8]] = [:]
    var time: Int64 = 0
    let folder = Checkout.path("Tests/Cassettes")
    for exchange in try FileSystem.names(in: folder) where FileSystem.isFolder("\(folder)/\(exchange)") {
      for name in try FileSystem.names(in: "\(folder)/\(exchange)") where name.hasSuffix(".json") {
        let path = "\(folder)/\(exchange)/\(name)"
        let cassette = try Cassette(parsing: try FileSystem.read(path), file: path)
        time = max(time, cassette.arrival.nanoseconds)
        guard case .answer(let status, _, let body) = cassette.outcome else { continue }
        let bytes = try body.map { try FileSystem.read("\(folder)/\(exchange)/\($0)") } ?? []
        answers[cassette.key] = Answer.whole(bytes, status: "\(status) Recorded")
      }
    }
    self.answers = answers
    self.time = time
  }

  /// Returns the exchange's recorded response, or a specific error for a request that was not recorded.
  ///
  /// - Parameter moment: the time in the request, as filled in by the clock.
  func answer(to request: LoopbackServer.Received, moment: String) -> [UInt8] {
    var key = Cassette.Key(method: request.method, url: "https:/\(request.target)", body: nil)
    key.url = key.url.split(separator: moment, omittingEmptySubsequences: false).joined(separator: "NOW")
    if !request.body.isEmpty { key.body = String(decoding: request.body, as: UTF8.self) }
    return answers[key] ?? Answer.ok("{}", status: "404 Not recorded")
  }

  /// Returns the exchange's host, the first path component.
  static func host(of request: LoopbackServer.Received) -> String {
    request.target.split(separator: "/").first.map(String.init) ?? ""
  }
}
