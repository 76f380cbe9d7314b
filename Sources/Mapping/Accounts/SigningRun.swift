import Config
import HTTP
import JSON
import Quotes

/// The state of signing one request.
struct SigningRun {
  private let plan: SigningPlan
  private let baseURL: String
  /// nil substitutes names and marks for everything that is secret or changes between requests.
  private let material: SigningMaterial?
  private var values: [String: SignedText] = [:]
  private var parts: [SignedTemplate.RequestPart: SignedText] = [:]
  private var secrets: Set<String> = []

  init(plan: SigningPlan, baseURL: String, material: SigningMaterial?) {
    self.plan = plan
    self.baseURL = baseURL
    self.material = material
  }

  mutating func signed() throws(SigningProblem) -> SignedRequest {
    let path = try fill(plan.request.path, escaping: PercentEncoding.strict)
    parts[.method] = SignedText(plan.request.method)
    parts[.host] = SignedText(Self.host(of: baseURL))
    parts[.path] = path
    // First without the parts that depend on these texts, which are appended at the end.
    let query = try parameters(plan.auth.query, plan.request.query, raw: plan.raw.query, madeOfText: false)
    let body = try bodyText(madeOfText: false, before: nil)
    parts[.query] = query
    parts[.body] = body ?? .empty
    var target = path
    if !query.bytes.isEmpty {
      target.append("?")
      target.append(query)
    }
    parts[.target] = target
    var url = SignedText(baseURL)
    url.append(target)
    parts[.url] = url

    let rest = try parameters(plan.auth.query, [], raw: nil, madeOfText: true)
    if !rest.bytes.isEmpty {
      url.append(query.bytes.isEmpty ? "?" : "&")
      url.append(rest)
    }
    // An empty form means no body.
    let sentBody = try bodyText(madeOfText: true, before: body).flatMap { $0.bytes.isEmpty ? nil : $0 }
    let headers = try filledHeaders(hasBody: sentBody != nil)
    return SignedRequest(
      method: plan.request.method, url: url.text, headers: headers, body: sentBody?.bytes, secrets: secrets.sorted())
  }

  /// Returns the host of a URL, including a port if given.
  private static func host(of url: String) -> String {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    return String(rest.prefix { $0 != "/" })
  }

  // MARK: Parameters, headers, bodies

  private mutating func parameters(
    _ added: [(name: String, value: SignedTemplate)], _ own: [(name: String, value: Template)], raw: String?,
    madeOfText: Bool
  ) throws(SigningProblem) -> SignedText {
    if let raw { return SignedText(raw) }
    var text = SignedText.empty
    // The signed text has no leading separator.
    func begin(_ name: String) {
      if !text.bytes.isEmpty { text.append("&") }
      text.append(PercentEncoding.strict(name) + "=")
    }
    for (name, template) in added where plan.isMadeOfText(template) == madeOfText {
      begin(name)
      let value = try fill(template)
      let encoded = PercentEncoding.strict(value.text)
      if value.isSecret { hide(encoded) }
      text.append(SignedText(encoded, isSecret: value.isSecret))
    }
    for (name, template) in own {
      begin(name)
      text.append(try fill(template, escaping: PercentEncoding.strict, escapingLiterals: PercentEncoding.strict))
    }
    return text
  }

  private var isForm: Bool { plan.raw.form != nil || !plan.auth.form.isEmpty || !plan.request.form.isEmpty }

  /// Returns the body so far, or all of it if `before` is given; nil if there is none.
  private mutating func bodyText(
    madeOfText: Bool, before: SignedText?
  ) throws(SigningProblem) -> SignedText? {
    if let raw = plan.raw.body { return SignedText(raw) }
    if isForm {
      guard plan.request.method != "GET" else { return nil }
      guard let before, madeOfText else {
        return try parameters(plan.auth.form, plan.request.form, raw: plan.raw.form, madeOfText: false)
      }
      let rest = try parameters(plan.auth.form, [], raw: nil, madeOfText: true)
      guard !rest.bytes.isEmpty else { return before }
      var text = before
      if !text.bytes.isEmpty { text.append("&") }
      text.append(rest)
      return text
    }
    return try json(withTheRest: madeOfText)
  }

  /// Returns the members of `auth`, then those of the request. A request body that is not an object stays as
  /// it is; `auth` adds nothing to it.
  private mutating func json(withTheRest: Bool) throws(SigningProblem) -> SignedText? {
    var own: [(name: String, value: BodySpec)] = []
    if case .object(let members)? = plan.request.body {
      own = members
    } else if let body = plan.request.body, plan.auth.body.isEmpty {
      return try text { (run, writer, isSecret) throws(SigningProblem) in
        try run.write(body, into: &writer, &isSecret, filling: Self.fillOwn)
      }
    }
    guard plan.request.method != "GET" || plan.request.body != nil else { return nil }
    guard plan.request.body != nil || !plan.auth.body.isEmpty else { return nil }
    return try text { (run, writer, isSecret) throws(SigningProblem) in
      writer.beginObject()
      for (name, value) in run.plan.auth.body where !run.plan.isMadeOfText(value) {
        writer.key(name)
        try run.write(value, into: &writer, &isSecret, filling: Self.fillAdded)
      }
      for (name, value) in own {
        writer.key(name)
        try run.write(value, into: &writer, &isSecret, filling: Self.fillOwn)
      }
      for (name, value) in run.plan.auth.body where withTheRest && run.plan.isMadeOfText(value) {
        writer.key(name)
        try run.write(value, into: &writer, &isSecret, filling: Self.fillAdded)
      }
      writer.endObject()
    }
  }

  private mutating func text(
    _ write: (inout SigningRun, inout JSONWriter, inout Bool) throws(SigningProblem) -> Void
  ) throws(SigningProblem) -> SignedText {
    var writer = JSONWriter()
    var isSecret = false
    try write(&self, &writer, &isSecret)
    return SignedText(bytes: writer.bytes, isSecret: isSecret)
  }

  /// A function that fills a template and tells whether the result is written as a number in JSON.
  private typealias Filling<Text> = (inout SigningRun, Text) throws(SigningProblem) -> (SignedText, isNumber: Bool)

  private static func fillAdded(
    _ run: inout SigningRun, _ template: SignedTemplate
  ) throws(SigningProblem) -> (SignedText, isNumber: Bool) {
    (try run.fill(template), template.isNumber)
  }

  private static func fillOwn(
    _ run: inout SigningRun, _ template: Template
  ) throws(SigningProblem) -> (SignedText, isNumber: Bool) {
    let value = try run.fill(template)
    if template.isNumber, run.material != nil, !value.text.isJSONNumber {
      throw .noValue(placeholder: template.anyName)
    }
    return (value, template.isNumber || template.isClock)
  }

  private mutating func write<Text>(
    _ json: JSONTemplate<Text>, into writer: inout JSONWriter, _ isSecret: inout Bool, filling fill: Filling<Text>
  ) throws(SigningProblem) {
    try json.write(into: &writer) { (template, writer) throws(SigningProblem) in
      let (value, isNumber) = try fill(&self, template)
      isSecret = isSecret || value.isSecret
      // The mark for a number is a string.
      if isNumber, material != nil { writer.raw(value.bytes) } else { writer.string(value.text) }
    }
  }

  /// Returns the request's headers with those of `auth` replacing any of the same name, and the content type if there
  /// is a body.
  private mutating func filledHeaders(hasBody: Bool) throws(SigningProblem) -> [HTTPHeader] {
    var headers: [HTTPHeader] = []
    for (name, template) in plan.headers { headers.append(HTTPHeader(name: name, value: try fill(template).text)) }
    for (name, template) in plan.auth.headers {
      headers.removeAll { $0.name.lowercased() == name.lowercased() }
      headers.append(HTTPHeader(name: name, value: try fill(template).text))
    }
    if hasBody { headers.addContentType(isForm: isForm && plan.raw.body == nil) }
    return headers
  }

  // MARK: Values

  private mutating func value(named name: String) throws(SigningProblem) -> SignedText {
    if let known = values[name] { return known }
    guard let spec = plan.auth.values.first(where: { $0.name == name })?.value else { return try constant(named: name) }
    var value = try made(spec, named: name)
    if value.isSecret {
      if material == nil { value = SignedText(name, isSecret: true) } else { hide(value.text) }
    }
    values[name] = value
    return value
  }

  private func constant(named name: String) throws(SigningProblem) -> SignedText {
    guard let constant = plan.constants.value(of: name) ?? (name == "keys" ? plan.keys : nil) else {
      throw .noValue(placeholder: name)
    }
    return SignedText(constant)
  }

  private mutating func made(_ spec: AuthSpec.Value, named name: String) throws(SigningProblem) -> SignedText {
    switch spec {
    case .text(let template): return try fill(template)
    case .json(let object):
      return try text { (run, writer, isSecret) throws(SigningProblem) in
        try run.write(object, into: &writer, &isSecret, filling: Self.fillAdded)
      }
    case .hmac(let hash, let operand, let key):
      let text = try fill(operand)
      let secret = try fill(key)
      guard let material else { return SignedText(name, isSecret: true) }
      return SignedText(
        bytes: try compute { () throws(CryptographyProblem) in
          try material.crypto.hmac(hash.function, of: text.bytes, key: secret.bytes)
        }, isSecret: true)
    case .ed25519(let operand, let key):
      let text = try fill(operand)
      let secret = try fill(key)
      guard let material else { return SignedText(name, isSecret: true) }
      guard secret.bytes.count == 32 || secret.bytes.count == 64 else {
        let why = "an Ed25519 key has 32 or 64 bytes, but this has \(secret.bytes.count)"
        throw .badSecret(name: key.secretNames.first ?? name, why: why)
      }
      return SignedText(
        bytes: try compute { () throws(CryptographyProblem) in
          try material.crypto.ed25519(of: text.bytes, seed: Array(secret.bytes.prefix(32)))
        }, isSecret: true)
    case .token(let hash, let claims, let key):
      let object = try text { (run, writer, isSecret) throws(SigningProblem) in
        try run.write(claims, into: &writer, &isSecret, filling: Self.fillAdded)
      }
      let secret = try fill(key)
      guard let material else { return SignedText(name, isSecret: true) }
      let algorithm = hash == .sha256 ? "HS256" : "HS512"
      let head = Array("{\"alg\":\"\(algorithm)\",\"typ\":\"JWT\"}".utf8)
      let payload = Base64.encodeForURL(object.bytes)
      // An exchange may echo a part of the token on its own.
      if object.isSecret { hide(payload) }
      let said = Base64.encodeForURL(head) + "." + payload
      let code = try compute { () throws(CryptographyProblem) in
        try material.crypto.hmac(hash.function, of: Array(said.utf8), key: secret.bytes)
      }
      let signature = Base64.encodeForURL(code)
      hide(signature)
      return SignedText(said + "." + signature, isSecret: true)
    }
  }

  private func compute(
    _ work: () throws(CryptographyProblem) -> [UInt8]
  ) throws(SigningProblem) -> [UInt8] {
    do {
      return try work()
    } catch {
      throw .crypto(error)
    }
  }

  /// Records a text that must stay hidden.
  private mutating func hide(_ text: String) {
    if material != nil, !text.isEmpty { secrets.insert(text) }
  }

  // MARK: Templates of auth

  private mutating func fill(_ template: SignedTemplate) throws(SigningProblem) -> SignedText {
    var result = SignedText.empty
    for piece in template.pieces {
      switch piece {
      case .text(let literal): result.append(literal)
      case .placeholder(let placeholder, let filters):
        let value = try plain(placeholder)
        // Names and marks stay as they are: they stand for the filtered result.
        guard material != nil else {
          result.append(value)
          continue
        }
        result.append(try filtered(value, filters, of: placeholder))
      }
    }
    return result
  }

  private mutating func filtered(
    _ value: SignedText, _ filters: [SignedTemplate.Filter], of placeholder: SignedTemplate.Placeholder
  ) throws(SigningProblem) -> SignedText {
    guard let material else { return value }
    var value = value
    for filter in filters {
      let bytes = value.bytes
      switch filter {
      case .lower: value.bytes = Array(value.text.lowercased().utf8)
      case .upper: value.bytes = Array(value.text.uppercased().utf8)
      case .md5, .sha256, .sha512:
        let hash: HashFunction = filter == .md5 ? .md5 : filter == .sha256 ? .sha256 : .sha512
        value.bytes = try compute { () throws(CryptographyProblem) in try material.crypto.digest(hash, of: bytes) }
      case .hex: value.bytes = Array(bytes.hexadecimal.utf8)
      case .base64: value.bytes = Array(Base64.encode(bytes).utf8)
      case .base64url: value.bytes = Array(Base64.encodeForURL(bytes).utf8)
      case .unbase64:
        guard let decoded = Base64.decode(value.text) else {
          throw .badSecret(name: placeholder.name, why: "it is not base64")
        }
        value.bytes = decoded
      case .number:
        guard Decimal(value.text) != nil else { throw .noValue(placeholder: placeholder.name) }
      }
      if value.isSecret { hide(value.text) }
    }
    return value
  }

  private mutating func plain(_ placeholder: SignedTemplate.Placeholder) throws(SigningProblem) -> SignedText {
    switch placeholder {
    case .name(let name): return try value(named: name)
    case .part(let part): return parts[part] ?? .empty
    case .secret(let name): return try secret(name)
    case .now(let unit, let later):
      guard let material else { return SignedText("NOW") }
      let time = material.now.nanoseconds.addingReportingOverflow(later).partialValue
      return SignedText(String(time / unit.nanoseconds))
    case .nonce(let unit):
      guard let material else { return SignedText("NONCE") }
      return SignedText(String(material.nonce / (unit.nanoseconds / 1000)))
    case .uuid: return SignedText(material?.uuid ?? "UUID")
    case .date(let format, let offset):
      guard let material else { return SignedText("NOW") }
      return SignedText(format.format(material.now, offsetSeconds: offset))
    }
  }

  private mutating func secret(_ name: String) throws(SigningProblem) -> SignedText {
    guard let material else { return SignedText(name, isSecret: true) }
    guard let secret = material.secrets[name]?.revealed, !secret.isEmpty else { throw .noSecret(name: name) }
    hide(secret)
    return SignedText(secret, isSecret: true)
  }

  // MARK: Templates of the request

  private mutating func fill(
    _ template: Template, escaping: (String) -> String = { $0 }, escapingLiterals: (String) -> String = { $0 }
  ) throws(SigningProblem) -> SignedText {
    var result = SignedText.empty
    for piece in template.pieces {
      switch piece {
      case .text(let literal): result.append(escapingLiterals(literal))
      case .placeholder(let placeholder, let letters):
        var value = try asked(placeholder)
        value.bytes = Array(escaping(letters.applied(to: value.text)).utf8)
        if value.isSecret { hide(value.text) }
        result.append(value)
      }
    }
    return result
  }

  private mutating func asked(_ placeholder: Template.Placeholder) throws(SigningProblem) -> SignedText {
    switch placeholder {
    case .secret(let name): return try secret(name)
    case .pair, .keys, .count, .name: return try constant(named: placeholder.name ?? "")
    case .nowMilliseconds: return try plain(.now(.milliseconds, laterNanoseconds: 0))
    case .nowSeconds: return try plain(.now(.seconds, laterNanoseconds: 0))
    case .date(let format, let offset): return try plain(.date(format, offsetSeconds: offset))
    case .from: throw .noValue(placeholder: "from")
    case .to: throw .noValue(placeholder: "to")
    case .interval: throw .noValue(placeholder: "interval")
    }
  }
}

extension AuthSpec.Hash {
  fileprivate var function: HashFunction {
    switch self {
    case .sha256: .sha256
    case .sha384: .sha384
    case .sha512: .sha512
    }
  }
}

extension SignedTemplate.Placeholder {
  /// The name used in messages.
  fileprivate var name: String {
    switch self {
    case .name(let name), .secret(let name): name
    case .part(let part): part.rawValue
    case .now: "now"
    case .nonce: "nonce"
    case .uuid: "uuid"
    case .date: "date"
    }
  }
}

extension Template {
  /// Whether the text is just the time as a count, which is sent as a number.
  fileprivate var isClock: Bool {
    switch onlyPlaceholder {
    case .nowMilliseconds, .nowSeconds: true
    default: false
    }
  }
}
