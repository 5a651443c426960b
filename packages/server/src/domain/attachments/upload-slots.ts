import { DomainError } from '../domain-error.ts'

const RETRY_AFTER_SECONDS = 5
/** The part of all slots that one project may take, and one client. */
const PROJECT_SHARE = 1 / 2
const CLIENT_SHARE = 1 / 8

/** Limits how many uploads are in progress: in total, for one project and for one client. */
export interface UploadSlots {
  /** Throws `unavailable` if all are taken. The returned function frees the slot. */
  take(uploader: Uploader): () => void
  readonly taken: number
}

export interface Uploader {
  readonly projectId: string
  readonly client: string
}

export function createUploadSlots(max: number): UploadSlots {
  const shareOf = (share: number) => Math.max(1, Math.floor(max * share))
  const byProject = createCounts(shareOf(PROJECT_SHARE))
  const byClient = createCounts(shareOf(CLIENT_SHARE))
  let taken = 0

  return {
    take({ projectId, client }) {
      if (taken >= max || byProject.isFull(projectId) || byClient.isFull(client)) {
        throw new DomainError('unavailable', {
          detail: 'Too many uploads are in progress. Try again shortly.',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        })
      }
      const add = (change: 1 | -1) => {
        taken += change
        byProject.add(projectId, change)
        byClient.add(client, change)
      }
      add(1)
      return () => add(-1)
    },
    get taken() {
      return taken
    },
  }
}

function createCounts(max: number) {
  const counts = new Map<string, number>()
  return {
    isFull: (name: string) => (counts.get(name) ?? 0) >= max,
    add(name: string, change: 1 | -1) {
      const count = (counts.get(name) ?? 0) + change
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}
