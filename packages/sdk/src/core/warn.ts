import { guard } from './guard.ts'

/** Tells the developer, once per cause; the only thing the SDK ever prints. */
export function warn(message: string): void {
  guard(
    // biome-ignore lint/suspicious/noConsole: a library has no other way to tell a developer of a mistake
    () => console.warn(`[bugle] ${message}`),
    () => {},
  )()
}
