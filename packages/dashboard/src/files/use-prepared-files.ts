import { useState } from 'react'
import { type ChosenFile, type PreparedFile, prepareFiles } from './prepared-files.ts'

interface Preparation {
  readonly isPending: boolean
  /** What went wrong the last time. */
  readonly error: string | undefined
  /** Reads files; `undefined` if one cannot be read. */
  prepare(files: readonly ChosenFile[]): Promise<readonly PreparedFile[] | undefined>
}

/** Reads the chosen files when a comment or an issue is sent. */
export function usePreparedFiles(): Preparation {
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  return {
    isPending,
    error,
    async prepare(files) {
      setPending(true)
      setError(undefined)
      try {
        return await prepareFiles(files)
      } catch {
        const reason = isSecureContext ? 'It may have been moved.' : 'Browsers allow this only over HTTPS.'
        setError(`A file cannot be read. ${reason}`)
        return undefined
      } finally {
        setPending(false)
      }
    },
  }
}
