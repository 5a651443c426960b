import { isIPv6 } from 'node:net'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { addressOfLink, mintLink } from '../domain/one-time-links.ts'
import type { UserRecord } from '../model/users.ts'
import type { Storage } from '../storage/storage.ts'
import { CommandError } from './command.ts'
import { openableUrl } from './listening.ts'

interface LinkWish {
  readonly storage: Storage
  readonly config: Config
  readonly user: UserRecord
}

/** Makes a one-time link of a person, shown this once. */
export async function createUserLink({ storage, config, user }: LinkWish) {
  const { token, link } = mintLink(user.id, systemClock())
  if ((await storage.users.createLink(link)) === 'no-user')
    throw new CommandError('the person was just removed')
  const address = addressOfLink(config.publicUrl ?? listeningUrl(config), token)
  const linkExpiresAt = new Date(link.expiresAt).toISOString()
  return {
    json: { link: address, linkExpiresAt },
    text: `Send ${user.email} this link. It works once, until ${linkExpiresAt}, and is shown only now:\n\n  ${address}`,
  }
}

/** Where a server with these settings is reached on this machine, as far as they tell. */
function listeningUrl({ host, port }: Config): string {
  return openableUrl(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`)
}
