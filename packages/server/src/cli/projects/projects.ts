import {
  isSlug,
  MAX_BRANCH_CHARS,
  MAX_PROJECT_DESCRIPTION_CHARS,
  MAX_PROJECT_NAME_CHARS,
} from '@bugle/contract'
import { systemClock } from '../../clock.ts'
import { readProjectUrl } from '../../domain/administration/project-details.ts'
import { makeProject, showProject } from '../../domain/projects/projects.ts'
import { everyIssue } from '../../model/issue-lists.ts'
import { type ProjectDetails, type ProjectRecord, placeOf } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { type Command, CommandError, type Input, type Option, type Result, UsageError } from '../command.ts'
import { progressBar } from '../terminal/progress.ts'
import { type Column, pairs, type Screen, table } from '../terminal/tables.ts'
import { requirePublicConfirmed } from './confirm-public.ts'

const LIST_STEP = 500

const DETAIL_OPTIONS = {
  description: { type: 'string', value: 'TEXT', meaning: 'what the project is' },
  'website-url': { type: 'string', value: 'URL', meaning: 'where people find the app' },
  'repository-url': { type: 'string', value: 'URL', meaning: 'where its source code is' },
} as const satisfies Record<string, Option>

const create: Command = {
  name: 'project create',
  summary: 'Create a project',
  positionals: [],
  options: {
    name: { type: 'string', value: 'NAME', isRequired: true, meaning: 'display name' },
    slug: {
      type: 'string',
      value: 'SLUG',
      isRequired: true,
      meaning: 'short name used in URLs: a-z, 0-9 and -',
    },
    public: { type: 'boolean', meaning: 'let anyone read its issues, without a key' },
    'default-branch': { type: 'string', value: 'BRANCH', meaning: 'default source branch; default: main' },
    ...DETAIL_OPTIONS,
  },
  async run(input, { withStorage, terminal }) {
    const project = makeProject({
      name: checkName(input.text('name') ?? ''),
      slug: checkSlug(input.text('slug') ?? ''),
      isPublic: input.isSet('public'),
      defaultBranch: checkBranch(input.text('default-branch') ?? 'main'),
      ...readDetails(input),
      createdAt: systemClock(),
    })
    const outcome = await withStorage((storage) => storage.projects.create(project))
    if (outcome === 'slug-taken') throw slugTaken(project.slug)
    return describe(project, terminal)
  },
}

const list: Command = {
  name: 'project list',
  summary: 'List the projects',
  positionals: [],
  options: {},
  async run(_, { withStorage, terminal }) {
    const projects = await withStorage(listProjects)
    if (projects.length === 0)
      return { json: [], text: 'No projects yet. Create one with "bugle project create".' }
    const rows = projects.map((project) => [
      project.slug,
      project.name,
      project.isPublic ? 'public' : 'private',
      project.id,
    ])
    return { json: projects.map(showProject), text: table(COLUMNS, rows, terminal) }
  },
}

const COLUMNS: readonly (string | Column)[] = [
  'SLUG',
  { heading: 'NAME', overflow: 'cut' },
  'VISIBILITY',
  { heading: 'ID', leaveOut: 1 },
]

const show: Command = {
  name: 'project show',
  summary: 'Show a project',
  positionals: ['SLUG'],
  options: {},
  run: async (input, { withStorage, terminal }) =>
    describe(await withStorage((storage) => requireProject(storage, input)), terminal),
}

const update: Command = {
  name: 'project update',
  summary: 'Change a project; a running server applies it within a second',
  positionals: ['SLUG'],
  options: {
    name: { type: 'string', value: 'NAME', meaning: 'new display name' },
    slug: { type: 'string', value: 'SLUG', meaning: 'new short name; the old one stops working' },
    public: { type: 'boolean', meaning: 'let anyone read its issues; needs --yes' },
    private: { type: 'boolean', meaning: 'let only the team and its keys read its issues' },
    yes: { type: 'boolean', meaning: 'confirm that anyone may read its issues' },
    'default-branch': { type: 'string', value: 'BRANCH', meaning: 'new default source branch' },
    ...DETAIL_OPTIONS,
  },
  note: "Without --yes, --public only shows which issues anyone could read. An empty description or URL ('') removes it.",
  async run(input, { withStorage, terminal }) {
    const change = readChange(input)
    return withStorage(async (storage) => {
      const project = await requireProject(storage, input)
      if (change.isPublic) await requirePublicConfirmed(storage, project, input.isSet('yes'))
      const outcome = await storage.projects.update(project.id, change)
      if (outcome === 'slug-taken') throw slugTaken(change.slug ?? '')
      return describe({ ...project, ...change }, terminal)
    })
  },
}

const remove: Command = {
  name: 'project delete',
  summary: 'Delete a project with all its issues and keys, permanently',
  positionals: ['SLUG'],
  options: { yes: { type: 'boolean', meaning: 'confirm the deletion' } },
  async run(input, { withStorage, terminal }) {
    const [slug = ''] = input.positionals
    if (!input.isSet('yes'))
      throw new UsageError(`this deletes "${slug}" with all its issues; add --yes to confirm`)
    return withStorage(async (storage) => {
      const project = await requireProject(storage, input)
      const total = await storage.issues.count(everyIssue(project.id, ['open', 'security']))
      const progress = progressBar(terminal, 'Deleting issues', total ?? 0)
      let removed = 0
      let step = await storage.projects.delete(project.id)
      for (;;) {
        removed += step.removedIssues
        progress.show(removed)
        if (step.isFinished) break
        step = await storage.projects.removeDeleted(project.id)
      }
      progress.end()
      const { id } = project
      // A running server may have removed some of them.
      const removedIssues = total ?? removed
      return {
        json: { id, slug, removedIssues },
        text: `Deleted ${slug} and ${removedIssues} ${removedIssues === 1 ? 'issue' : 'issues'}.`,
      }
    })
  },
}

/** Every project, in the order of their creation. */
export async function listProjects({ projects }: Storage): Promise<readonly ProjectRecord[]> {
  const all: ProjectRecord[] = []
  for (;;) {
    const last = all.at(-1)
    const more = await projects.list(last ? placeOf(last) : null, LIST_STEP)
    all.push(...more)
    if (more.length < LIST_STEP) return all
  }
}

export const projectCommands: readonly Command[] = [create, list, show, update, remove]

/** The project in the first argument, a slug or an id. */
async function requireProject(
  storage: Storage,
  { positionals: [idOrSlug = ''] }: Input,
): Promise<ProjectRecord> {
  return findProjectOrFail(storage, idOrSlug)
}

export async function findProjectOrFail(storage: Storage, idOrSlug: string): Promise<ProjectRecord> {
  const project = await storage.projects.find(idOrSlug)
  if (project === undefined)
    throw new CommandError(`there is no project "${idOrSlug}"; "bugle project list" shows them`)
  return project
}

function readChange(input: Input) {
  if (input.isSet('public') && input.isSet('private'))
    throw new UsageError('--public and --private cannot be combined')
  const name = input.text('name')
  const slug = input.text('slug')
  const defaultBranch = input.text('default-branch')
  const change = {
    ...(name !== undefined && { name: checkName(name) }),
    ...(slug !== undefined && { slug: checkSlug(slug) }),
    ...(defaultBranch !== undefined && { defaultBranch: checkBranch(defaultBranch) }),
    ...readDetails(input),
    ...(input.isSet('public') && { isPublic: true }),
    ...(input.isSet('private') && { isPublic: false }),
  }
  if (Object.keys(change).length === 0) throw new UsageError('nothing to change; see --help')
  return change
}

function checkName(name: string): string {
  if (name.trim() === '' || name.length > MAX_PROJECT_NAME_CHARS)
    throw new UsageError(`--name must have 1 to ${MAX_PROJECT_NAME_CHARS} characters`)
  return name
}

function checkBranch(branch: string): string {
  if (branch.trim() === '' || branch.length > MAX_BRANCH_CHARS)
    throw new UsageError(`--default-branch must have 1 to ${MAX_BRANCH_CHARS} characters`)
  return branch
}

/** The description and the links that the user wrote; `null` removes one. */
function readDetails(input: Input): Partial<ProjectDetails> {
  const description = input.text('description')
  const websiteUrl = input.text('website-url')
  const repositoryUrl = input.text('repository-url')
  return {
    ...(description !== undefined && { description: checkDescription(description) }),
    ...(websiteUrl !== undefined && { websiteUrl: checkUrl('--website-url', websiteUrl) }),
    ...(repositoryUrl !== undefined && { repositoryUrl: checkUrl('--repository-url', repositoryUrl) }),
  }
}

function checkDescription(description: string): string | null {
  if ([...description].length > MAX_PROJECT_DESCRIPTION_CHARS || description.includes('\0'))
    throw new UsageError(`--description must have at most ${MAX_PROJECT_DESCRIPTION_CHARS} characters`)
  return description.trim() === '' ? null : description
}

function checkUrl(option: string, text: string): string | null {
  const read = readProjectUrl(text)
  if ('fault' in read) throw new UsageError(`${option} ${read.fault}`)
  return read.url
}

function checkSlug(slug: string): string {
  if (!isSlug(slug)) {
    throw new UsageError(
      '--slug must have 1 to 63 characters from a-z, 0-9 and -, and not start or end with -',
    )
  }
  return slug
}

function slugTaken(slug: string): CommandError {
  return new CommandError(`another project already has the slug "${slug}"`)
}

function describe(project: ProjectRecord, screen: Screen): Result {
  const shown = showProject(project)
  return {
    json: shown,
    text: pairs(
      Object.entries(shown).map(([name, value]) => [name, value === null ? '-' : String(value)]),
      screen,
    ),
  }
}
