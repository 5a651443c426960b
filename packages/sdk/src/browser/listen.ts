import { guard } from '../core/guard.ts'

/** Listens to several events of the window, where it may; returns what stops it. */
export const listen = guard(
  (types: readonly string[], listener: (event: Event) => void) => {
    for (const type of types) addEventListener(type, listener)
    return () => {
      for (const type of types) removeEventListener(type, listener)
    }
  },
  () => () => {},
)
