import type { Terminal } from '../command.ts'

const WIDTH = 30

export interface Progress {
  show(done: number): void
  end(): void
}

type Watched = Pick<Terminal, 'remark' | 'showsProgress'>

/** A progress bar on a terminal; nothing elsewhere, or if there is nothing to do. */
export function progressBar(terminal: Watched, label: string, total: number): Progress {
  const isShown = terminal.showsProgress && total > 0
  let shown = ''
  return {
    show(done) {
      if (!isShown) return
      const share = Math.min(1, done / total)
      const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
      const line = `\r${label} ${bar} ${Math.floor(share * 100)}%`
      if (line !== shown) terminal.remark(line)
      shown = line
    },
    end() {
      if (isShown) terminal.remark('\n')
    },
  }
}

/** Progress bars for work in stages, one bar after the other. */
export function progressOfStages<Stage extends string>(
  terminal: Watched,
  labels: Readonly<Record<Stage, string>>,
) {
  let bar: Progress | undefined
  let shown: Stage | undefined
  return {
    show(stage: Stage, done: number, total: number): void {
      if (stage !== shown) {
        bar?.end()
        bar = progressBar(terminal, labels[stage], total)
        shown = stage
      }
      bar?.show(done)
    },
    end: (): void => bar?.end(),
  }
}

/** A progress bar for work whose size is known only after it has started. */
export function progressOf(terminal: Watched, label: string) {
  let bar: Progress | undefined
  return {
    show(done: number, total: number): void {
      bar ??= progressBar(terminal, label, total)
      bar.show(done)
    },
    end: (): void => bar?.end(),
  }
}
