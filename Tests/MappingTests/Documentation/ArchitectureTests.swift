import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The table in docs/architecture.md is binding: a room imports only what the table allows.
@Suite struct ArchitectureTests {
  /// The rows of the table of rooms: the name, then the rooms it may use.
  static let rooms: [(name: String, uses: Set<String>)] = {
    let lines = Manual.text(of: "docs/architecture.md").split(separator: "\n")
    let table = lines.drop { !$0.hasPrefix("| room ") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    return table.map { line in
      let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
      return (cells[0].filter { $0 != "`" }, Set(cells[2].split(separator: ",").map { $0.filter { $0 != " " } }))
    }
  }()

  /// The modules that the platform provides.
  static let platform: Set<String> = ["Glibc", "Darwin", "MachO", "Synchronization"]

  @Test func everyRoomIsListed() {
    #expect(Set(Self.rooms.map(\.name)) == Set(Self.entries(of: "Sources").filter { !$0.hasPrefix(".") } + ["Hooks"]))
  }

  /// A room uses only rooms listed above it, so there are no cycles.
  @Test func tableHasNoCycles() {
    for (index, room) in Self.rooms.enumerated() {
      let above = Set(Self.rooms[..<index].map(\.name))
      #expect(room.uses.subtracting(above).subtracting(["-"]) == [], "\(room.name)")
    }
  }

  @Test(arguments: rooms.map(\.name)) func imports(of room: String) throws {
    let uses = try #require(Self.rooms.first { $0.name == room }).uses
    let folder = room == "Hooks" ? "Plugins" : "Sources/\(room)"
    for file in Self.swiftFiles(in: folder) {
      let imported = Manual.text(of: file).split(separator: "\n").compactMap(Self.importedModule)
      #expect(Set(imported).subtracting(uses).subtracting(Self.platform) == [], "\(file)")
    }
  }

  /// Returns the imported module: `JSON` for `package import JSON`.
  private static func importedModule(_ line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let index = words.firstIndex(of: "import"),
      words[..<index].allSatisfy({ ["package", "public", "internal"].contains($0) || $0.hasPrefix("@") })
    else { return nil }
    return words.dropFirst(index + 1).first.map(String.init)
  }

  private static func swiftFiles(in folder: String) -> [String] {
    entries(of: folder).flatMap { name in
      name.hasSuffix(".swift") ? ["\(folder)/\(name)"] : name.contains(".") ? [] : swiftFiles(in: "\(folder)/\(name)")
    }
  }

  private static func entries(of folder: String) -> [String] {
    guard let directory = opendir(Manual.folder + "/" + folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }
}
