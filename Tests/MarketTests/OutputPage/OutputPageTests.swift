import Files
import JSON
import Quotes
import TestSupport
import Testing

/// docs/output.md names every member and column that programs can read, and no other.
@Suite struct OutputPageTests {
  /// The rooms that write for programs, and the names that each writes.
  private static func written() throws -> [String: Set<String>] {
    var names: [String: Set<String>] = [:]
    for room in ["Formats", "Views", "Proving", "Keys", "Onboarding", "Shell"] {
      for file in try files(in: Checkout.path("Sources/\(room)")) {
        let text = String(decoding: try FileSystem.read(file), as: UTF8.self)
        names[room, default: []].formUnion(WrittenNames(in: text, of: room).names)
      }
    }
    return names
  }

  private static func files(in folder: String) throws -> [String] {
    try FileSystem.names(in: folder).flatMap { name in
      name.hasSuffix(".swift") ? ["\(folder)/\(name)"] : name.contains(".") ? [] : try files(in: "\(folder)/\(name)")
    }
  }

  /// The block that `add-exchange` proposes is a part of a config.
  @Test func everyWrittenNameIsOnThePage() throws {
    let config = String(decoding: try FileSystem.read(Checkout.path("docs/config.md")), as: UTF8.self)
    let keys = Set(OutputPage.code(in: config[...]))
    let page = try OutputPage()
    for (room, names) in try Self.written() {
      let missing = names.subtracting(page.words).subtracting(room == "Onboarding" ? keys : [])
      #expect(missing.sorted() == [], "written in \(room)")
    }
  }

  /// Members may also be named by the cases of an enumeration.
  @Test func everyNameOnThePageIsWritten() throws {
    let cases = Market.allCases.map(\.rawValue) + DollarBasis.allCases.map(\.rawValue)
    let written = try Self.written().values.reduce(into: Set(cases)) { $0.formUnion($1) }
    for (section, entries) in try OutputPage().sections {
      #expect(Set(entries.keys).subtracting(written).sorted() == [], "\(section)")
    }
  }

  static let recordings: [String] = {
    let folder = Checkout.path("Tests/MarketTests/Golden")
    return ((try? FileSystem.names(in: folder)) ?? []).sorted().filter { name in
      ["json", "ndjson", "csv"].contains { name.hasSuffix(".\($0)") }
    }
  }()

  @Test(arguments: recordings) func sectionHasEveryRecordedName(_ file: String) throws {
    let page = try OutputPage()
    let section = try #require(page.section(ofRecording: file))
    let text = String(
      decoding: try FileSystem.read(Checkout.path("Tests/MarketTests/Golden/\(file)")), as: UTF8.self)
    if file.hasSuffix(".csv") {
      let titles = text.prefix { $0 != "\r\n" && $0 != "\n" }.split(separator: ",").map(String.init)
      // The title of prices in another currency names it.
      let fixed = titles.filter { !($0.hasPrefix("in") && $0.dropFirst(2).first?.isUppercase == true) }
      let unknown = fixed.filter { name in !page.entries(of: name, in: section).contains { $0.forms.contains("c") } }
      #expect(unknown == [])
      return
    }
    let form: Character = file.hasSuffix(".ndjson") ? "n" : "j"
    for document in Self.documents(in: text, areLines: form == "n") {
      let root = try JSONDocument(parsing: Array(document.utf8)).root
      #expect(Self.unknown(in: root, of: section, page, form: form) == [])
    }
  }

  /// Returns the JSON in a recording, without what was written to standard error. A map of assets on one line has no
  /// fixed names.
  private static func documents(in text: String, areLines: Bool) -> [String] {
    let lines = text.split(separator: "\n")
    if areLines { return lines.filter { $0.hasPrefix("{") }.map(String.init) }
    guard let end = lines.firstIndex(of: "}"), lines.first == "{" else { return [] }
    return [lines[...end].joined(separator: "\n")]
  }

  /// Returns the names in a value that its section does not have.
  ///
  /// - Parameter form: The form of the outermost object; nil within it, since shared parts are described once.
  private static func unknown(
    in value: JSONNode, of section: String, _ page: OutputPage, form: Character?
  ) -> [String] {
    if value.kind == .array { return value.elements.flatMap { unknown(in: $0, of: section, page, form: form) } }
    guard value.kind == .object else { return [] }
    return value.members.flatMap { name, _, member -> [String] in
      let entries = page.entries(of: name, in: section)
      guard entries.contains(where: { form.map($0.forms.contains) ?? true }) else { return [name] }
      // Fields have their own names there.
      if name == "explain" { return [] }
      if name == "markets" {
        return member.members.flatMap { unknown(in: $0.value, of: section, page, form: nil) }
      }
      if entries.contains(where: \.isMap), name != "reasons" || member.kind == .object { return [] }
      return unknown(in: member, of: section, page, form: nil)
    }
  }
}
