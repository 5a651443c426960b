/** The file cannot be imported; the message contains the line, the fault and what to do. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}

export function refusedAt(line: number, reason: string, cause?: unknown): FileRefused {
  return new FileRefused(`line ${line.toLocaleString('en')}: ${reason}`, { cause })
}
