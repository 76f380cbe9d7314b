import HTTP
import Transport

extension LoopbackServer.Received {
  /// Takes a complete request from the front of the input; nil if it is incomplete.
  package init?(parsing input: inout [UInt8], connection: Int) {
    let end = Array("\r\n\r\n".utf8)
    guard input.count >= end.count,
      let head = (0...(input.count - end.count)).first(where: { input[$0...].starts(with: end) })
    else { return nil }
    let lines = String(decoding: input[..<head], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return HTTPHeader(
        name: String(parts[0]), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
    let length = headers.first(named: "Content-Length").flatMap { Int($0) } ?? 0
    let start = head + end.count
    guard input.count >= start + length else { return nil }
    self.init(
      method: String(words[0]), target: String(words[1]), headers: headers,
      body: Array(input[start..<start + length]), repetition: 0, connection: connection)
    input.removeFirst(start + length)
  }
}
