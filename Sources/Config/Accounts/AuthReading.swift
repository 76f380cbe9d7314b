import JSON
import JSONPath
import Quotes

extension SpecReader {
  /// State kept while the templates of an `auth` are read.
  private struct AuthScope {
    /// The names that a part's `set` may provide.
    let constants: [String]
    /// The names of all values, in source order.
    let values: [String]
    /// The number of values that precede the template being read.
    var known = 0
    /// The names of the values that are bytes.
    var bytes: Set<String> = []
    var used: Set<String> = []
  }

  /// What a template of `auth` may evaluate to.
  private enum SignedUse { case text, bytesOrText, json }

  /// - Parameter constants: the `set` names that its requests may have.
  mutating func readAuth(_ node: ConfigNode, constants: [String]) -> AuthSpec? {
    let before = diagnostics.count
    guard checkKeys(node, .auth) else { return nil }
    var auth = AuthSpec(node: node)
    let values = node["values"].flatMap { readMembers($0, atMost: 100) } ?? []
    var scope = AuthScope(constants: constants, values: values.map(\.name))
    for member in values {
      if SignedTemplate.reservedNames.contains(where: { $0 == member.name || member.name.hasPrefix($0 + ".") }) {
        report(.takenValueName(member.name, at: member.key))
        // A reference to that name means this value.
        scope.used.insert(member.name)
      }
      let bytesBefore = scope.bytes
      if let value = readAuthValue(member.value, named: member.name, &scope) {
        auth.values.append((member.name, value))
      } else {
        scope.bytes = bytesBefore
      }
      scope.known += 1
    }
    auth.headers = readSignedTexts(node["headers"], &scope, areHeaders: true)
    auth.query = readSignedTexts(node["query"], &scope)
    auth.form = readSignedTexts(node["form"], &scope)
    for member in node["body"].flatMap({ readMembers($0) }) ?? [] {
      if let value = readSignedJSON(member.value, &scope) { auth.body.append((member.name, value)) }
    }
    if let form = node["form"], node["body"] != nil { report(.conflictingKeys(["form", "body"], at: form)) }
    if let urls = node["baseUrls"] { auth.baseURLs = readBaseURLs(urls) }
    _ = node["success"].map { readSharedSuccess($0) }
    _ = node["limit"].flatMap { readLimit($0) }
    auth.note = node["note"].flatMap { readText($0) }
    auth.refusedCodes = node["refused"].flatMap { readTexts($0) }
    for member in values where !scope.used.contains(member.name) { report(.unusedValue(member.name, at: member.key)) }
    checkKeysStay(in: auth)
    let vectors = node["vectors"].flatMap { readElements($0) } ?? []
    auth.vectors = vectors.compactMap { readVector($0, constants: constants) }
    if vectors.isEmpty { report(.authWithoutVectors(at: node)) }
    for vector in auth.vectors {
      let unnamed = vector.unnamed(of: auth)
      if !unnamed.isEmpty { report(.partialVector(unnamed, at: vector.node["sent"] ?? vector.node)) }
    }
    return hasErrors(since: before) ? nil : auth
  }

  // MARK: Values

  private mutating func readAuthValue(
    _ node: ConfigNode, named name: String, _ scope: inout AuthScope
  ) -> AuthSpec.Value? {
    guard node.json.kind == .object else {
      guard let template = readSigned(node, .bytesOrText, &scope) else { return nil }
      if isBytes(template, scope) { scope.bytes.insert(name) }
      return .text(template)
    }
    guard checkKeys(node, .authFunction) else { return nil }
    let functions = ObjectShape.authFunction.names.filter { $0 != "key" && node[$0] != nil }
    guard functions.count == 1, let function = functions.first, let operand = node[function] else {
      let all = ObjectShape.authFunction.names.filter { $0 != "key" }.quoted.listed("or")
      return rejected(
        functions.isEmpty
          ? .missingKeys("function \(all)", in: "this value", at: node) : .conflictingKeys(functions, at: node))
    }
    if function == "json" {
      if let key = node["key"] { report(.conflictingKeys(["json", "key"], at: key)) }
      return readSignedObject(operand, &scope).map { .json($0) }
    }
    guard let keyNode = required("key", of: node, in: "this function") else { return nil }
    let key = readSigned(keyNode, .bytesOrText, &scope)
    switch function {
    case "jwt-hs256", "jwt-hs512":
      guard let claims = readSignedObject(operand, &scope), let key else { return nil }
      return .token(function == "jwt-hs256" ? .sha256 : .sha512, claims: claims, key: key)
    default:
      scope.bytes.insert(name)
      guard let template = readSigned(operand, .bytesOrText, &scope), let key else { return nil }
      if function == "ed25519" { return .ed25519(of: template, key: key) }
      guard let hash = AuthSpec.Hash(rawValue: String(function.dropFirst("hmac-".count))) else { return nil }
      return .hmac(hash, of: template, key: key)
    }
  }

  private mutating func readSignedObject(_ node: ConfigNode, _ scope: inout AuthScope) -> SignedJSON? {
    guard node.json.kind == .object else { return rejected(.wrongType("an object", at: node)) }
    return readSignedJSON(node, &scope)
  }

  private mutating func readSignedJSON(_ node: ConfigNode, _ scope: inout AuthScope) -> SignedJSON? {
    readJSON(node) { $0.readSigned($1, .json, &scope) }
  }

  private mutating func readSignedTexts(
    _ node: ConfigNode?, _ scope: inout AuthScope, areHeaders: Bool = false
  ) -> [(name: String, value: SignedTemplate)] {
    var result: [(String, SignedTemplate)] = []
    for member in node.flatMap({ readMembers($0) }) ?? [] {
      if areHeaders, Self.isRefusedHeader(member.name) {
        report(.refusedHeader(member.name, at: member.key))
      } else if let template = readSigned(member.value, .text, &scope) {
        result.append((member.name, template))
      }
    }
    return result
  }

  // MARK: Templates

  private mutating func readSigned(_ node: ConfigNode, _ use: SignedUse, _ scope: inout AuthScope) -> SignedTemplate? {
    // A number or boolean is used as text.
    guard let text = node.json.kind == .null ? nil : node.json.scalarText else {
      return rejected(.wrongType("a string", at: node))
    }
    let template: SignedTemplate
    do {
      template = try SignedTemplate(text)
    } catch {
      return rejected(.invalidTemplate(error.message, at: node.place(ofDecodedOffset: error.offset)))
    }
    for (name, offset) in template.names {
      let place = node.place(ofDecodedOffset: offset)
      if let index = scope.values.firstIndex(of: name) {
        scope.used.insert(name)
        if index >= scope.known { report(.valueBeforeItsPlace(name, at: place)) }
      } else if !scope.constants.contains(name), name != "keys" {
        let known = scope.values.prefix(scope.known) + scope.constants + SignedTemplate.examples
        report(.unknownPlaceholder(name, known: Array(known), at: place))
      }
    }
    checkFilters(of: template, use, scope, at: node)
    return template
  }

  /// Reports bytes where text is needed, text filters applied to bytes, and a number that is not an entire value in
  /// JSON.
  private mutating func checkFilters(
    of template: SignedTemplate, _ use: SignedUse, _ scope: AuthScope, at node: ConfigNode
  ) {
    for (placeholder, filters) in template.placeholders {
      var isBytes = isBytes(placeholder, scope)
      for filter in filters {
        switch filter {
        case .lower, .upper, .number, .unbase64:
          if isBytes { report(.filterOfBytes(filter.rawValue, at: node)) }
          if filter == .number, use != .json || template.pieces.count > 1 { report(.numberInText(at: node)) }
        default: break
        }
        isBytes = filter.gives(bytes: isBytes)
      }
      if isBytes, use != .bytesOrText { report(.bytesForText(at: node)) }
    }
  }

  private func isBytes(_ placeholder: SignedTemplate.Placeholder, _ scope: AuthScope) -> Bool {
    if case .name(let name) = placeholder { scope.bytes.contains(name) } else { false }
  }

  private func isBytes(_ template: SignedTemplate, _ scope: AuthScope) -> Bool {
    template.placeholders.contains { placeholder, filters in
      filters.reduce(isBytes(placeholder, scope)) { $1.gives(bytes: $0) }
    }
  }

  /// Rejects an `auth` that sends its signing key: anyone who reads the request could sign others.
  private mutating func checkKeysStay(in auth: AuthSpec) {
    let keys = Set(auth.values.flatMap { $0.value.key?.secretNames ?? [] })
    for name in auth.exposedSecrets.sorted() where keys.contains(name) { report(.sentKey(name, at: auth.node)) }
  }
}

extension SignedTemplate {
  /// Some of the names that every template of `auth` may use.
  fileprivate static let examples = ["now.ms", "nonce.ms", "uuid"] + RequestPart.allCases.map(\.rawValue)
}

extension SignedTemplate.Filter {
  /// Returns whether the filter's output is bytes.
  ///
  /// - Parameter isBytes: whether its input is bytes.
  fileprivate func gives(bytes isBytes: Bool) -> Bool {
    switch self {
    case .lower, .upper, .number: isBytes
    case .sha256, .sha512, .md5, .unbase64: true
    case .hex, .base64, .base64url: false
    }
  }
}
