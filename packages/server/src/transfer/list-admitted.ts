import type { LineOf } from '../model/transfer/lines.ts'
import type { PlacedLine } from './read-export.ts'

/** The people and keys for all projects that an import adds, for the operator to check. */
export interface Admitted {
  readonly people: readonly AdmittedPerson[]
  readonly instanceKeys: readonly AdmittedKey[]
}

type AdmittedPerson = Pick<LineOf<'user'>, 'email' | 'name' | 'role' | 'canSeeSecurity'>
type AdmittedKey = Pick<LineOf<'instanceKey'>, 'name' | 'ending' | 'scopes'> & { readonly isRevoked: boolean }

/** Collects them from the lines of a file. */
export function createAdmittedList() {
  const people: AdmittedPerson[] = []
  const instanceKeys: AdmittedKey[] = []
  return {
    admitted: { people, instanceKeys } satisfies Admitted,
    take(placed: readonly PlacedLine[]): void {
      for (const { line } of placed) {
        if (line.record === 'user') {
          const { email, name, role, canSeeSecurity } = line
          people.push({ email, name, role, canSeeSecurity })
        }
        if (line.record === 'instanceKey') {
          const { name, ending, scopes, revokedAt } = line
          instanceKeys.push({ name, ending, scopes, isRevoked: revokedAt !== null })
        }
      }
    },
  }
}
