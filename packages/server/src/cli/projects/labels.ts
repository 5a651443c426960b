import { DEFAULT_LABEL_COLOUR, LABEL_COLOUR_PATTERN, MAX_LABEL_NAME_CHARS, MAX_LABELS } from '@bugle/contract'
import { systemClock } from '../../clock.ts'
import { showLabel } from '../../domain/projects/labels.ts'
import type { LabelRecord } from '../../model/labels.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Command, CommandError, type Input, type Option, type Result, UsageError } from '../command.ts'
import { pairs, type Screen, table } from '../terminal/tables.ts'

const PROJECT: Option = { type: 'string', value: 'SLUG', isRequired: true, meaning: 'the project' }
const COLOUR: Option = {
  type: 'string',
  value: 'COLOUR',
  meaning: `as in CSS, #1a7f37; default: ${DEFAULT_LABEL_COLOUR}`,
}

const create: Command = {
  name: 'label create',
  summary: 'Create a label for the issues of a project',
  positionals: ['NAME'],
  options: { project: PROJECT, colour: COLOUR },
  async run(input, { withStorage, terminal }) {
    const label = {
      name: checkName(input.positionals[0] ?? ''),
      colour: checkColour(input.text('colour') ?? DEFAULT_LABEL_COLOUR),
      createdAt: systemClock(),
    }
    return withStorage(async (storage) => {
      const project = await requireProject(storage, input)
      const outcome = await storage.labels.create({ ...label, projectId: project.id })
      if (outcome === 'no-project') throw missingProject(project.slug)
      if (outcome === 'name-taken') throw nameTaken(label.name)
      if (outcome === 'too-many') throw new CommandError(`a project may have ${MAX_LABELS} labels`)
      return describe(outcome, terminal)
    })
  },
}

const list: Command = {
  name: 'label list',
  summary: 'List the labels of a project',
  positionals: [],
  options: { project: PROJECT },
  run: async (input, { withStorage, terminal }) =>
    withStorage(async (storage) => {
      const project = await requireProject(storage, input)
      const labels = await storage.labels.list(project.id)
      if (labels.length === 0)
        return { json: [], text: 'No labels yet. Create one with "bugle label create".' }
      const rows = labels.map(({ name, colour }) => [name, colour])
      return {
        json: labels.map(showLabel),
        text: table([{ heading: 'NAME', overflow: 'cut' }, 'COLOUR'], rows, terminal),
      }
    }),
}

const update: Command = {
  name: 'label update',
  summary: 'Rename a label or change its colour; its issues keep it',
  positionals: ['NAME'],
  options: {
    project: PROJECT,
    name: { type: 'string', value: 'NAME', meaning: 'new name' },
    colour: { ...COLOUR, meaning: 'new colour, #1a7f37' },
  },
  async run(input, { withStorage, terminal }) {
    const [name, colour] = [input.text('name'), input.text('colour')]
    if (name === undefined && colour === undefined)
      throw new UsageError('nothing to change: give --name or --colour')
    const change = {
      ...(name !== undefined && { name: checkName(name) }),
      ...(colour !== undefined && { colour: checkColour(colour) }),
    }
    return withStorage(async (storage) => {
      const project = await requireProject(storage, input)
      const outcome = await storage.labels.update(project.id, input.positionals[0] ?? '', change)
      if (outcome === 'missing' || outcome === 'stale') throw missingLabel(input)
      if (outcome === 'name-taken') throw nameTaken(change.name ?? '')
      return describe(outcome, terminal)
    })
  },
}

const remove: Command = {
  name: 'label delete',
  summary: 'Delete a label, and take it from all issues',
  positionals: ['NAME'],
  options: { project: PROJECT },
  run: async (input, { withStorage }) =>
    withStorage(async (storage) => {
      const project = await requireProject(storage, input)
      const [name = ''] = input.positionals
      if ((await storage.labels.delete(project.id, name)) === 'missing') throw missingLabel(input)
      return { json: { name, outcome: 'deleted' }, text: `Deleted the label "${name}".` }
    }),
}

export const labelCommands: readonly Command[] = [create, list, update, remove]

function describe(label: LabelRecord, screen: Screen): Result {
  const facts = [
    ['name', label.name],
    ['colour', label.colour],
  ] as const
  return { json: showLabel(label), text: pairs(facts, screen) }
}

function checkName(text: string): string {
  const name = text.trim().normalize('NFC')
  const chars = [...name].length
  if (chars === 0 || chars > MAX_LABEL_NAME_CHARS || /\p{Cc}/u.test(name))
    throw new UsageError(`the name of a label must have 1 to ${MAX_LABEL_NAME_CHARS} characters on one line`)
  return name
}

function checkColour(text: string): string {
  const colour = text.toLowerCase()
  if (!new RegExp(LABEL_COLOUR_PATTERN).test(colour))
    throw new UsageError(`--colour must be like #1a7f37, not "${text}"`)
  return colour
}

async function requireProject({ projects }: Storage, input: Input): Promise<ProjectRecord> {
  const slug = input.text('project') ?? ''
  const project = await projects.find(slug)
  if (project === undefined) throw missingProject(slug)
  return project
}

function missingProject(slug: string): CommandError {
  return new CommandError(`no project has the slug "${slug}"; "bugle project list" shows them all`)
}

function missingLabel({ positionals: [name = ''] }: Input): CommandError {
  return new CommandError(`the project has no label "${name}"; "bugle label list" shows them all`)
}

function nameTaken(name: string): CommandError {
  return new CommandError(`the project already has a label "${name}"`)
}
