/// The forms in which a command that has a table writes it.
enum OutputFormat: String, CaseIterable, Sendable {
  case text, json, csv
}
