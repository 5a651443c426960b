import { type RefObject, useLayoutEffect, useRef } from 'react'
import { rememberPlace } from './list-places.ts'

/** Remembers where somebody is, for the way back and for when the page is loaded anew. */
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
