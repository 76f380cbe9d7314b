// The room `Adapters`; see docs/architecture.md.
