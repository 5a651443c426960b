import { previewPublic } from '../../domain/projects/public-preview.ts'
import type { ProjectRecord } from '../../model/projects.ts'
import type { Storage } from '../../storage/storage.ts'
import { UsageError } from '../command.ts'
import { printable } from '../terminal/printable.ts'

const TITLE_CHARS = 80

/** Fails with what anyone could read if the project were public. */
export async function requirePublicConfirmed(
  storage: Storage,
  project: ProjectRecord,
  isConfirmed: boolean,
): Promise<void> {
  if (isConfirmed || project.isPublic) return
  const { issueCount, issues } = await previewPublic(storage, project)
  const count = issueCount === 1 ? '1 issue' : `${issueCount?.toLocaleString('en') ?? 'many'} issues`
  const titles = issues.map(({ issueNumber, title }) => `  #${issueNumber} ${cut(printable(title))}`)
  throw new UsageError(
    [
      `this lets anyone read ${count} of "${project.slug}" without signing in, and all future ones; add --yes to confirm`,
      ...(titles.length > 0 ? ['Newest issues:', ...titles] : []),
    ].join('\n'),
  )
}

function cut(title: string): string {
  const chars = [...title]
  return chars.length <= TITLE_CHARS ? title : `${chars.slice(0, TITLE_CHARS - 1).join('')}…`
}
