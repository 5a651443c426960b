/** A sample: one line of the text format of Prometheus (version 0.0.4). */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric with its samples. */
export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: readonly Sample[]
}

const HELP = /^# HELP ([a-zA-Z_:][\w:]*) (.+)$/
const TYPE = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf|Nan))$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y

/** Parses the text as Prometheus does, and fails on a line that is malformed or misplaced. */
export function parsePrometheus(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the text does not end with a line feed')
  const families = new Map<string, Family & { samples: Sample[] }>()
  let helped = ['', '']
  let current: (Family & { samples: Sample[] }) | undefined
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, helpName, help] = HELP.exec(line) ?? []
    const [, typeName, type] = TYPE.exec(line) ?? []
    if (helpName !== undefined && help !== undefined) helped = [helpName, help]
    else if (typeName !== undefined && type !== undefined) {
      if (helped[0] !== typeName || families.has(typeName)) throw new Error(`out of place: ${line}`)
      current = { name: typeName, type, help: helped[1] ?? '', samples: [] }
      families.set(typeName, current)
    } else {
      const sample = parseSample(line)
      if (current === undefined || !belongs(sample, current)) throw new Error(`out of place: ${line}`)
      current.samples.push(sample)
    }
  }
  return families
}

function parseSample(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
  if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`)
  return { name, labels: parseLabels(labels, line), value: Number(value.replace('Inf', 'Infinity')) }
}

function parseLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? []
    if (name === undefined || value === undefined || name in labels) throw new Error(`bad labels: ${line}`)
    labels[name] = value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
  }
  return labels
}

function belongs({ name }: Sample, family: Family): boolean {
  const ending = name.slice(family.name.length)
  if (!name.startsWith(family.name)) return false
  return family.type === 'histogram' ? /^_(?:bucket|sum|count)$/.test(ending) : ending === ''
}
