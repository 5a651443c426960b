import { type RefObject, useLayoutEffect, useRef } from 'react'
import { rememberPlace } from './list-places.ts'

/** Remembers the position in the list for going back and for reloads. */
export function useKeptPlace(list: string, cursor: number, gridRef: RefObject<HTMLElement | null>): void {
  const latest = useRef(cursor)
  useLayoutEffect(() => {
    latest.current = cursor
  })
  useLayoutEffect(() => {
    const remember = () =>
      rememberPlace(list, { cursor: latest.current, offset: gridRef.current?.scrollTop ?? 0 })
    window.addEventListener('pagehide', remember)
    return () => {
      remember()
      window.removeEventListener('pagehide', remember)
    }
  }, [list, gridRef])
}
