import type { Client } from '@bugle/client'
import { endpoints, type Person, UNASSIGNED } from '@bugle/contract'
import { isId } from '../../model/ids.ts'
import { CommandError } from '../command.ts'
import type { IssueFilters } from './filters.ts'
import { requireProject } from './find.ts'

/** The filters with the ids of people, as the API expects them. */
export async function resolvePeople(client: Client, filters: IssueFilters): Promise<IssueFilters> {
  const { assignee, projectId } = filters
  if (assignee === undefined) return filters
  const ids: string[] = []
  for (const word of assignee) ids.push((await findPerson(client, projectId, word)) ?? UNASSIGNED)
  return { ...filters, assignee: ids }
}

/** The id of a person by name or id; `null` for no one. */
export async function findPerson(
  client: Client,
  project: string | undefined,
  word: string,
): Promise<string | null> {
  if (word === UNASSIGNED) return null
  if (isId('usr', word)) return word
  const people = await listPeople(client, project ?? (await requireProject(client)))
  const found = people.filter(({ name }) => name.toLowerCase() === word.toLowerCase())
  const [person] = found
  if (person === undefined) throw new CommandError(`no one called "${word}" has access to this project`)
  if (found.length > 1)
    throw new CommandError(
      `${found.length} people are called "${word}"; give an id: ${found.map(({ id }) => id).join(', ')}`,
    )
  return person.id
}

/** The name of a person, or the id if they no longer have access. */
export async function nameOfPerson(client: Client, projectId: string, id: string): Promise<string> {
  const people = await listPeople(client, projectId)
  return people.find((person) => person.id === id)?.name ?? id
}

async function listPeople(client: Client, idOrSlug: string): Promise<readonly Person[]> {
  const people: Person[] = []
  const query = { pageSize: 100 }
  for await (const person of client.items(endpoints.listPeople, { params: { idOrSlug }, query }))
    people.push(person)
  return people
}
