package import Quotes

/// Why a stream does not provide a pair, or none at all. A subject may be a connection, a channel or a pair.
package enum StreamLapse: Sendable, Hashable {
  /// Why nothing arrives that could be relied on.
  package enum Silence: Sendable, Hashable {
    /// No sign of life for as long as the connection allows.
    case lifeless
    /// Answers to requests contradict what was streamed, so something was missed.
    case contradicted
    /// No message for a minute, and no answer that would say whether one was missed.
    case unconfirmed
    /// No message since the subscription.
    case unheard
    /// Messages arrive, none of which names the pair.
    case unnamed
    /// The message that has to come first has not.
    case greetingless
    case clockSetBack
    case suspended
  }

  case silent(Silence)
  /// The stream's block in the config is invalid.
  case invalidConfig
  /// The connection was closed by the exchange, or cut without a close frame: its code, and the exchange's words.
  case closed(Int, String)
  /// The exchange reports an error for what it leaves without data: its code, which may be empty, and its words.
  case refused(InternedText, String?)
  /// Something was lost, or is not valid, so the order book starts over.
  case gap(String)
  /// The first price is of another coin or unit; with a figure, that figure of the first message.
  case differs(Decimal, polled: Decimal, figure: String?)
  /// The price, accepted before, has jumped: an answer will decide.
  case jumped(Decimal, from: Decimal)
  /// The messages are older than answers.
  case behind
  /// The table has the pair under several names, so that it is unclear which is meant.
  case repeated
  /// A row does not meet the conditions of its channel.
  case halted
  /// No message contained a price for a minute.
  case unpriced
  /// Books or rows are sent as changes, and nothing that these could apply to.
  case withoutWhole
  /// The price of the messages cannot be read.
  case unreadablePrice(Missing)
  /// Messages, or the connection, cannot be used, for this reason.
  case bad(String)
  /// A candle is doubtful, but shown all the same.
  case doubtful(DataFinding)

  /// `stream-silent`, `stream-closed 1006`
  private var code: String {
    switch self {
    case .silent: "stream-silent"
    case .invalidConfig: "stream-config"
    case .closed(let code, _): "stream-closed \(code)"
    case .refused(let code, _): code == "" ? "stream-refused" : "stream-refused \(code)"
    case .gap: "stream-gap"
    case .differs, .jumped: "stream-differs"
    case .behind: "stream-behind"
    case .repeated: Flag.Kind.duplicate.rawValue
    case .halted: "stream-halted"
    case .unpriced, .withoutWhole, .unreadablePrice, .bad: "stream-bad"
    case .doubtful(let finding): finding.kind.rawValue
    }
  }

  package var reason: Missing { .stream(InternedText(code)) }

  /// What is said beside the code; nil if the code says it all.
  var sentence: String? {
    switch self {
    case .silent(.lifeless): return "no sign of life"
    case .silent(.contradicted): return "REST responses contradict the stream"
    case .silent(.unconfirmed): return "no message for a minute, and REST fails"
    case .silent(.unheard): return "no message since it was subscribed"
    case .silent(.unnamed): return "messages arrive, none of which names the pair"
    case .silent(.greetingless): return "the first message never arrived"
    case .silent(.clockSetBack): return "the clock was set back"
    case .silent(.suspended): return "the program was suspended"
    case .invalidConfig: return nil
    case .closed(_, let words): return words.isEmpty ? nil : words
    case .refused(_, let words): return words
    case .gap(let what), .bad(let what): return what
    case .differs(let streamed, let polled, let figure):
      let name = figure.map { "\($0) " } ?? ""
      return "\(name)\(streamed.shortest) by stream, \(polled.shortest) by REST"
    case .jumped(let streamed, let before): return "\(streamed.shortest) by stream, after \(before.shortest)"
    case .behind: return "its messages are older than REST responses"
    case .repeated: return "\(Flag.Fact.repeatedPair)"
    case .halted: return "a message says that the pair is not traded now"
    case .unpriced: return "no message contained a price for a minute"
    case .withoutWhole: return "only changes arrive; no message meets 'whole'"
    case .unreadablePrice(let reason): return "the price of its messages cannot be read: \(reason.code)"
    case .doubtful(let finding): return finding.message
    }
  }
}
