import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { ProjectId } from '../model/ids.ts'
import type { LineOf } from '../model/transfer/lines.ts'
import { type FileName, type FileStore, mintFileName } from '../storage/files/file-store.ts'
import { FileRefused } from './file-refused.ts'

interface Putting {
  readonly line: LineOf<'file'>
  readonly name: FileName
  readonly bytes: PassThrough
  readonly done: Promise<void>
}

/** Puts files into a store while their bytes are read, one file at a time. */
export function createFilePuts(store: FileStore) {
  let putting: Putting | undefined

  function requirePutting(): Putting {
    if (putting === undefined) throw new TypeError('there are bytes without a file')
    return putting
  }

  async function abort(): Promise<void> {
    const aborted = putting
    putting = undefined
    if (aborted === undefined) return
    aborted.bytes.destroy(new Error('the file is not stored'))
    await aborted.done.catch(() => undefined)
  }

  return {
    begin(projectId: ProjectId, line: LineOf<'file'>): void {
      // Once the store has failed, it reads no further bytes.
      const bytes = new PassThrough().on('error', () => undefined)
      const name = mintFileName(projectId)
      const done = store.put({ name, size: line.size, sha256: line.digest }, bytes)
      // Awaited with the next bytes, or by `end`.
      done.catch(() => undefined)
      putting = { line, name, bytes, done }
    },

    /** Resolves once the store can take more. */
    async add(piece: Uint8Array): Promise<void> {
      const { bytes, done } = requirePutting()
      if (!bytes.write(piece)) await Promise.race([done, once(bytes, 'drain')]).catch(failed)
    },

    /** Resolves once the file is durable. */
    async end(): Promise<{ readonly line: LineOf<'file'>; readonly name: FileName }> {
      const current = requirePutting()
      current.bytes.end()
      await current.done.catch(failed)
      putting = undefined
      return current
    },

    /** The file is not stored. */
    abort,
  }
}

function failed(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  throw new FileRefused(
    `a file could not be stored. ${reason} Fix that and import the export again: it resumes from here.`,
    { cause: error },
  )
}
