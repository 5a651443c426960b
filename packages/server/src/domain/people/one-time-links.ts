import type { Link } from '@bugle/contract'
import type { UserId } from '../../model/ids.ts'
import type { FoundLink, LinkRecord } from '../../model/people/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { isoTime } from '../iso-time.ts'
import { mintOpaqueToken } from '../opaque-tokens.ts'
import { hashToken } from '../projects/keys.ts'

const LINK_LIFETIME_MS = 24 * 3_600_000

/** Creates a one-time link for a person, or, without one, the setup link. The token is available only now. */
export function mintLink(
  userId: UserId | null,
  createdAt: number,
): { readonly token: string; readonly link: LinkRecord } {
  const token = mintOpaqueToken()
  const expiresAt = createdAt + LINK_LIFETIME_MS
  return { token, link: { hash: hashToken(token), userId, createdAt, expiresAt } }
}

/** The address of a link. The part after `#` never leaves the browser, so it is in no log. */
export function addressOfLink(baseUrl: string, token: string): string {
  return `${baseUrl}/sign-in#link=${token}`
}

/** The setup link, which creates the first admin; nothing if there is one. */
export async function makeFirstLink({ users }: Storage, now: number): Promise<string | undefined> {
  if (await users.hasAdmin()) return undefined
  const { token, link } = mintLink(null, now)
  await users.createLink(link)
  return token
}

export function showLink({ user, expiresAt }: FoundLink): Link {
  return {
    email: user?.email ?? null,
    name: user?.name ?? null,
    purpose: user?.passwordHash ? 'reset' : 'first',
    expiresAt: isoTime(expiresAt),
  }
}
