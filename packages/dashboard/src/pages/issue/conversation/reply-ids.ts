import { useRef } from 'react'
import type { ReplyTo } from '../../../api/comments.ts'

interface ReplyIds {
  /** The id of a reply: the same for the same reply until it is sent, so that it is stored once if a response is lost. */
  idOf(text: string, replyTo: ReplyTo): string
  /** The same text is another reply from now on. */
  forget(): void
}

export function useReplyIds(): ReplyIds {
  const known = useRef(new Map<string, string>())
  return {
    idOf(text, { reportId }) {
      const name = JSON.stringify([reportId, text])
      const id = known.current.get(name) ?? crypto.randomUUID()
      known.current.set(name, id)
      return id
    },
    forget: () => known.current.clear(),
  }
}
