import { readFileSync } from 'node:fs'

/** One instruction, with its flags separate from the rest. */
export interface Step {
  readonly instruction: string
  readonly flags: Readonly<Record<string, string>>
  readonly text: string
}

/** From one `FROM` to the next. */
export interface Stage {
  readonly base: string
  readonly name: string | undefined
  readonly steps: readonly Step[]
}

/** Parses the parts of the language that our Dockerfile uses: flags, continued lines, comments, several stages. */
export function readDockerfile(path: string): readonly Stage[] {
  const source = readFileSync(path, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
  const steps = source
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readStep)
  const starts = steps.flatMap(({ instruction }, index) => (instruction === 'FROM' ? [index] : []))
  return starts.map((start, index) => {
    const [base = '', , name] = steps[start]?.text.split(' ') ?? []
    return { base, name, steps: steps.slice(start + 1, starts[index + 1]) }
  })
}

/** The words of an instruction in its JSON form, as in `CMD`. */
export function wordsOf(step: Step | undefined): readonly string[] {
  return step === undefined ? [] : (JSON.parse(step.text.replace(/^CMD /, '')) as string[])
}

function readStep(line: string): Step {
  const [, instruction = '', flags = '', text = ''] = /^([A-Z]+)((?: --\S+)*) (.*)$/.exec(line) ?? []
  return {
    instruction,
    flags: Object.fromEntries(
      [...flags.matchAll(/--([\w-]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    ),
    text,
  }
}
