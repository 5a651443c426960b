import { systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { addressOfLink, mintLink } from '../../domain/people/one-time-links.ts'
import type { UserRecord } from '../../model/people/users.ts'
import type { Storage } from '../../storage/storage.ts'
import { CommandError } from '../command.ts'
import { serverUrl } from '../listening.ts'

interface LinkOptions {
  readonly storage: Storage
  readonly config: Config
  readonly user: UserRecord
}

/** Creates a one-time link for a person, shown only once. */
export async function createUserLink({ storage, config, user }: LinkOptions) {
  const { token, link } = mintLink(user.id, systemClock())
  if ((await storage.users.createLink(link)) === 'no-user')
    throw new CommandError('the user has just been removed')
  const address = addressOfLink(serverUrl(config), token)
  const linkExpiresAt = new Date(link.expiresAt).toISOString()
  return {
    json: { link: address, linkExpiresAt },
    text: `Send this link to ${user.email}. It works once, until ${linkExpiresAt}, and is shown only once:\n\n  ${address}`,
  }
}
