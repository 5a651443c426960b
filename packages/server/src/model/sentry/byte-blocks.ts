const MAX_BLOCK_BYTES = 64 * 1024

/** A copy of bytes that arrive in pieces of any size: in few blocks, because each piece of its own would take far more memory than a few bytes. */
export interface ByteBlocks {
  readonly size: number
  push(piece: Uint8Array): void
  /** The bytes so far. */
  blocks(): readonly Uint8Array[]
  /** Frees the memory now, not at the next garbage collection. Nothing may read the bytes any more. */
  free(): void
}

export function createByteBlocks(): ByteBlocks {
  const full: Uint8Array<ArrayBuffer>[] = []
  let last = new Uint8Array(0)
  let used = 0
  let size = 0

  /** As large as everything before it, up to a limit. */
  function addBlock(pieceBytes: number): void {
    if (used > 0) full.push(last)
    last = new Uint8Array(Math.min(MAX_BLOCK_BYTES, Math.max(pieceBytes, size)))
    used = 0
  }

  return {
    get size() {
      return size
    },
    push(piece) {
      let rest = piece
      while (rest.length > 0) {
        if (used === last.length) addBlock(rest.length)
        const part = rest.subarray(0, last.length - used)
        last.set(part, used)
        used += part.length
        size += part.length
        rest = rest.subarray(part.length)
      }
    },
    blocks: () => (used > 0 ? [...full, last.subarray(0, used)] : full),
    free() {
      for (const { buffer } of [...full.splice(0), last]) buffer.transfer(0)
      last = new Uint8Array(0)
      used = 0
      size = 0
    },
  }
}
