import { endpoints, type Person } from '@bugle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../client.ts'

/** More would not be useful in a menu. */
const MAX_PEOPLE = 500

/** The people who have access to a project, by name. With `forSecurity`, only those who may see security issues. */
export function peopleQuery(slug: string, forSecurity = false) {
  return queryOptions({
    queryKey: ['people', slug, forSecurity],
    queryFn: async ({ signal }) => {
      const people: Person[] = []
      const query = { pageSize: 100, ...(forSecurity && { forSecurity }) }
      const input = { params: { idOrSlug: slug }, query, signal }
      for await (const person of client.items(endpoints.listPeople, input)) {
        if (people.push(person) >= MAX_PEOPLE) break
      }
      return people.sort((one, other) => one.name.localeCompare(other.name))
    },
    staleTime: 60_000,
  })
}

/** The name of a person; `undefined` while it is loading, or if they have no access to the project. */
export function usePersonName(slug: string, id: string | null): string | undefined {
  const { data } = useQuery({ ...peopleQuery(slug), enabled: id !== null })
  return data?.find((person) => person.id === id)?.name
}
