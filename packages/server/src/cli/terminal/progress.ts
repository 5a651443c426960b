import type { Terminal } from '../command.ts'

const WIDTH = 30

export interface Progress {
  show(done: number): void
  end(): void
}

/** A bar that fills up on a terminal; nothing for short work, or where nobody looks. */
export function progressBar(terminal: Pick<Terminal, 'remark'>, label: string, total: number): Progress {
  const isShown = process.stderr.isTTY === true && total > 0
  return {
    show(done) {
      if (!isShown) return
      const share = Math.min(1, done / total)
      const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
      terminal.remark(`\r${label} ${bar} ${Math.floor(share * 100)} %`)
    },
    end() {
      if (isShown) terminal.remark('\n')
    },
  }
}

/** A bar for work that only says how much there is when it has begun. */
export function progressOf(terminal: Pick<Terminal, 'remark'>, label: string) {
  let bar: Progress | undefined
  return {
    show(done: number, total: number): void {
      bar ??= progressBar(terminal, label, total)
      bar.show(done)
    },
    end: (): void => bar?.end(),
  }
}
