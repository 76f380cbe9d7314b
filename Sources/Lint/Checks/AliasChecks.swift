import Config
import JSON
import Quotes

/// Names and what they stand for.
private struct AliasGraph {
  struct Link {
    let name: String
    /// The name it stands for, as written.
    let target: String
    /// The same, as names are compared.
    let foldedTarget: String
    let key: ConfigNode
    /// The number of its file: an alias of a nearer file is the newer, so it made the mistake.
    let file: Int
  }

  /// By the name, as names are compared.
  private(set) var links: [String: Link] = [:]
  /// The keys of `links`, in the order of the text.
  private(set) var order: [String] = []

  mutating func add(_ member: ConfigMember, file: Int, folded: (String) -> String = { $0 }) {
    guard let target = member.value.json.string else {
      if member.value.json.isNull { remove(folded(member.name)) }
      return
    }
    remove(folded(member.name))
    order.append(folded(member.name))
    links[folded(member.name)] = Link(
      name: member.name, target: target, foldedTarget: folded(target), key: member.key, file: file)
  }

  private mutating func remove(_ name: String) {
    if links.removeValue(forKey: name) != nil { order.removeAll { $0 == name } }
  }

  /// Returns each cycle among the names once, beginning with the alias that closed it.
  ///
  /// - Parameter starts: the names from which to search.
  func cycles(from starts: [String]) -> [[Link]] {
    // Names whose chain ends: it is followed once, however many names lead into it.
    var sound: Set<String> = []
    var result: [[Link]] = []
    for start in starts {
      var trail: [String] = []
      var places: [String: Int] = [:]
      var name = start
      while let link = links[name], !sound.contains(name), places[name] == nil {
        places[name] = trail.count
        trail.append(name)
        name = link.foldedTarget
      }
      if let cycle = places[name], trail.count - cycle > 1 {
        let found = trail[cycle...].compactMap { links[$0] }
        let newest = found.map(\.file).max()
        // Of those in one file, the first that was searched from, or else the first in the text.
        let first = trail[cycle...].firstIndex { links[$0]?.file == newest } ?? cycle
        let names = Array(trail[first...] + trail[cycle..<first])
        result.append(names.compactMap { links[$0] })
      }
      sound.formUnion(trail)
    }
    return result
  }
}

extension AliasGraph {
  /// The findings of a list whose names are followed one step.
  func findings(ofCycles cycles: [[Link]]) -> [Finding] {
    cycles.map { cycle in .circularAlias((cycle + [cycle[0]]).map(\.name), at: cycle[0].key) }
  }

  /// Finds names that stand for a name which in turn stands for another.
  ///
  /// - Parameter isExplained: whether a name has a finding of its own.
  func chains(isExplained: (String) -> Bool) -> [Finding] {
    var reported: Set<Place> = []
    return order.compactMap { name in
      guard let link = links[name], let next = links[link.foldedTarget], next.foldedTarget != link.foldedTarget,
        !isExplained(name), !isExplained(link.foldedTarget)
      else { return nil }
      // All names of an asset lead to the one alias that was added later.
      let key = next.file > link.file ? next.key : link.key
      guard reported.insert(key.place).inserted else { return nil }
      return .aliasOfAlias(link.name, link.target, end: next.target, at: key)
    }
  }

  func loops(_ names: [String]) -> [Finding] {
    names.compactMap { name in
      links[name].flatMap { $0.foldedTarget == name ? .unusedAlias($0.name, "it names itself", at: $0.key) : nil }
    }
  }
}

/// A check for circular aliases of assets, those that have no effect, and those of other assets.
enum AliasCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var global = AliasGraph()
    for (index, file) in inspection.configuration.files.enumerated() {
      if file.root["aliases"]?.json.isNull == true { global = AliasGraph() }
      for member in file.root["aliases"]?.members ?? [] { global.add(member, file: index) }
    }
    let cycles = global.cycles(from: global.order)
    let circular = Set(cycles.flatMap { $0.map(\.name) })
    // Everyone types these names, and means the same by them.
    let renamed = global.order.filter { name in
      KnownAsset.unmistakable.contains(name) && !circular.contains(name) && global.links[name]?.target != name
    }
    var result = global.loops(global.order) + global.findings(ofCycles: cycles)
    result += renamed.compactMap { name in
      global.links[name].map { .renamedAsset(name, $0.target, at: $0.key) }
    }
    let explained = circular.union(renamed)
    result += global.chains { explained.contains($0) }
    for table in inspection.tables + inspection.streams + inspection.accounts {
      result += findings(of: table, over: global, inspection)
    }
    return result
  }

  /// Finds the cycles that an exchange's own aliases are part of.
  private static func findings(
    of table: Inspection.Table, over global: AliasGraph, _ inspection: Inspection
  ) -> [Finding] {
    let members = table.members(of: .aliases)
    if members.isEmpty { return [] }
    var graph = global
    for member in members {
      graph.add(member, file: inspection.configuration.files.firstIndex { $0 === member.key.file } ?? 0)
    }
    let own = members.map(\.name).filter { graph.links[$0] != nil }
    let places = Set(members.map(\.key.place))
    let cycles = graph.cycles(from: own).filter { $0.contains { places.contains($0.key.place) } }
    let findings = graph.findings(ofCycles: cycles).map { finding in
      // An alias of all exchanges is not inherited from one.
      finding.place.map(places.contains) == true ? table.own(finding) : finding
    }
    return graph.loops(own).map(table.own) + findings
  }
}

/// A check for names of networks that lead to each other, to themselves, or that are one name.
enum NetworkCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var graph = AliasGraph()
    var result: [Finding] = []
    for (index, file) in inspection.configuration.files.enumerated() {
      if file.root["networks"]?.json.isNull == true { graph = AliasGraph() }
      for member in file.root["networks"]?.members ?? [] {
        let before = graph.links[Spelling.folded(member.name)]
        if let before, before.file == index, before.name != member.name {
          result.append(
            .unusedAlias(before.name, "'\(member.name)' is the same name, and takes precedence", at: before.key))
        }
        graph.add(member, file: index) { Spelling.folded($0) }
      }
    }
    let cycles = graph.cycles(from: graph.order)
    let circular = Set(cycles.flatMap { $0.map { Spelling.folded($0.name) } })
    return result + graph.loops(graph.order) + graph.findings(ofCycles: cycles)
      + graph.chains { circular.contains($0) }
  }
}
