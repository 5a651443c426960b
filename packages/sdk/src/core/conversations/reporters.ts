import type { Client } from '../client.ts'
import { CONFIG_ID } from '../config/remote-config.ts'
import { parseJson } from '../delivery/requests.ts'
import { sha256 } from '../files/sha256.ts'
import type { Cache, Stored } from './cache.ts'
import type { ConversationPlatform } from './platform.ts'

export type Person = Stored['reporter-']

/** Another tab may be creating the secret. */
const ATTEMPTS = 20
const ATTEMPT_MS = 100
/** How long to wait for the server to name the project of a new key. */
const PROJECT_ATTEMPTS = 50
/** What is shown offline is kept for the last of them, and the secrets of more. */
const MAX_CACHED_PEOPLE = 5
const MAX_PEOPLE = 100
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The secrets of the people who report from this device: one for each user of the app, and one for no user. */
export interface Reporters {
  /** The id, on this device, of the person who uses the app. */
  _who(): string
  /** Their secret, if they have one. */
  _find(): Person | undefined
  /** The same, and creates it before the call returns; `undefined` if they may have one that is not known yet. */
  _requireNow(): Person | undefined
  /** Creates it if they have none; `undefined` if that is not possible. */
  _require(): Promise<Person | undefined>
}

export function createReporters(
  { _core: core, _configs: configs }: Client,
  cache: Cache,
  shared: ConversationPlatform,
  findUserId: () => string | undefined,
): Reporters {
  const { _options: options, _platform: platform, _store: reports, _tell: tell } = core
  const { publicKey } = options
  let last: { readonly _user: string | undefined; readonly _who: string } | undefined

  /** Neither contains the id of the user, which may be an email address. */
  function who(): string {
    const user = findUserId()
    if (last?._user !== user || !last) last = { _user: user, _who: idOfPerson(publicKey, user) }
    return last._who
  }

  const pause = () => new Promise<void>((resolve) => platform._wait(resolve, ATTEMPT_MS))

  async function create(id: string, user: string): Promise<Person | undefined> {
    const secret = createSecret()
    if (!secret) tell('conversations need crypto.getRandomValues')
    await cache._loaded
    const earlier = cache._get('reporter-', id) ? undefined : await findOfEarlierKey(user)
    const person = { secret: earlier?.[1].secret ?? secret, publicKey, user, createdAt: platform._now() }
    if (!person.secret) return undefined
    const store = async () => {
      await cache._reload()
      if (!cache._get('reporter-', id)) await cache._putNote('reporter-', id, person as Person)
    }
    // Two tabs must not create one each: a report would be lost to the other.
    let attempt = 0
    while (!(await shared._runAlone('reporter', store)) && ++attempt < ATTEMPTS) await pause()
    if (attempt === ATTEMPTS) await store()
    for (const [messageId, message] of cache._list('message-'))
      if (message.who === earlier?.[0]) await cache._put('message-', messageId, { ...message, who: id })
    await tidyPeople(cache)
    return cache._get('reporter-', id)
  }

  /** The key may have been replaced. The secret stays the same in the same project. */
  async function findOfEarlierKey(user: string): Promise<readonly [who: string, Person] | undefined> {
    const people = cache._list('reporter-').filter(([, person]) => person.user === user)
    const ours = () => configs._current().body?.project?.id
    for (let attempt = 0; people[0] && !ours() && attempt < PROJECT_ATTEMPTS; attempt++) await pause()
    if (!people[0] || !ours()) return undefined
    const texts = await reports._readAll()
    const projectOf = (key: string) => Object(parseJson(texts.get(CONFIG_ID + key))).body?.project?.id
    return people.find(([, person]) => projectOf(person.publicKey) === ours())
  }

  const find = () => cache._readNote('reporter-', who())

  /** Only once everything was read: local storage may have been cleared, and an earlier key may have a secret. */
  function createNow(): Person | undefined {
    const id = who()
    const user = hashValues(findUserId())
    const isKnown = creating.has(id) || cache._list('reporter-').some(([, person]) => person.user === user)
    const secret = isLoaded && !isKnown && createSecret()
    if (!secret) return undefined
    const person = { secret, publicKey, user, createdAt: platform._now() }
    void cache._putNote('reporter-', id, person).then(() => tidyPeople(cache))
    return person
  }

  const creating = new Map<string, Promise<Person | undefined>>()
  let isLoaded = false
  void cache._loaded.then(() => {
    isLoaded = true
  })
  return {
    _who: who,
    _find: find,
    _requireNow: () => find() ?? createNow(),
    _require() {
      const id = who()
      const creation =
        creating.get(id) ?? create(id, hashValues(findUserId())).finally(() => creating.delete(id))
      creating.set(id, creation)
      return creation
    },
  }
}

/** The id of a person on this device. */
export function idOfPerson(publicKey: string, user: string | undefined): string {
  return hashValues(publicKey, user).slice(0, 32)
}

/** The hash that reports have. */
export function hashSecret({ secret }: Person): string {
  return hashText(secret)
}

/** Removes what is stored about people who have not used the app on this device for the longest time. */
export async function tidyPeople(cache: Cache): Promise<void> {
  const lastUse = (who: string, { createdAt }: Person) =>
    Math.max(createdAt, cache._get('poll-', who)?.at ?? 0)
  const people = cache._list('reporter-').map(([who, person]) => ({ who, at: lastUse(who, person) }))
  people.sort((a, b) => b.at - a.at)
  for (const [index, { who }] of people.entries()) {
    if (index >= MAX_PEOPLE) await removePerson(cache, who)
    else if (index >= MAX_CACHED_PEOPLE) await removeCached(cache, who)
  }
}

/** Removes everything that is stored about a person. */
export async function removePerson(cache: Cache, who: string): Promise<void> {
  // The secret is removed first: without it, the response to a request that is under way is not stored.
  await cache._remove('reporter-', who)
  await removeCached(cache, who)
  for (const [id, message] of cache._list('message-'))
    if (message.who === who) await cache._remove('message-', id)
}

/** Removes what is shown offline. */
async function removeCached(cache: Cache, who: string): Promise<void> {
  await cache._remove('reports-', who)
  await cache._remove('poll-', who)
  for (const kind of ['conversation-', 'read-'] as const)
    for (const [id] of cache._list(kind, who)) await cache._remove(kind, id)
}

/** 32 random bytes in base64url; nothing where there is no secure source of randomness. */
function createSecret(): string | undefined {
  try {
    const bytes = crypto.getRandomValues(new Uint8Array(43))
    // 42 characters have 6 bits each, and the last has 4.
    return Array.from(bytes, (byte, index) => ALPHABET[byte & (index < 42 ? 63 : 60)]).join('')
  } catch {
    return undefined
  }
}

function hashValues(...values: readonly (string | undefined)[]): string {
  return hashText(JSON.stringify(values))
}

// Not all versions of Hermes have TextEncoder. A secret has no characters that are encoded.
function hashText(text: string): string {
  const bytes = Uint8Array.from(encodeURIComponent(text), (character) => character.charCodeAt(0))
  return Array.from(sha256(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
