/** The file can not be imported; the message says what is wrong with it, where, and what to do. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}

export function refusedAt(line: number, reason: string, cause?: unknown): FileRefused {
  return new FileRefused(`line ${line.toLocaleString('en')}: ${reason}`, { cause })
}
