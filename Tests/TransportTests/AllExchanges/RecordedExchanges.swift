import Files
import Quotes
import TestSupport

@testable import Cassettes
@testable import Transport

/// The project's cassettes behind one server on the loopback. The host of an exchange is the first part of the path there:
/// `/api.binance.com/api/v3/ticker/24hr` stands for `https://api.binance.com/api/v3/ticker/24hr`.
struct RecordedExchanges: Sendable {
  private let answers: [Cassette.Key: [UInt8]]
  /// The latest arrival of all cassettes: the time at which the exchanges are asked.
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

  /// What the exchange answered then; an error of its own for what it was never asked.
  ///
  /// - Parameter moment: the time that requests hold, as the clock filled it in.
  func answer(to request: LoopbackServer.Received, moment: String) -> [UInt8] {
    var key = Cassette.Key(method: request.method, url: "https:/\(request.target)", body: nil)
    key.url = key.url.split(separator: moment, omittingEmptySubsequences: false).joined(separator: "NOW")
    if !request.body.isEmpty { key.body = String(decoding: request.body, as: UTF8.self) }
    return answers[key] ?? Answer.ok("{}", status: "404 Not recorded")
  }

  /// The exchange's host, which stands first in the path.
  static func host(of request: LoopbackServer.Received) -> String {
    request.target.split(separator: "/").first.map(String.init) ?? ""
  }
}
