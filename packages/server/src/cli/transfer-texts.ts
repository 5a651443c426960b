import type { Counts } from '../transfer/file-format.ts'

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

export function many(count: number, one: string, more: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : more}`
}
