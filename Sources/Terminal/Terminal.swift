// The room `Terminal`; see docs/architecture.md.
