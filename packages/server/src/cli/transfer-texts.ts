import type { Counts } from '../transfer/file-format.ts'
import type { Admitted } from '../transfer/list-admitted.ts'
import { table } from './terminal/printable.ts'

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

/** Whom an import lets in, so that nobody comes unnoticed; empty where it is nobody. */
export function admittedText({ people, instanceKeys }: Admitted): string {
  const persons = people.map(({ email, name, role, canSeeSecurity }) => [
    email,
    name,
    role,
    canSeeSecurity ? 'yes' : 'no',
  ])
  const keys = instanceKeys.map(({ name, ending, scopes, isRevoked }) => [
    `…${ending}`,
    name ?? '',
    isRevoked ? 'revoked' : 'works',
    scopes.join(' '),
  ])
  return [
    ...(persons.length > 0
      ? [`These people were added:\n${table(['EMAIL', 'NAME', 'ROLE', 'SECURITY'], persons)}`]
      : []),
    ...(keys.length > 0
      ? [`These keys for all projects were added:\n${table(['KEY', 'NAME', 'STATE', 'SCOPES'], keys)}`]
      : []),
  ]
    .map((part) => `\n\n${part}`)
    .join('')
}

export function many(count: number, one: string, more: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : more}`
}
