import Formats
package import MarketData
package import Quotes
package import Shell
package import Terminal
import Views

/// The output formats for stream events.
package enum StreamFormat: String, CaseIterable, Sendable {
  case text, csv
  /// One JSON object per line.
  case ndjson
}

/// Writes stream events to standard output, up to a maximum number of data lines.
package struct StreamWriter {
  private let context: Context
  private let format: StreamFormat
  private let log: StreamLog
  private let palette: Palette
  private var objects = StreamObjects()
  /// How many more data lines are wanted; nil for all.
  private var wanted: Int?
  package private(set) var hasData = false

  package init(
    _ format: StreamFormat, zone: ClockZone, palette: Palette, most: Int?, isExplained: Bool, in context: Context
  ) {
    (self.context, self.format, self.palette) = (context, format, palette)
    log = StreamLog(zone: zone, isExplained: isExplained)
    wanted = most
    if format == .csv { context.output.write(StreamTable.titles) }
  }

  /// Whether more is wanted, and the output is still being read.
  package var isWanted: Bool { wanted != 0 && !context.output.isClosed }

  package mutating func write(_ event: StreamEvent) {
    guard wanted != 0 else { return }
    var event = event
    if event.isData {
      hasData = true
      var count = 1
      if case .trades(let trades) = event.content {
        count = min(trades.count, wanted ?? trades.count)
        event.content = .trades(Array(trades.prefix(count)))
      }
      wanted = wanted.map { $0 - count }
    }
    switch format {
    case .text: for line in log.lines(event) { write(line) }
    case .csv: context.output.write(StreamTable.lines(event))
    case .ndjson: context.output.write(bytes: objects.lines(event, explanation: Explanation.json(of: event)))
    }
  }

  package mutating func write(missed count: Int, of feed: StreamBacklog.Feed) {
    switch format {
    case .text: write(log.line(missed: count, of: feed))
    case .csv: context.output.write(StreamTable.line(missed: count, of: feed))
    case .ndjson: context.output.write(bytes: objects.line(missed: count, of: feed))
    }
  }

  private func write(_ line: StyledText) { context.output.write(line.painted(with: palette) + "\n") }

  package func flush() { context.output.flush() }
}
