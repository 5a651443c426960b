/** Collects log lines, as objects. */
export function collectLog() {
  const lines: Record<string, unknown>[] = []
  return {
    lines,
    /** The destination of a logger. */
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
    /** The lines that have this text. */
    saying: (text: string) => lines.filter(({ msg }) => msg === text),
  }
}
