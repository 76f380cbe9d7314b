import Config
import JSON
import Mapping
import MarketData
import Proving
import Quotes

/// Writes what a test of exchanges found, for programs: keys are stable.
struct ExchangeTestJSON {
  let exchanges: [TestedExchange]

  func bytes() -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginArray()
    for exchange in exchanges { write(exchange, &writer) }
    writer.endArray()
    return writer.finished()
  }

  private func write(_ exchange: TestedExchange, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("exchange", exchange.name)
    writer.member("source", exchange.source)
    writer.key("good")
    writer.boolean(exchange.problems.isEmpty)
    if let recordings = exchange.recordings {
      writer.key("recordings")
      writer.beginObject()
      writer.count("count", recordings.count)
      writer.member("first", recordings.first.iso8601)
      writer.member("last", recordings.last.iso8601)
      writer.endObject()
    }
    write(exchange.general, of: exchange, &writer)
    let edits = ProposedEdits(exchange.findings)
    if !edits.isEmpty { writer.member("diff", edits.difference) }
    writer.key("tables")
    writer.beginArray()
    for (table, findings) in zip(exchange.tables, exchange.tableFindings) {
      write(table, &writer)
      write(findings, of: exchange, &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.key("rates")
    writer.beginArray()
    for rate in exchange.rates {
      writer.beginObject()
      writer.member("pair", "\(rate.pair)")
      writer.member("rate", rate.reading?.rate.shortest)
      writer.member("reason", rate.failure?.reason.code)
      writer.endObject()
    }
    writer.endArray()
    writer.key("orderbooks")
    writer.beginArray()
    for book in exchange.books {
      writer.beginObject()
      writer.member("market", book.market.rawValue)
      writer.member("pair", "\(book.pair)")
      writer.member("problem", book.finding?.message)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  private func write(_ table: TestedTable, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("market", table.market.rawValue)
    writer.member("part", table.part.isEmpty ? nil : table.part)
    writer.member("pair", table.pair.map { "\($0)" })
    writer.count("rows", table.counts.rowCount)
    writer.key("dropped")
    write(table.gathered.table.dropped.sorted { $0.key < $1.key }.map { ($0.key.rawValue, $0.value) }, &writer)
    writer.key("unsplit")
    writer.beginArray()
    for symbol in table.gathered.table.unsplit { writer.string(symbol.symbol) }
    writer.endArray()
    writer.key("fields")
    writer.beginArray()
    for field in table.counts.fields {
      writer.beginObject()
      writer.member("field", field.field.rawValue)
      writer.count("filled", field.filled)
      writer.key("missed")
      write(field.missing.map { ($0.value.code, $0.count) }, &writer)
      writer.key("failed")
      write(field.failed.map { ($0.value.rawValue, $0.count) }, &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.key("checks")
    writer.beginArray()
    for check in table.counts.checks {
      writer.beginObject()
      writer.member("check", check.kind.rawValue)
      writer.count("rows", check.count)
      writer.member("example", check.example)
      writer.member("advice", check.advice?.value.text)
      writer.endObject()
    }
    writer.endArray()
    writer.key("unread")
    writer.beginArray()
    for member in table.unreadMembers {
      writer.beginObject()
      writer.member("member", member.name)
      writer.member("example", member.example)
      writer.endObject()
    }
    writer.endArray()
  }

  private func write(_ findings: [Finding], of exchange: TestedExchange, _ writer: inout JSONWriter) {
    writer.key("findings")
    writer.beginArray()
    for finding in findings {
      writer.beginObject()
      writer.member("severity", finding.severity.testWord)
      writer.member("text", finding.message)
      writer.member("help", finding.help)
      if let replacements = exchange.replacements[finding] { write(replacements, &writer) }
      writer.endObject()
    }
    writer.endArray()
  }

  private func write(_ replacements: [Replacement], _ writer: inout JSONWriter) {
    writer.key("proposals")
    writer.beginArray()
    for replacement in replacements {
      writer.beginObject()
      writer.member("lost", replacement.lost)
      writer.key("places")
      writer.beginArray()
      for place in replacement.places {
        let start = place.start
        writer.beginObject()
        writer.member("file", place.file.name)
        writer.count("line", start.line)
        writer.count("column", start.column)
        writer.endObject()
      }
      writer.endArray()
      writer.member("use", replacement.chosen?.path)
      writer.key("candidates")
      writer.beginArray()
      for candidate in replacement.candidates {
        writer.beginObject()
        writer.member("path", candidate.path)
        writer.member("from", candidate.isInRow ? "row" : "response")
        writer.member("example", candidate.example)
        writer.key("score")
        writer.number(text: Decimal(String(candidate.score))?.shortest ?? "0")
        writer.key("evidence")
        writer.beginArray()
        for evidence in candidate.evidence { writer.string(evidence) }
        writer.endArray()
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    writer.endArray()
  }

  private func write(_ counts: [(String, Int)], _ writer: inout JSONWriter) {
    writer.beginObject()
    for (name, count) in counts { writer.count(name, count) }
    writer.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func count(_ name: String, _ count: Int) {
    key(name)
    number(text: "\(count)")
  }
}
