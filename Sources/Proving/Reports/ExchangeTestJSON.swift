import Config
package import JSON
import Mapping
import MarketData
import Quotes

/// The results of exchange tests in machine-readable form, with stable keys.
package struct ExchangeTestJSON {
  private let exchanges: [TestedExchange]

  package init(_ exchanges: [TestedExchange]) { self.exchanges = exchanges }

  package var value: JSONValue { ["exchanges": .list(exchanges) { json($0) }] }

  private func json(_ exchange: TestedExchange) -> JSONValue {
    var value: JSONValue = [
      "exchange": .string(exchange.name), "source": .string(exchange.source), "good": .bool(exchange.problems.isEmpty),
    ]
    if let recordings = exchange.recordings {
      value += [
        "recordings": [
          "count": .integer(recordings.count), "first": .string(recordings.first.iso8601),
          "last": .string(recordings.last.iso8601),
        ]
      ]
    }
    value += ["findings": findings(exchange.general, of: exchange)]
    let edits = ProposedEdits(exchange.findings)
    if !edits.isEmpty { value += ["diff": .string(edits.difference)] }
    return value + [
      "tables": .list(zip(exchange.tables, exchange.tableFindings)) { table, found in
        json(table) + ["findings": findings(found, of: exchange)]
      },
      "rates": .list(exchange.rates) {
        [
          "pair": .string("\($0.pair)"), "rate": .text($0.reading?.rate.shortest),
          "reason": .text($0.failure?.reason.code),
        ]
      },
      "orderbooks": blocks(.orderbook, of: exchange), "trades": blocks(.trades, of: exchange),
      "candles": blocks(.candles, of: exchange),
      "streams": .list(exchange.streams) { stream in
        [
          "market": .string(stream.market.rawValue), "channel": .string(stream.channel.rawValue),
          "pair": .string("\(stream.pair)"), "updates": .integer(stream.updateCount), "refused": .text(stream.refusal),
          "problem": .text(stream.findings.first { $0.severity == .error }?.message),
        ] + (stream.heard.map { heard($0, stream) } ?? [:])
      },
    ]
  }

  private func heard(_ heard: TestedStream.Heard, _ stream: TestedStream) -> JSONValue {
    [
      "heard": [
        "connections": .integer(heard.tries), "openMilliseconds": .integer(heard.openedAfter),
        "firstMilliseconds": .integer(heard.firstAfter), "messages": .integer(heard.messageCount),
        "others": .texts(stream.others.map { "\($0)" }),
      ]
    ]
  }

  private func blocks(_ kind: BlockKind, of exchange: TestedExchange) -> JSONValue {
    .list(exchange.blocks.filter { $0.kind == kind }) { block in
      var value: JSONValue = ["market": .string(block.market.rawValue), "pair": .string("\(block.pair)")]
      if let interval = block.interval { value += ["interval": .string(interval.rawValue)] }
      return value + ["problem": .text(block.findings.first { $0.severity == .error }?.message)]
    }
  }

  private func json(_ table: TestedTable) -> JSONValue {
    [
      "market": .string(table.market.rawValue),
      "part": .text(table.part.isEmpty ? nil : table.part),
      "pair": .text(table.pair.map { "\($0)" }),
      "rows": .integer(table.counts.rowCount),
      "dropped": counts(table.gathered.table.dropped.sorted { $0.key < $1.key }.map { ($0.key.rawValue, $0.value) }),
      "unsplit": .texts(table.gathered.table.unsplit.map(\.symbol)),
      "fields": .list(table.counts.fields) { field in
        [
          "field": .string(field.field.rawValue), "filled": .integer(field.filled),
          "missed": counts(field.missing.map { ($0.value.code, $0.count) }),
          "failed": counts(field.failed.map { ($0.value.rawValue, $0.count) }),
        ]
      },
      "checks": .list(table.counts.checks) {
        [
          "check": .string($0.kind.rawValue), "rows": .integer($0.count), "example": .string($0.example),
          "advice": .text($0.advice?.value.text),
        ]
      },
      "unread": .list(table.unreadMembers) { ["member": .string($0.name), "example": .string($0.example)] },
    ]
  }

  private func findings(_ findings: [Finding], of exchange: TestedExchange) -> JSONValue {
    .list(findings) { finding in
      let value: JSONValue = [
        "code": .string(finding.code.rawValue), "severity": .string(finding.severity.testWord),
        "text": .string(finding.message), "help": .text(finding.help),
      ]
      return exchange.replacements[finding].map { value + ["proposals": .list($0) { json($0) }] } ?? value
    }
  }

  private func json(_ replacement: Replacement) -> JSONValue {
    [
      "lost": .string(replacement.lost),
      "places": .list(replacement.places) { place in
        let start = place.start
        return [
          "file": .string(place.file.name), "line": .integer(start.line), "column": .integer(start.column),
        ]
      },
      "use": .text(replacement.chosen?.path),
      "candidates": .list(replacement.candidates) {
        [
          "path": .string($0.path), "from": .string($0.isInRow ? "row" : "response"), "example": .string($0.example),
          "score": .number(Decimal(String($0.score))?.shortest ?? "0"), "evidence": .texts($0.evidence),
        ]
      },
    ]
  }

  private func counts(_ counts: [(String, Int)]) -> JSONValue {
    .members(counts.map { ($0, .integer($1)) })
  }
}
