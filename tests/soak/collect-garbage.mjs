// Loaded by every thread of the server before everything else. The collector waits for minutes if nothing is urgent,
// and until then garbage and leaks look the same.
setInterval(() => globalThis.gc(), 5_000).unref()
