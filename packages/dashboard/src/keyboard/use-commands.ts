import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Command } from './command.ts'
import { offerCommands } from './registry.ts'

/** Offers commands as long as the component is on the page; always as of its last render. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  useEffect(() => offerCommands(() => latest.current), [])
}
