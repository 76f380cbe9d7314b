// Hooks
