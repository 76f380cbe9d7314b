// The room `Catalog`; see docs/architecture.md.
