import { sizeText } from '../../byte-sizes.ts'
import { type FileName, type FileStore, FileStoreUnavailable } from '../../storage/files/file-store.ts'
import type { FilePlace } from '../../storage/ports/attachments.ts'
import type { Storage } from '../../storage/storage.ts'
import { many } from '../data/transfer-texts.ts'
import { type Finding, ok, problem, warning } from './findings.ts'

const CHECK = 'files'
const STEP = 500
/** The number of missing files whose names are shown. */
const SHOWN = 3
/** An upload in progress may have stored its file shortly before it is recorded in the database. */
const ORPHAN_AGE_MS = 7_200_000

/** Compares the files recorded in the database with those in the store, by name and size. */
export async function checkFiles(
  { attachments }: Pick<Storage, 'attachments'>,
  store: FileStore,
  now: number,
): Promise<Finding> {
  try {
    const stored = new Map<FileName, number>()
    const old: FileName[] = []
    for await (const { name, size, storedAt } of store.list()) {
      stored.set(name, size)
      if (now - storedAt > ORPHAN_AGE_MS) old.push(name)
    }
    const known = await listAll(attachments)
    const missing = known.filter(({ name, size }) => stored.get(name) !== size)
    const orphans = await attachments.findOrphans(old)
    const knownNames = new Set(known.map(({ name }) => name))
    const others = old.filter((name) => !knownNames.has(name)).length - orphans.length
    return findingOf({ known, missing, orphans: orphans.length, others, place: store.place })
  } catch (error) {
    if (!(error instanceof FileStoreUnavailable)) throw error
    const advice = 'check BUGLE_ATTACHMENTS_URL and that the bucket exists; uploads get 503 meanwhile'
    return problem(CHECK, `${store.place} cannot be read: ${error.message}`, advice)
  }
}

async function listAll(attachments: Storage['attachments']): Promise<readonly FilePlace[]> {
  const all: FilePlace[] = []
  for (;;) {
    const some = await attachments.listFiles(all.at(-1) ?? null, STEP)
    all.push(...some)
    if (some.length < STEP) return all
  }
}

interface Compared {
  readonly known: readonly FilePlace[]
  readonly missing: readonly FilePlace[]
  readonly orphans: number
  /** Files of projects that this database never had. */
  readonly others: number
  readonly place: string
}

function findingOf({ known, missing, orphans, others, place }: Compared): Finding {
  const bytes = known.reduce((sum, { size }) => sum + size, 0)
  const found = `${many(known.length, 'file', 'files')}, ${sizeText(bytes)}, in ${place}`
  if (missing.length > 0) {
    const names = missing.slice(0, SHOWN).map(({ name }) => name)
    const rest = missing.length > SHOWN ? ', …' : ''
    return problem(
      CHECK,
      `${many(missing.length, 'file is', 'files are')} missing or incomplete in ${place}: ${names.join(', ')}${rest}`,
      'restore them from a backup; until then, downloads of these files fail',
    )
  }
  if (orphans === 0 && others > 0)
    return warning(
      CHECK,
      `${found}; ${many(others, 'file belongs', 'files belong')} to projects that this database never had`,
      'another installation may use the same place; otherwise remove them by hand',
    )
  if (orphans === 0) return ok(CHECK, found)
  return warning(
    CHECK,
    `${found}; ${many(orphans, 'file belongs', 'files belong')} to no report`,
    'a running server removes them within an hour',
  )
}
