// The room `Transport`; see docs/architecture.md.
