package import Mapping

/// The hooks that are compiled in. A config names one by its `name`; a new one is added here.
package let shippedHooks: [any Hook.Type] = [ECBReferenceRates.self]
