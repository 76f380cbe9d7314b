import Config
import JSON
import Quotes
import Terminal

extension LikeDraft {
  /// What differs, a line for each.
  var text: String {
    var lines = ["like \(family.exchange.name); what differs:", "  baseUrls  \(baseURLs.joined(separator: ", "))"]
    for difference in differences {
      let old = difference.inherited.map { "  instead of \(Self.shortened($0))" } ?? ""
      let value = difference.value.text(lead: ConfigValue.lineWidth / 2)
      lines.append("  \(difference.key)  \(value)\(old)  (\(difference.reason))")
    }
    if differences.isEmpty { lines.append("  nothing else") }
    let others = family.exchange.markets.map(\.market).filter { $0 != market }.map(\.rawValue)
    if !others.isEmpty {
      lines.append("  \(others.joined(separator: ", ")): left out, for it is not known where it answers")
    }
    return lines.map { TerminalText.sanitizedLines($0) + "\n" }.joined() + "what is proved:\n" + proof.text
  }

  private static func shortened(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 70 ? words.prefix(69) + "…" : words
  }

  /// The same for a program.
  var json: [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.key("exchange")
    writer.string(name)
    writer.key("block")
    writer.raw(block.text(indent: 2, lead: 11).utf8)
    writer.key("differences")
    writer.beginArray()
    for difference in differences {
      writer.beginObject()
      for (key, text) in [
        ("key", difference.key), ("value", difference.value.text()), ("instead", difference.inherited),
        ("reason", difference.reason),
      ] {
        guard let text else { continue }
        writer.key(key)
        writer.string(text)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.key("parts")
    writer.beginArray()
    for line in proof.lines {
      writer.beginObject()
      writer.key("part")
      writer.string(line.part)
      writer.key("proved")
      writer.boolean(line.isProved)
      writer.key("reason")
      writer.string(line.text)
      writer.endObject()
    }
    writer.endArray()
    if let reading {
      writer.key("checks")
      writer.beginObject()
      for (key, text) in [("rows", "\(reading.rows)"), ("clean", "\(reading.clean)")] {
        writer.key(key)
        writer.string(text)
      }
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes
  }
}
