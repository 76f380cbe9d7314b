import HTTP
import TestSupport
import Testing

@testable import Transport

@Suite struct OpenFileBudgetTests {
  /// Files, streams; the most connections, and whether another stream has room.
  @Test(arguments: [
    (32, 0, 2, true), (36, 0, 3, true), (28, 0, 1, false), (7, 0, 1, false), (256, 0, 58, true), (256, 100, 133, true),
    (256, 227, 228, true), (256, 228, 229, false), (4096, 0, 1018, true), (4096, 1000, 1768, true),
  ])
  func connections(_ files: Int, _ streams: Int, _ connections: Int, _ hasRoom: Bool) {
    let budget = OpenFileBudget(files: files)
    #expect(budget.connections(with: streams) == connections)
    #expect(budget.hasRoomForStream(besides: streams) == hasRoom)
  }

  /// Requests for which there are no files wait for others, and fail in no other way.
  @Test func requestsWaitForConnections() async throws {
    let servers = try (0..<12).map { number in try LoopbackServer { _ in [.bytes(Answer.ok("\(number)"))] } }
    defer { for server in servers { server.stop() } }
    let loop = CurlLoop(
      settings: CurlSettings(
        userAgent: "market/test", connectTimeout: 120_000_000_000, proxy: "", maximumBytes: 1000,
        openFiles: OpenFileBudget(files: 32)))
    defer { loop.stop() }
    let bodies = try await withThrowingTaskGroup(of: String.self) { group in
      for server in servers {
        group.addTask {
          String(decoding: try await loop.send(.to(server.url("/")), timeout: 120_000_000_000).body, as: UTF8.self)
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(bodies == Set(servers.indices.map { "\($0)" }))
  }
}
