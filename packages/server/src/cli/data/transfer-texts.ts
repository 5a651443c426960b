import type { Counts } from '../../transfer/file-format.ts'
import type { Admitted } from '../../transfer/list-admitted.ts'
import { type Screen, table } from '../terminal/tables.ts'

/** How much a file holds, as far as people count it. */
export function countsText({ project, issue, event, user }: Counts): string {
  const parts = [
    many(project, 'project', 'projects'),
    many(issue, 'issue', 'issues'),
    many(event, 'event', 'events'),
    many(user, 'person', 'people'),
  ]
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** The people and keys that an import added, so that no access comes unnoticed; empty if there are none. */
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
