/** A file that waits to be sent. */
export interface KeptFile {
  /** Starts with the id of the report, so that the order of the ids is the order of the reports. */
  readonly id: string
  readonly submissionId: string
  readonly sha256: string
  readonly size: number
  readonly publicKey: string
  /** Whether its report was stored or sent. Until then it must not leave the device: `beforeSend` may drop the report. */
  readonly isReady: boolean
}

/** Where the platform keeps files. Any function may throw or reject. */
export interface FileStore {
  /** Resolves once the file is stored. Rejects if there is no space for it. Without bytes, only the entry is replaced. */
  _put(file: KeptFile, bytes?: Uint8Array<ArrayBuffer>): Promise<void>
  /** All files, without their bytes, in the order of the ids. */
  _list(): Promise<readonly KeptFile[]>
  _read(id: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  _remove(id: string): Promise<void>
  /** Runs the task unless another tab or process is running it. Reports have another lock: they never wait for files. */
  _runAlone(task: () => Promise<void>): Promise<unknown>
}

/** The last resort: it lasts as long as the page or process. */
export function createMemoryFileStore(): FileStore {
  const files = new Map<string, { readonly file: KeptFile; readonly bytes: Uint8Array<ArrayBuffer> }>()
  return {
    async _put(file, bytes = files.get(file.id)?.bytes) {
      if (bytes) files.set(file.id, { file, bytes })
    },
    _list: async () => Array.from(files.values(), ({ file }) => file),
    _read: async (id) => files.get(id)?.bytes,
    async _remove(id) {
      files.delete(id)
    },
    _runAlone: (task) => task(),
  }
}
