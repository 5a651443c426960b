import type { Worker } from 'node:worker_threads'
import { SOURCE_EXTENSION, startThread } from '../../../start-thread.ts'
import type { DocumentRequest } from './render-document.ts'
import type { RenderRequest, RenderResponse } from './render-thread.ts'

/** Most readers open a few pages. Then the thread ends, and its memory is free again. */
const IDLE_MS = 10_000
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128 }

/** Renders documents in a thread, because the longest take a quarter of a second, in which the server would do nothing else. */
export interface DocumentRenderer {
  /** `undefined`: there is no such document. */
  render(request: DocumentRequest): Promise<string | undefined>
  close(): Promise<void>
}

type Waiting = PromiseWithResolvers<string | undefined>

export function createDocumentRenderer(idleMs = IDLE_MS): DocumentRenderer {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function start(): Worker {
    const file = new URL(`render-thread${SOURCE_EXTENSION}`, import.meta.url)
    const started = startThread(file, { resourceLimits: RESOURCE_LIMITS })
    started.on('message', ({ id, text, error }: RenderResponse) => {
      const asked = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) asked?.resolve(text)
      else asked?.reject(error)
      if (waiting.size === 0) idle = setTimeout(() => void stop(), idleMs).unref()
    })
    started.on('error', (error) => void stop(error))
    started.unref()
    return started
  }

  async function stop(reason: unknown = new Error('The thread that renders documents has ended.')) {
    const ending = thread
    thread = undefined
    for (const { reject } of waiting.values()) reject(reason)
    waiting.clear()
    await ending?.terminate()
  }

  return {
    render(request) {
      clearTimeout(idle)
      thread ??= start()
      const id = ++lastId
      const asked: Waiting = Promise.withResolvers()
      waiting.set(id, asked)
      thread.postMessage({ ...request, id } satisfies RenderRequest)
      return asked.promise
    },
    async close() {
      clearTimeout(idle)
      await stop()
    },
  }
}
