// Loaded by the server before everything else. The collector waits for minutes if nothing is urgent, and until then
// garbage and leaks look the same.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) setInterval(() => globalThis.gc(), 5_000).unref()
