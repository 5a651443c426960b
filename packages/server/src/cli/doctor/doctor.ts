import { systemClock } from '../../clock.ts'
import { sqliteFileOf } from '../../storage/backups.ts'
import {
  describeDatabaseFault,
  obstacleAt,
  openInspection,
  rebuildSearch,
} from '../../storage/open-storage.ts'
import { type Command, type CommandContext, CommandError } from '../command.ts'
import { exists } from '../data/part-files.ts'
import { CHECK_LABELS } from '../data/transfer-texts.ts'
import { progressOfStages } from '../terminal/progress.ts'
import { type Column, table } from '../terminal/tables.ts'
import { withFiles } from './compare-files.ts'
import { checkConfiguration } from './configuration.ts'
import { checkKeys } from './credentials.ts'
import { checkClock, checkContents, checkIndexes, checkSchema, checkSpace } from './database.ts'
import { checkExposure, checkPublicProjects } from './exposure.ts'
import { checkFiles } from './files.ts'
import { type Finding, ok, problem } from './findings.ts'
import { REPAIR_OPTIONS, repairFiles } from './repair-files.ts'
import { checkWebhooks } from './webhooks.ts'
import { checkWrites } from './writes.ts'

const PROJECT_LIMIT = 1_000

/** Checks for common problems and suggests fixes. It changes nothing, except with an option that says so. */
export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check the configuration and the database, also while a server runs; exit 1 if there is a problem',
  positionals: [],
  options: {
    quick: { type: 'boolean', meaning: 'skip the checks that read the whole database or measure the disk' },
    'rebuild-search': {
      type: 'boolean',
      meaning: 'first rebuild the full-text index; a server can run meanwhile',
    },
    ...REPAIR_OPTIONS,
  },
  async run(input, context) {
    const isQuick = input.isSet('quick')
    if (input.isSet('rebuild-search')) await rebuild(context)
    await repairFiles(input, context)
    const findings = [
      ...checkConfiguration(context),
      ...checkExposure(context.config),
      ...(await checkDatabase(context, isQuick)),
    ]
    const rows = findings.flatMap(toRows)
    return {
      json: { findings },
      text: table(COLUMNS, rows, context.terminal),
      isFailure: findings.some(({ verdict }) => verdict === 'problem'),
    }
  },
}

const PAINTS: Readonly<Record<string, 'good' | 'warning' | 'bad'>> = {
  ok: 'good',
  warning: 'warning',
  problem: 'bad',
}

const COLUMNS: readonly (string | Column)[] = [
  { heading: '', paint: (verdict, colours) => colours[PAINTS[verdict] ?? 'strong'](verdict) },
  'CHECK',
  { heading: 'RESULT', overflow: 'wrap' },
]

async function rebuild({ config, terminal }: CommandContext): Promise<void> {
  const path = sqliteFileOf(config.databaseUrl)
  if (path !== undefined && !(await exists(path))) throw new CommandError(`there is no database at ${path}`)
  terminal.remark('Rebuilding the full-text index …\n')
  let next = 0
  await rebuildSearch(config.databaseUrl, (done, total) => {
    const tenths = Math.floor((10 * done) / Math.max(1, total))
    if (tenths < next) return
    next = tenths + 1
    terminal.remark(`${done.toLocaleString('en')} of ${total.toLocaleString('en')} issues\n`)
  })
}

function toRows({ check, verdict, found, advice }: Finding): readonly (readonly string[])[] {
  const row = [verdict, check, found]
  return advice === null ? [row] : [row, ['', '', `→ ${advice}`]]
}

async function checkDatabase(context: CommandContext, isQuick: boolean): Promise<readonly Finding[]> {
  const { config, terminal, withStorage } = context
  const path = sqliteFileOf(config.databaseUrl)
  if (path === undefined && config.databaseUrl.startsWith('sqlite:')) return []
  if (path !== undefined && !(await exists(path))) {
    const obstacle = obstacleAt(path)
    return obstacle === undefined
      ? [ok('database', `there is none at ${path} yet; the first start creates it`)]
      : [problem('database', `there is none at ${path}, and it cannot be created`, obstacle)]
  }
  try {
    await using inspection = await openInspection(config.databaseUrl)
    const schema = checkSchema(inspection)
    const space = checkSpace(await inspection.measureSize())
    // Further checks would need a migration, which was not requested.
    if (schema.verdict !== 'ok') return [schema, ...space]
    const now = systemClock()
    const quick = [schema, ...space, ...(await checkIndexes(inspection)), await checkClock(inspection, now)]
    const managed = await withStorage(async (storage) => {
      const projects = await storage.projects.list(null, PROJECT_LIMIT)
      return [
        ...(await checkWebhooks(storage, projects, now)),
        await checkKeys(storage, projects, now),
        checkPublicProjects(projects),
      ]
    })
    if (isQuick) return [...quick, ...managed]
    terminal.remark('Counting and measuring …\n')
    const progress = progressOfStages(terminal, CHECK_LABELS)
    const contents = await checkContents(inspection, progress.show).finally(progress.end)
    const files = await withFiles(context, checkFiles)
    return [...quick, ...contents, files, ...managed, checkWrites(await inspection.measureWrites(), config)]
  } catch (error) {
    const found = describeDatabaseFault(error)
    if (found === undefined) throw error
    const advice = path === undefined ? 'and check that the database is running' : 'the file and its folder'
    return [problem('database', found, `check BUGLE_DATABASE_URL, ${advice}`)]
  }
}
