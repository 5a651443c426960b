import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQuery } from '../people/session.ts'

const STORED_UNDER = 'bugle-drafts'
/** The oldest drafts are removed first, because a browser stores only a few megabytes for a page. */
const MAX_DRAFTS = 50
const MAX_CHARS = 1_000_000

type Stored = readonly (readonly [name: string, text: string])[]

/**
 * A text that is being written: stored in this browser for the person who is signed in, so that it survives navigation and
 * reloads, until it is set to `undefined`.
 */
export function useDraft(
  name: string,
): [draft: string | undefined, keep: (text: string | undefined) => void] {
  const { data: session } = useQuery(sessionQuery)
  const fullName = `${session?.user.id}:${name}`
  const [draft, setDraft] = useState(() => readDrafts().find(([other]) => other === fullName)?.[1])

  function keep(text: string | undefined): void {
    const others = readDrafts().filter(([other]) => other !== fullName)
    writeDrafts(text === undefined ? others : [...others, [fullName, text]])
    setDraft(text)
  }

  return [draft, keep]
}

/** Removes everything the person wrote, when they sign out. */
export function forgetDrafts(): void {
  localStorage.removeItem(STORED_UNDER)
}

function readDrafts(): Stored {
  return JSON.parse(localStorage.getItem(STORED_UNDER) ?? '[]') as Stored
}

function writeDrafts(drafts: Stored): void {
  let chars = 0
  const newest = drafts.slice(-MAX_DRAFTS).toReversed()
  const fitting = newest.filter(([name, text]) => {
    chars += name.length + text.length
    return chars <= MAX_CHARS
  })
  localStorage.setItem(STORED_UNDER, JSON.stringify(fitting.toReversed()))
}
