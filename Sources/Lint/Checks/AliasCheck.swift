import Config
import JSON

/// Aliases that lead back to where they began, and aliases that do nothing.
enum AliasCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var result: [Finding] = []
    for file in inspection.configuration.files {
      result += findings(file.root["aliases"]?.members ?? [], global: [:])
    }
    for table in inspection.tables {
      let members = table.spec.block?.members(of: .aliases) ?? []
      result += findings(members, global: inspection.configuration.aliases).map(table.own)
    }
    return result
  }

  private static func findings(_ members: [ConfigMember], global: [String: String]) -> [Finding] {
    let pairs = members.compactMap { member in member.value.json.string.map { (member.name, $0) } }
    var next = global.merging(pairs) { _, own in own }
    var result: [Finding] = []
    for member in members {
      guard let target = member.value.json.string else { continue }
      if target == member.name {
        result.append(.unusedAlias(member.name, "it names itself", at: member.key))
        continue
      }
      var trail = [member.name]
      var name = member.name
      while let following = next[name], trail.count <= next.count {
        trail.append(following)
        name = following
        if name == member.name { break }
      }
      guard trail.count > 1, name == member.name else { continue }
      result.append(.circularAlias(trail, at: member.key))
      // One finding a circle.
      for name in trail { next[name] = nil }
    }
    return result
  }
}
