import { guard } from './guard.ts'

/** Prints a message to the developer, once per cause; nothing else in the SDK prints. */
export function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: a library has no other way to inform the developer
  guard(() => console.warn(`[bugle] ${message}`))()
}
