package import Mapping

/// The compiled-in hooks. A config refers to a hook by its `name`; add new hooks here.
package let shippedHooks: [any Hook.Type] = [ECBReferenceRates.self]
