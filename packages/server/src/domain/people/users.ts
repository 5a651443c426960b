import { EMAIL_PATTERN, MAX_EMAIL_CHARS, scopesOf, type User } from '@bugle/contract'
import { mintUnshardedId } from '../../model/ids.ts'
import type { UserRecord } from '../../model/people/users.ts'

const EMAIL = new RegExp(EMAIL_PATTERN, 'u')

/** A new person, who still has to choose a password. */
export function makeUser(
  given: Omit<UserRecord, 'id' | 'email' | 'passwordHash'> & { readonly email: string },
): UserRecord {
  return {
    ...given,
    id: mintUnshardedId('usr', given.createdAt),
    email: normaliseEmail(given.email),
    passwordHash: null,
  }
}

/** The normalised spelling of an address for storing and comparing, without upper case. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

export function isEmail(text: string): boolean {
  return EMAIL.test(text) && [...text].length <= MAX_EMAIL_CHARS
}

/** A person, as they see themselves. */
export function showUser({ id, email, name, role, canSeeSecurity, projectIds }: UserRecord): User {
  return {
    id,
    email,
    name,
    role,
    canSeeSecurity,
    scopes: [...scopesOf(role, canSeeSecurity)],
    projectIds: projectIds && [...projectIds],
  }
}
