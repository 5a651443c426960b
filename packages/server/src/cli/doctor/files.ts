import { sizeText } from '../../byte-sizes.ts'
import { FileStoreUnavailable } from '../../storage/files/file-store.ts'
import { many } from '../data/transfer-texts.ts'
import type { ComparedFiles, Files } from './compare-files.ts'
import { type Finding, ok, problem, warning } from './findings.ts'

const CHECK = 'files'
/** The number of lost files whose names are shown. */
const SHOWN = 3

/** Compares the files recorded in the database with those in the store. */
export async function checkFiles({ store: { place }, compare }: Files): Promise<Finding> {
  try {
    return findingOf(await compare(), place)
  } catch (error) {
    if (!(error instanceof FileStoreUnavailable)) throw error
    const advice = 'check BUGLE_ATTACHMENTS_URL and that the bucket exists; uploads get 503 meanwhile'
    return problem(CHECK, `${place} cannot be read: ${error.message}`, advice)
  }
}

function findingOf(
  { count, bytes, lost, unreadable, orphanCount, otherCount }: ComparedFiles,
  place: string,
): Finding {
  const found = `${many(count, 'file', 'files')}, ${sizeText(bytes)}, in ${place}`
  const lostText = `${many(lost.length, 'file is', 'files are')} missing or damaged in ${place}: ${namesOf(lost)}`
  if (unreadable.length > 0) {
    const unreadableText = `${many(unreadable.length, 'file', 'files')} in ${place} cannot be read: ${namesOf(unreadable)}`
    return problem(
      CHECK,
      lost.length === 0 ? unreadableText : `${unreadableText}; ${lostText}`,
      'check the permissions and the disk, or the bucket; files that are gone for good can be restored from a backup: "bugle doctor --restore-files BACKUP"',
    )
  }
  if (lost.length > 0) {
    return problem(
      CHECK,
      lostText,
      'restore them from a backup: "bugle doctor --restore-files BACKUP"; if no backup has them, mark them as not received, so that apps can send them again and backups succeed: "bugle doctor --mark-files-missing --yes"',
    )
  }
  if (orphanCount === 0 && otherCount > 0)
    return warning(
      CHECK,
      `${found}; ${many(otherCount, 'file belongs', 'files belong')} to projects that this database never had`,
      'another installation may use the same place; otherwise remove them by hand',
    )
  if (orphanCount === 0) return ok(CHECK, found)
  return warning(
    CHECK,
    `${found}; ${many(orphanCount, 'file belongs', 'files belong')} to no report`,
    'a running server removes them within an hour',
  )
}

function namesOf(files: ComparedFiles['lost']): string {
  const names = files.slice(0, SHOWN).map(({ name }) => name)
  return `${names.join(', ')}${files.length > SHOWN ? ', …' : ''}`
}
