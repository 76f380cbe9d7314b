package import Config
import HTTP
import JSON
package import Quotes

/// A message that we send, and its form in recordings.
package struct OutgoingMessage: Sendable, Hashable {
  package let text: String
  /// The text with marks for everything that varies: `NOW`, and the names of `set`.
  package let recorded: String
}

/// The value of a `set` name.
package struct MessageValue: Sendable, Hashable {
  package let text: String
  /// Whether it was a number, and so is sent as one.
  package let isNumber: Bool

  package init(text: String, isNumber: Bool) {
    self.text = text
    self.isNumber = isNumber
  }
}

/// A writer of the messages of one connection.
package struct MessageWriter: Sendable {
  private let constants: [(name: String, value: String)]
  /// The values from the handshake, by name.
  private let values: [String: MessageValue]
  /// The number of the last message written.
  private var number = 0

  /// The longest message that every exchange accepts, in bytes: above 4,096, Binance falls silent and Bitget refuses.
  static let maximumMessageLength = 4000

  package init(_ connection: ConnectionSpec, values: [String: MessageValue] = [:]) {
    constants = connection.constants
    self.values = values
  }

  /// The subject of one message.
  private struct Subject {
    var pairs: [StreamPair] = []
    var interval: IntervalWord?
    var values: [String: MessageValue] = [:]
    var now: Instant
  }

  /// Returns the messages that subscribe to these pairs, or to all if the subscription names none.
  ///
  /// - Parameter most: the maximum number of pairs per message, if lower than in the config.
  package mutating func subscriptions(
    _ spec: StreamSpec, _ pairs: [StreamPair], interval: IntervalWord? = nil, most: Int = .max, now: Instant
  ) -> [OutgoingMessage] {
    subscriptions(spec, spec.subscribe[...], pairs[...], Subject(interval: interval, now: now), most: most)
  }

  /// Returns the first of some messages for as many pairs as it takes, the others for the same pairs, and so on.
  private mutating func subscriptions(
    _ spec: StreamSpec, _ specs: ArraySlice<MessageSpec>, _ pairs: ArraySlice<StreamPair>, _ subject: Subject, most: Int
  ) -> [OutgoingMessage] {
    guard let first = specs.first else { return [] }
    let others = specs.dropFirst()
    guard first.namesPair else {
      return [write(first, subject)].compactMap(\.self)
        + subscriptions(spec, others, pairs, subject, most: most)
    }
    let maximum = min(spec.pairs(in: first), most)
    // As many as fit into the previous message, and a few more.
    var likely = maximum
    var messages: [OutgoingMessage] = []
    var rest = pairs
    while !rest.isEmpty {
      var count = min(likely, rest.count)
      while true {
        let before = number
        var own = subject
        own.pairs = Array(rest.prefix(count))
        guard let message = write(first, own) else { break }
        let length = message.text.utf8.count
        if length <= Self.maximumMessageLength || count == 1 {
          messages.append(message)
          break
        }
        number = before
        count = max(1, min(count - 1, count * Self.maximumMessageLength / length))
      }
      messages += subscriptions(spec, others, rest.prefix(count), subject, most: most)
      rest = rest.dropFirst(count)
      likely = min(maximum, count + count / 8 + 1)
    }
    return messages
  }

  /// Returns a message that names no pair: a hello, a ping or the reply to one.
  package mutating func message(
    _ spec: MessageSpec, values: [String: MessageValue] = [:], now: Instant
  ) -> OutgoingMessage? { write(spec, Subject(values: values, now: now)) }

  /// Returns an address with its names filled in; nil if any of them has no value.
  ///
  /// - Parameter pair: the pair of the connection, if the address names it.
  package mutating func url(
    _ template: Template, _ pair: StreamPair? = nil, interval: IntervalWord? = nil, now: Instant
  ) -> OutgoingMessage? {
    number += 1
    let subject = Subject(interval: interval, now: now)
    guard let text = try? fill(template, pair, subject, false, isAddress: true),
      let recorded = try? fill(template, pair, subject, true, isAddress: true)
    else { return nil }
    return OutgoingMessage(text: text, recorded: recorded)
  }

  /// Returns the value of a header of the opening handshake; nil if any of its names has no value, or one that is no
  /// part of a header (RFC 9110 §5.5).
  package func header(_ template: Template, now: Instant) -> String? {
    guard let text = try? fill(template, nil, Subject(now: now), false) else { return nil }
    return text.utf8.allSatisfy { 0x20...0x7E ~= $0 } ? text : nil
  }

  /// Returns nil if a template uses a name without a value.
  private mutating func write(_ spec: MessageSpec, _ subject: Subject) -> OutgoingMessage? {
    number += 1
    guard let text = try? text(spec, subject, isRecorded: false),
      let recorded = try? self.text(spec, subject, isRecorded: true)
    else { return nil }
    return OutgoingMessage(text: text, recorded: recorded)
  }

  private func text(_ spec: MessageSpec, _ subject: Subject, isRecorded: Bool) throws(NoValue) -> String {
    let first = subject.pairs.first
    switch spec {
    case .text(let template): return try fill(template, first, subject, isRecorded)
    case .json(let body):
      var writer = JSONWriter()
      let pairs = subject.pairs.map(Optional.some)
      try body.write(first, into: &writer) { element, _ in
        element.isRepeatedElement ? pairs : nil
      } filling: { (template, pair, writer) throws(NoValue) in
        let text = try fill(template, pair, subject, isRecorded)
        // A mark in a recording is not a number.
        let isNumber = isNumber(template, subject) && (!isRecorded || Decimal(text) != nil)
        if template.isNumber ? text.isJSONNumber : isNumber {
          writer.raw(text.utf8)
        } else {
          writer.string(text)
        }
      }
      return String(decoding: writer.bytes, as: UTF8.self)
    }
  }

  /// Returns whether a text is just one template whose value is a number.
  private func isNumber(_ template: Template, _ subject: Subject) -> Bool {
    switch template.onlyPlaceholder {
    case .nowMilliseconds, .nowSeconds: true
    case .interval: subject.interval?.isNumber ?? false
    case .name("id"): true
    case let placeholder?: placeholder.name.flatMap { subject.values[$0] ?? values[$0] }?.isNumber ?? false
    case nil: false
    }
  }

  private func fill(
    _ template: Template, _ pair: StreamPair?, _ subject: Subject, _ isRecorded: Bool, isAddress: Bool = false
  ) throws(NoValue) -> String {
    // The start of an address may come from an exchange's response; a value in the query must remain one parameter, and
    // a pair one part of the path.
    try template.filled(
      escape: { value, placeholder, before in
        guard isAddress else { return value }
        if before.contains("?") { return PercentEncoding.query(value) }
        return placeholder.namesPair ? PercentEncoding.pathValue(value) : value
      },
      value: { (placeholder) throws(NoValue) in
        guard let value = value(of: placeholder, pair, subject, isRecorded) else { throw NoValue() }
        return value
      })
  }

  private func value(
    of placeholder: Template.Placeholder, _ pair: StreamPair?, _ subject: Subject, _ isRecorded: Bool
  ) -> String? {
    func now(_ text: Template.MomentText) -> String { isRecorded ? "NOW" : text.text(of: subject.now) }
    switch placeholder {
    case .nowMilliseconds: return now(.milliseconds)
    case .nowSeconds: return now(.seconds)
    case .date(let format, let offset): return now(.format(format, offsetSeconds: offset))
    case .interval: return subject.interval?.text
    case .name("id"): return String(number)
    case .pair(.symbol): return pair.map { $0.spelling.symbol ?? $0.row.symbol }
    case .pair(let part): return pair?.spelling[part]
    case .keys, .count, .name:
      let name = placeholder.name ?? ""
      if let value = subject.values[name] { return value.text }
      if let value = values[name] { return isRecorded ? name : value.text }
      return constants.value(of: name)
    case .from, .to, .secret: return nil
    }
  }
}
