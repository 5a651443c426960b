// Loaded by every thread of the server before anything else. Without memory pressure the garbage collector
// waits for minutes, and until then garbage and leaks look the same.
setInterval(() => globalThis.gc(), 5_000).unref()
