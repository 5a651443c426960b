import type { CheckStage } from '../../storage/backups.ts'
import type { UsedFile } from '../../storage/ports/attachments.ts'
import type { LostFile } from '../../transfer/export-bytes.ts'
import type { Counts } from '../../transfer/file-format.ts'
import type { Admitted } from '../../transfer/list-admitted.ts'
import { printable } from '../terminal/printable.ts'
import { type Screen, table } from '../terminal/tables.ts'

/** What a check of a database or a backup is doing, next to its progress. */
export const CHECK_LABELS: Readonly<Record<CheckStage, string>> = {
  integrity: 'Checking integrity',
  recount: 'Recounting',
  files: 'Checking files',
}

/** The contents of a file, in numbers that matter to people. */
export function countsText({ project, issue, file, fileLost, event, user }: Counts): string {
  const files = file - fileLost
  const parts = [
    many(project, 'project', 'projects'),
    many(issue, 'issue', 'issues'),
    ...(files > 0 ? [many(files, 'file', 'files')] : []),
    many(event, 'event', 'events'),
    many(user, 'person', 'people'),
  ]
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** The number of missing files whose names are shown. */
const SHOWN = 10

/** The files that an export could not read. */
export function lostText(files: readonly LostFile[], count: number): string {
  return [
    `${many(count, 'file is', 'files are')} missing or damaged where files are kept, and not in the export:`,
    ...lostLines(files, count),
    'Everything else was exported. Restore these files from a backup and export again, or import the export as it is: the files are then shown as not received.',
  ].join('\n')
}

/** A line for each of the first files, and the number of the others. */
export function lostLines(
  files: readonly (UsedFile & { readonly sha256: string; readonly fault?: string })[],
  count: number,
): readonly string[] {
  const lines = files.slice(0, SHOWN).map(({ name, sha256, usedBy, fault }) => {
    const use =
      usedBy === null ? '' : ` "${printable(usedBy.attachmentName)}" of issue ${usedBy.issueNumber},`
    return `  ${name}:${fault === undefined ? '' : ` ${fault},`}${use} SHA-256 ${sha256}`
  })
  const more = count - lines.length
  return more > 0 ? [...lines, `  … and ${more.toLocaleString('en')} more`] : lines
}

/** The people and keys that an import added, so that no access is granted unnoticed; empty if there are none. */
export function admittedText({ people, instanceKeys }: Admitted, screen: Screen): string {
  const persons = people.map(({ email, name, role, canSeeSecurity }) => [
    email,
    name,
    role,
    canSeeSecurity ? 'yes' : 'no',
  ])
  const keys = instanceKeys.map(({ name, ending, scopes, isRevoked }) => [
    `…${ending}`,
    name ?? '',
    isRevoked ? 'revoked' : 'active',
    scopes.join(' '),
  ])
  return [
    ...(persons.length > 0
      ? [
          `People added:\n${table(['EMAIL', { heading: 'NAME', overflow: 'cut' }, 'ROLE', 'SECURITY'], persons, screen)}`,
        ]
      : []),
    ...(keys.length > 0
      ? [
          `Keys for all projects added:\n${table(['KEY', { heading: 'NAME', overflow: 'cut' }, 'STATE', { heading: 'SCOPES', overflow: 'wrap' }], keys, screen)}`,
        ]
      : []),
  ]
    .map((part) => `\n\n${part}`)
    .join('')
}

export function many(count: number, one: string, more: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : more}`
}
