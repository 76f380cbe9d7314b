/// A piece of Swift that a config may name where data is not enough: a source that is no JSON.
///
/// A hook is pure: bytes in, bytes out. It turns what the exchange sent into JSON, and the mapping reads that like any
/// other answer. `Plugins/Hooks.swift` lists those that are compiled in.
package protocol Hook: Sendable {
  /// The name by which a config asks for it.
  static var name: String { get }

  init()

  /// Turns the body of an answer into JSON text.
  ///
  /// - Throws: `HookError` with the reason when the body is not what the hook knows.
  func json(from body: [UInt8]) throws(HookError) -> [UInt8]
}

package struct HookError: Error, Hashable {
  /// What is wrong with the body, in a few words.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// The hooks that are compiled in.
package struct HookRegistry: Sendable {
  private let hooks: [String: any Hook]

  package init(_ types: [any Hook.Type] = []) {
    hooks = Dictionary(types.map { ($0.name, $0.init()) }, uniquingKeysWith: { first, _ in first })
  }

  package var names: [String] { hooks.keys.sorted() }

  package subscript(_ name: String) -> (any Hook)? { hooks[name] }
}
