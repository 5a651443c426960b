const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: (\d+)/i
const STATUS_AT = 'HTTP/1.1 '.length

/** Splits the data of a connection into responses, and calls back for each complete one. Supports only responses with a length, or without a body. */
export function createResponseReader(
  onResponse: (head: string, body: () => string) => void,
): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const headEnd = rest.indexOf(HEAD_END)
      if (headEnd === -1) return
      const head = rest.toString('latin1', 0, headEnd)
      const bodyStart = headEnd + HEAD_END.length
      const end = bodyStart + Number(LENGTH.exec(head)?.[1] ?? 0)
      if (rest.length < end) return
      const received = rest
      rest = rest.subarray(end)
      onResponse(head, () => received.toString('utf8', bodyStart, end))
    }
  }
}

export function statusOf(head: string): number {
  return Number(head.slice(STATUS_AT, STATUS_AT + 3))
}
