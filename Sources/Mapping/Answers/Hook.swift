/// A piece of Swift that a config may name when data is not enough, such as for a source that is not JSON.
///
/// A hook is pure: bytes in, bytes out. It turns what the exchange sent into JSON, which the mapping reads like any
/// other response. `Plugins/Hooks.swift` lists the compiled-in hooks.
package protocol Hook: Sendable {
  /// The name that configs use for the hook.
  static var name: String { get }

  init()

  /// Converts the body of a response to JSON text.
  ///
  /// - Throws: `HookError` with the reason if the hook does not recognize the body.
  func json(from body: [UInt8]) throws(HookError) -> [UInt8]
}

package struct HookError: Error, Hashable {
  /// A brief description of what is wrong with the body.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// The compiled-in hooks.
package struct HookRegistry: Sendable {
  private let hooks: [String: any Hook]

  package init(_ types: [any Hook.Type] = []) {
    hooks = Dictionary(types.map { ($0.name, $0.init()) }, uniquingKeysWith: { first, _ in first })
  }

  package var names: [String] { hooks.keys.sorted() }

  package subscript(_ name: String) -> (any Hook)? { hooks[name] }
}
