import { parentPort } from 'node:worker_threads'
import { type DocumentRequest, renderDocument } from './render-document.ts'

/** The thread's side of `document-renderer.ts`. */
export interface RenderRequest extends DocumentRequest {
  readonly id: number
}

export interface RenderResponse {
  readonly id: number
  /** Absent if there is no such document. */
  readonly text?: string | undefined
  readonly error?: unknown
}

parentPort?.on('message', async ({ id, ...request }: RenderRequest) => {
  const response: RenderResponse = await renderDocument(request).then(
    (text) => ({ id, text }),
    (error: unknown) => ({ id, error }),
  )
  parentPort?.postMessage(response)
})
