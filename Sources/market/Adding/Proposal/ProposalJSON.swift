import Config
import Inference
import JSON
import Quotes

/// A proposal for a program: the block, and per role path, confidence and runner-up.
struct ProposalJSON {
  let name: String
  let block: ConfigValue
  let answers: AddingAnswers
  let preview: SamplePreview?

  private var proposal: ExchangeProposal { answers.proposal }

  func bytes() -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.key("exchange")
    writer.string(name)
    writer.key("block")
    writer.raw(block.text(indent: 2, lead: 11).utf8)
    writer.key("rows")
    writer.beginObject()
    write("path", proposal.rows, to: &writer)
    write("shape", proposal.shape, to: &writer)
    write("count", String(proposal.rowCount), to: &writer)
    writer.endObject()
    writeSymbol(to: &writer)
    writer.key("roles")
    writer.beginArray()
    for role in proposal.roles { write(role, to: &writer) }
    writer.endArray()
    write("contradictions", proposal.contradictions, to: &writer)
    if let preview {
      writer.key("checks")
      writer.beginObject()
      write("rows", String(preview.rows), to: &writer)
      write("clean", String(preview.clean), to: &writer)
      write("verdict", preview.verdict, to: &writer)
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes
  }

  private func writeSymbol(to writer: inout JSONWriter) {
    guard let symbol = proposal.symbol else { return }
    writer.key("symbol")
    writer.beginObject()
    write("example", symbol.example, to: &writer)
    if let pair = symbol.pairs.compactMap(\.self).first { write("pair", "\(pair.asset)/\(pair.payment)", to: &writer) }
    write("assetConfidence", Self.hundredths(symbol.assetConfidence), to: &writer)
    write("paymentConfidence", Self.hundredths(symbol.paymentConfidence), to: &writer)
    write("evidence", symbol.evidence, to: &writer)
    writer.endObject()
  }

  private func write(_ role: RoleProposal, to writer: inout JSONWriter) {
    writer.beginObject()
    write("role", role.role.rawValue, to: &writer)
    write("field", role.role.field.rawValue, to: &writer)
    write("from", role.isFromResponse ? "response" : "row", to: &writer)
    write("path", role.path, to: &writer)
    write("example", role.example, to: &writer)
    write("confidence", Self.hundredths(role.confidence), to: &writer)
    writer.key("sure")
    writer.boolean(role.isSure)
    writer.key("used")
    writer.boolean(answers.roles.contains { $0.role == role.role })
    if let left = answers.left.first(where: { $0.role.role == role.role }) { write("reason", left.reason, to: &writer) }
    if let other = role.runnerUp {
      writer.key("runnerUp")
      writer.beginObject()
      write("path", other.path, to: &writer)
      write("confidence", Self.hundredths(other.confidence), to: &writer)
      writer.endObject()
    }
    write("evidence", role.evidence, to: &writer)
    writer.endObject()
  }

  private func write(_ name: String, _ text: String, to writer: inout JSONWriter) {
    writer.key(name)
    writer.string(text)
  }

  private func write(_ name: String, _ texts: [String], to writer: inout JSONWriter) {
    writer.key(name)
    writer.beginArray()
    for text in texts { writer.string(text) }
    writer.endArray()
  }

  /// Numbers of the program's JSON are texts: `0.97`.
  private static func hundredths(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
  }
}
