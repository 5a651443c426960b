import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Command } from './command.ts'
import { offerCommands } from './registry.ts'

/** Registers commands while the component is mounted, always as of its last render. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  useEffect(() => offerCommands(() => latest.current), [])
}
