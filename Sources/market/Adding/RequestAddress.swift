import Quotes

/// Where the answer comes from, taken apart for the config: host, path, query, with the pair as a template.
struct RequestAddress: Hashable, Sendable {
  var base: String
  var path: String
  var query: [Parameter] = []
  /// Parameters whose values were secrets and are templates now.
  private(set) var secrets: [String] = []

  private static let secretNames: Set = [
    "apikey", "key", "token", "accesstoken", "secret", "signature", "sign", "appid", "accesskey", "auth",
  ]

  struct Parameter: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// - Parameters:
  ///   - tickers: a path with its query, or a whole address.
  ///   - pair: the pair that the address names, where it is about one.
  init(base: String?, tickers: String, pair: Pair?) throws(UsageProblem) {
    var rest = tickers
    var base = base ?? ""
    if let (host, tail) = Self.split(tickers) {
      base = host
      rest = tail
    }
    guard base.hasPrefix("https://") || base.hasPrefix("http://") else {
      throw .invalidValue(option: "--base-url", value: base, valid: ["an address such as https://api.example.com"])
    }
    guard !base.contains("@") else {
      throw .other("an address with a password in it does not belong into a config")
    }
    while base.hasSuffix("/") { base.removeLast() }
    self.base = base
    let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    path = halves.first ?? ""
    if !path.hasPrefix("/") { path = "/" + path }
    let parameters = halves.count > 1 ? halves[1].split(separator: "&").map(String.init) : []
    for parameter in parameters {
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      query.append(Parameter(name: parts[0], value: parts.count > 1 ? parts[1] : ""))
    }
    path = Self.escaped(path)
    query = query.map { parameter in
      // A secret never reaches the file: a template takes its place.
      let isSecret = Self.secretNames.contains(parameter.name.lowercased().filter { $0 != "_" && $0 != "-" })
      if isSecret { secrets.append(parameter.name) }
      return Parameter(
        name: parameter.name, value: isSecret ? "{secret:\(parameter.name)}" : Self.escaped(parameter.value))
    }
    guard let pair else { return }
    path = Self.template(path, pair)
    query = query.map {
      secrets.contains($0.name) ? $0 : Parameter(name: $0.name, value: Self.template($0.value, pair))
    }
  }

  private static func split(_ address: String) -> (host: String, tail: String)? {
    guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return nil }
    let start = address.index(address.startIndex, offsetBy: address.hasPrefix("https://") ? 8 : 7)
    guard let slash = address[start...].firstIndex(where: { $0 == "/" || $0 == "?" }) else { return (address, "/") }
    return (String(address[..<slash]), String(address[slash...]))
  }

  /// A brace of the address is none of a template.
  private static func escaped(_ text: String) -> String {
    String(text.flatMap { $0 == "{" ? "{{" : $0 == "}" ? "}}" : String($0) })
  }

  /// Puts templates where asset and payment currency stand beside each other, in one case or the other.
  private static func template(_ text: String, _ pair: Pair) -> String {
    for (asset, payment, filter) in [
      (pair.asset, pair.payment, ""), (pair.asset.lowercased(), pair.payment.lowercased(), "|lower"),
    ] {
      for separator in ["", "-", "_", "/", ":", "."] {
        for (first, second, names) in [
          (asset, payment, ["asset", "payment"]), (payment, asset, ["payment", "asset"]),
        ] {
          guard let range = text.firstRange(of: first + separator + second) else { continue }
          let template = "{\(names[0])\(filter)}\(separator){\(names[1])\(filter)}"
          return text.replacingCharacters(in: range, with: template)
        }
      }
    }
    return text == pair.asset ? "{asset}" : text == pair.payment ? "{payment}" : text
  }
}

extension String {
  fileprivate func firstRange(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }

  fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
