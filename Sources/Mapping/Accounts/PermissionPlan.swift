package import Config
package import HTTP
import JSON
package import Quotes

/// What an exchange says of a key, compiled.
package struct PermissionPlan: Sendable {
  package let spec: TableSpec
  private let reading: PlaceReading
  /// How many of the lists of conditions are about trading; the others are about withdrawing.
  private let tradeCount: Int

  package init(_ permissions: AccountSpec.Permissions) {
    spec = permissions.part.table
    tradeCount = permissions.trade.count
    reading = PlaceReading(
      spec, values: [permissions.expires], conditions: permissions.trade + permissions.withdraw)
  }

  /// - Throws: `TableFailure` where the answer is an error, or has not the shape that its rule for success asks for.
  package func permissions(
    in answer: HTTPResponse, request: RequestContext, lookups: [String: LookupState] = [:], hooks: HookRegistry
  ) throws(TableFailure) -> KeyPermissions {
    let context = ReadingContext(request: request, lookups: lookups, hooks: hooks)
    let body = try AnswerReader.json(answer, hook: spec.hook, hooks: hooks)
    let document = try AnswerReader.document(answer, body, success: spec.success, isForPair: false)
    let root = TreeRow(document.root)
    let isSuccess = spec.success.conditions.allSatisfy { TreeCondition($0).holds(for: root) }
    guard isSuccess, (200..<300).contains(answer.status) else {
      throw AnswerReader.failure(document, status: answer.status, isSuccess: isSuccess, success: spec.success)
    }
    return reading.read(root, context) { reader, place in
      let decisions = reading.conditions.map { reader.decision($0, at: place) }
      return KeyPermissions(
        trade: Self.right(decisions.prefix(tradeCount)), withdraw: Self.right(decisions.dropFirst(tradeCount)),
        expires: reading.values[0].flatMap { reader.time($0, at: place).instant })
    }
  }

  /// One list that holds is enough; where none does, one that is not known leaves all unknown.
  private static func right(_ decisions: ArraySlice<Bool?>) -> KeyPermissions.Right {
    if decisions.contains(true) { return .yes }
    return decisions.isEmpty || decisions.contains(nil) ? .unknown : .no
  }
}
