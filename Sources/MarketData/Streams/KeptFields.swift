import Mapping
import Quotes

/// The fields of a row that its stream lacks. They stay as the last answer had them, which must not be too long ago.
struct KeptFields: Sendable {
  let fields: TickerFields
  /// Those that outlive a price: bid and ask do not (``TickerBuilder``), and a time is that of the row.
  private let lasting: [TickerField]
  /// When an answer last had them; nil if they are older than what others have asked for since.
  private var confirmed: Instant?
  /// Whether messages have to wait for an answer, since their figures would stand beside older ones than those that are
  /// known.
  private(set) var awaitsAnswer = false
  /// When an answer is to renew them.
  var renewal: Instant?

  /// How long they are valid without another answer: two polls of a live pair, and some time.
  private static let validFor = Duration.seconds(150)

  init(_ fields: TickerFields, since confirmed: Instant?) {
    (self.fields, self.confirmed) = (fields, confirmed)
    lasting = fields.fields.filter { ![.bid, .ask, .time].contains($0) }
  }

  /// Notes that others poll the pair from now on.
  mutating func expire() {
    guard !lasting.isEmpty else { return }
    (confirmed, awaitsAnswer) = (nil, true)
  }

  /// Takes the time of an answer, or that there is none: then messages do not wait any longer.
  mutating func take(_ answer: Result<StreamUpdate.Value, AnswerFailure>, at now: Instant) {
    awaitsAnswer = false
    if case .success = answer { confirmed = now }
  }

  /// Returns when the next answer is needed: to renew these fields and others that no message had, or because the stream
  /// may be silent until then.
  func nextPoll(by quiet: Instant, _ others: TickerFields) -> Instant {
    fields.union(others).isEmpty ? quiet : min(quiet, renewal ?? quiet)
  }

  func isOutdated(at now: Instant) -> Bool {
    !lasting.isEmpty && confirmed.map { $0.advanced(by: Self.validFor) < now } ?? true
  }

  /// Returns a streamed row as it may be shown: without these fields if they are too old.
  func current(_ row: Ticker) -> Ticker {
    guard let now = row.arrival, isOutdated(at: now) else { return row }
    var new = row
    new.flags.removeAll { $0.isAbout(TickerFields(lasting), of: row) }
    for field in lasting where new[field].value != nil { new[field] = .missing(.stale) }
    return new
  }
}
