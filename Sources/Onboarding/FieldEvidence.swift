import Config
import Inference
import JSON
import Quotes
import Terminal

/// Where a field was found and why, as shown to the user.
struct FieldEvidence {
  let name: String
  /// nil if it was found nowhere.
  let path: String?
  let example: String
  let isSure: Bool
  let confidence: Double
  let evidence: [String]
  /// Whether a stream has it where the table has it; nil for anything else.
  var isInherited: Bool?

  init(_ field: BlockField) {
    (name, path, example) = (field.name, field.path, field.example)
    (isSure, confidence, evidence) = (field.isSure, field.confidence, field.evidence)
  }

  init(_ field: StreamProposal.Field) {
    (name, path, example) = (field.role.field.rawValue, field.path.isEmpty ? nil : field.path, field.example)
    (isSure, confidence, evidence) = (field.isSure, field.confidence, field.evidence)
    isInherited = field.isInherited
  }

  /// Creates a field that the user has given; null for one that is not there.
  init(given name: String, _ value: ConfigValue) {
    let text: String? =
      switch value {
      case .null: nil
      case .text(let text): text
      default: value.text()
      }
    (self.name, path, example) = (name, text, "")
    (isSure, confidence, evidence) = (text != nil, text == nil ? 0 : 1, ["as given"])
  }

  var json: JSONValue {
    [
      "field": .string(name), "path": .text(path), "example": .string(example),
      "confidence": .string(ConfidenceText(confidence).decimal), "sure": .bool(isSure),
    ] + .members(isInherited.map { [("inherited", .bool($0))] } ?? []) + ["evidence": .texts(evidence)]
  }
}

extension [FieldEvidence] {
  func text(_ width: Int?, _ palette: Palette) -> String {
    var table = Table(columns: [
      TableColumn("field"), TableColumn("path"), TableColumn("example", shortening: 3, dropping: 2),
      TableColumn("confidence", .right), TableColumn("evidence", shortening: 1),
    ])
    for field in self {
      let confidence = ConfidenceText(field.confidence)
      table.addRow([
        StyledText(field.name, field.isSure ? .neutral : .dim), StyledText(field.path ?? "-"),
        StyledText(field.example, .dim),
        StyledText(field.isSure ? "\(confidence)" : field.path == nil ? "-" : "unsure \(confidence)"),
        StyledText(field.evidence.joined(separator: "; "), .dim),
      ])
    }
    return table.rendered(width: width, palette: palette)
  }
}
