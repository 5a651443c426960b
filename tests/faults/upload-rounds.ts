import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { createRandom, type Random } from '../../packages/server/src/demo/random.ts'
import type { FileStore } from '../../packages/server/src/storage/files/file-store.ts'
import { openFileStore } from '../../packages/server/src/storage/files/open-file-store.ts'
import { openStorageForCommand } from '../../packages/server/src/storage/open-storage.ts'
import type { FilePlace } from '../../packages/server/src/storage/ports/attachments.ts'
import type { Storage } from '../../packages/server/src/storage/storage.ts'
import { sweepFiles } from '../../packages/server/src/workers/remove-files.ts'
import { type Keys, printedKeys, startServerOn, type TestServer } from '../support/start-server.ts'
import { SEED } from './effort.ts'
import { note } from './figures.ts'

const SENDERS = 6
const MOST_LOAD_MS = 600
const MOST_BYTES = 600_000

interface Story {
  /** The name of the database in the figures. */
  readonly name: string
  readonly databaseUrl: string
  readonly kills: number
}

interface Sent {
  readonly path: string
  readonly bytes: Buffer
  /** The id of the attachment, once the upload was acknowledged. */
  id?: string
}

/**
 * Repeatedly kills a server while files are uploaded. After each time, every acknowledged file is there, and no file is torn. In the
 * end all others are sent again, and what interrupted uploads left is gone after the sweeper ran.
 */
export async function killDuringUploads({ name, databaseUrl, kills }: Story): Promise<void> {
  const random = createRandom(SEED)
  const sent: Sent[] = []
  let keys: Keys | undefined
  const start = async () => {
    const server = await startServerOn(databaseUrl)
    keys ??= await printedKeys(server)
    return { server, keys }
  }

  for (let round = 1; round <= kills; round++) {
    const { server, keys: own } = await start()
    await uploadUntilKilled(server, own, { sent, random })
    await expectWhole(databaseUrl)
  }
  const { server, keys: own } = await start()
  await using _ = server
  const acknowledged = sent.filter(({ id }) => id !== undefined)
  for (const { id = '', bytes } of acknowledged) expect(await isServed(server, own, id, bytes)).toBe(true)
  for (const file of sent) if (file.id === undefined) await settle(server, own, file)
  for (const { id, bytes } of sent)
    if (id !== undefined) expect(await isServed(server, own, id, bytes)).toBe(true)
  await server.end('SIGTERM')
  const doubled = await expectSwept(databaseUrl)
  note({
    fault: `${name}: SIGKILL during uploads`,
    rounds: kills,
    acknowledged: acknowledged.length,
    lost: 0,
    doubled,
  })
}

async function uploadUntilKilled(
  server: TestServer,
  keys: Keys,
  { sent, random }: { readonly sent: Sent[]; readonly random: Random },
): Promise<void> {
  await using _ = server
  const before = sent.length
  let isOver = false
  const senders = Array.from({ length: SENDERS }, async () => {
    while (!isOver) {
      const file = await declare(server, keys, random).catch(() => undefined)
      if (file === undefined) continue
      sent.push(file)
      await upload(server, keys, file).catch(() => undefined)
    }
  })
  await expect.poll(() => sent.length).toBeGreaterThan(before)
  await sleep(random.integer(0, MOST_LOAD_MS))
  expect(await server.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
  isOver = true
  await Promise.all(senders)
}

async function declare({ url }: TestServer, { secretKey }: Keys, random: Random): Promise<Sent> {
  const bytes = Buffer.alloc(random.integer(1, MOST_BYTES), randomUUID())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const submissionId = randomUUID()
  const attachments = [{ name: 'a.bin', contentType: 'application/octet-stream', size: bytes.length, sha256 }]
  const response = await fetch(`${url}/v1/issues`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'With a file', submissionId, attachments }),
  })
  if (response.status !== 201) throw new Error(`the report was refused with ${response.status}`)
  return { path: `/v1/submissions/${submissionId}/attachments/${sha256}`, bytes }
}

async function upload({ url }: TestServer, { secretKey }: Keys, file: Sent): Promise<number> {
  const headers = { authorization: `Bearer ${secretKey}` }
  const response = await fetch(url + file.path, { method: 'PUT', headers, body: new Uint8Array(file.bytes) })
  if (response.ok) file.id = ((await response.json()) as { id: string }).id
  return response.status
}

/** The report was acknowledged, so that it must accept its file. */
async function settle(server: TestServer, keys: Keys, file: Sent): Promise<void> {
  expect([200, 201]).toContain(await upload(server, keys, file))
}

async function isServed(
  { url }: TestServer,
  { secretKey }: Keys,
  id: string,
  bytes: Buffer,
): Promise<boolean> {
  const headers = { authorization: `Bearer ${secretKey}` }
  const response = await fetch(`${url}/v1/attachments/${id}`, { headers })
  return response.status === 200 && Buffer.from(await response.arrayBuffer()).equals(bytes)
}

interface Opened {
  readonly storage: Storage
  readonly store: FileStore
}

async function withFiles<T>(databaseUrl: string, use: (opened: Opened) => Promise<T>): Promise<T> {
  const storage = await openStorageForCommand(databaseUrl)
  try {
    return await use({ storage, store: await openFileStore({ databaseUrl, bucket: null, storage }) })
  } finally {
    await storage.close()
  }
}

/** Every file that the database knows is in the store, with its whole length. */
function expectWhole(databaseUrl: string): Promise<void> {
  return withFiles(databaseUrl, async ({ storage, store }) => {
    // In this order: the database of a killed server may still be finishing its last statement.
    const known = await filesIn(storage)
    const sizes = await sizesIn(store)
    const torn = known.filter(({ name, size }) => sizes.get(name) !== size)
    expect(torn).toEqual([])
  })
}

/** Nothing but the files that the database knows is left. Returns how many there are too many. */
function expectSwept(databaseUrl: string): Promise<number> {
  return withFiles(databaseUrl, async ({ storage, store }) => {
    await sweepFiles({ storage, store }, Date.now() + 1_000)
    const known = await filesIn(storage)
    const stored = await sizesIn(store)
    expect([...stored.keys()].toSorted()).toEqual(known.map(({ name }) => name).toSorted())
    return stored.size - known.length
  })
}

async function sizesIn(store: FileStore): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { name, size } of store.list()) sizes.set(name, size)
  return sizes
}

async function filesIn({ attachments }: Storage): Promise<readonly FilePlace[]> {
  return attachments.listFiles(null, 1_000_000)
}
