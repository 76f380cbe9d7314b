/// An exchange that has closed: kept by name, so that asking for it says since when.
package struct RetiredExchange: Sendable {
  package let name: String
  /// Further names by which people know it.
  package let names: [String]
  /// `yyyy-MM-dd`.
  package let since: String
  package let reason: String?
}

extension SpecReader {
  mutating func readRetired(_ member: ConfigMember) -> RetiredExchange? {
    guard checkKeys(member.value, .retired) else { return nil }
    guard let since = member.value["since"] else {
      report(.missingKey("since", in: "\"\(member.name)\"", at: member.value))
      return nil
    }
    guard let date = readText(since) else { return nil }
    return RetiredExchange(
      name: member.name, names: member.value["names"].flatMap { readTexts($0) } ?? [], since: date,
      reason: member.value["reason"].flatMap { readText($0) })
  }
}
