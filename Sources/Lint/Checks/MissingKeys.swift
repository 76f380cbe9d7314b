import Config
import JSON

extension [Finding] {
  /// One finding where several tables of an exchange lack the same key: at the innermost object that holds them all, for there
  /// the key would serve them all.
  func withMissingKeysTogether(in exchanges: [ExchangeSource]) -> [Finding] {
    var result = self
    for exchange in exchanges {
      let groups = Dictionary(grouping: result.filter { exchange.isAuthor(of: $0.place) && !$0.lackingKeys.isEmpty }) {
        $0.lackingKeys[0]
      }
      for (key, findings) in groups.sorted(by: { $0.key < $1.key }) where findings.count > 1 {
        let ranges = findings.compactMap(\.place?.range)
        guard let first = result.firstIndex(of: findings[0]),
          let level = exchange.own.first(where: { own in ranges.allSatisfy { own.json.byteRange.overlaps($0) } })
        else { continue }
        var together = Finding.missingKey(key, inTables: findings.count, at: level.innermost(holding: ranges))
        for finding in findings { together.heirs += finding.heirs.filter { !together.heirs.contains($0) } }
        result[first] = together
        result.removeAll { finding in findings.contains(finding) }
      }
    }
    return result.withMissingKeysOfOneTableTogether()
  }

  /// What one table lacks is one finding.
  private func withMissingKeysOfOneTableTogether() -> [Finding] {
    var result: [Finding] = []
    for finding in self {
      guard !finding.lackingKeys.isEmpty, let place = finding.place,
        let index = result.firstIndex(where: { !$0.lackingKeys.isEmpty && $0.place == finding.place })
      else {
        result.append(finding)
        continue
      }
      var all = Finding.tableLacks(result[index].lackingKeys + finding.lackingKeys, at: place)
      all.heirs = result[index].heirs
      result[index] = all
    }
    return result
  }
}

extension ConfigNode {
  fileprivate func innermost(holding ranges: [Range<Int>]) -> ConfigNode {
    let children = members.map(\.value) + elements
    let next = children.first { child in
      ranges.allSatisfy {
        child.json.byteRange.lowerBound <= $0.lowerBound && $0.upperBound <= child.json.byteRange.upperBound
      }
    }
    // Parts of a list are no level: the list's owner is.
    guard let next, next.json.kind == .object || next.elements.isEmpty == false else { return self }
    let inner = next.innermost(holding: ranges)
    return inner.json.kind == .object ? inner : self
  }
}
