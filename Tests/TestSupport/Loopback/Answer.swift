/// Bytes of HTTP/1.1 responses.
package enum Answer {
  /// Returns a complete response with the correct length.
  package static func ok(_ body: String, status: String = "200 OK", headers: [String] = []) -> [UInt8] {
    whole(Array(body.utf8), status: status, headers: headers)
  }

  package static func whole(_ body: [UInt8], status: String = "200 OK", headers: [String] = []) -> [UInt8] {
    head(status: status, headers: ["Content-Length: \(body.count)"] + headers) + body
  }

  package static func head(status: String = "200 OK", headers: [String] = []) -> [UInt8] {
    Array((["HTTP/1.1 \(status)"] + headers + ["", ""]).joined(separator: "\r\n").utf8)
  }

  package static func redirect(to location: String, status: String = "302 Found") -> [UInt8] {
    ok("", status: status, headers: ["Location: \(location)"])
  }

  package static func chunk(_ text: String) -> [UInt8] {
    Array("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n".utf8)
  }
}
