import { useRef } from 'react'
import type { ReplyTo } from '../../../api/issues/comments.ts'

/** Finds the id of a reply: the same for the same reply, so that it is stored once if a response is lost. */
export function useReplyIds(): (text: string, replyTo: ReplyTo) => string {
  const known = useRef(new Map<string, string>())
  return (text, { reportId }) => {
    const name = JSON.stringify([reportId, text])
    const id = known.current.get(name) ?? crypto.randomUUID()
    known.current.set(name, id)
    return id
  }
}
