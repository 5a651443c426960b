import { randomBytes, randomUUID } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { declare, sha256Of } from '../../../test-support/attachment-stage.ts'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startS3Server } from '../../../test-support/s3-server.ts'
import { startApp } from '../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { readConfig } from '../../config.ts'
import { listObjects } from '../../storage/files/s3-objects.ts'
import { createSender } from '../../storage/files/s3-requests.ts'
import { openStorageForCommand } from '../../storage/open-storage.ts'
import { createTerminal } from '../terminal/create-terminal.ts'
import { repairFiles } from './repair-files.ts'

/** A running server with files of reports, and the commands for its database. */
async function setUp(more: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const settings = { BUGLE_DATABASE_URL: `sqlite:${path}`, ...more }
  const api = await startApp({ databaseUrl: settings.BUGLE_DATABASE_URL, environment: more })
  const { publicKey: key, secretKey } = await api.addProject()

  async function receive(bytes: Buffer) {
    const before = storedIn(`${path}-files`)
    const body = { title: 'With a file', submissionId: randomUUID(), attachments: [declare(bytes)] }
    const issue = (await api.send('POST', '/v1/issues', { key, body })).body
    const upload = `/v1/submissions/${body.submissionId}/attachments/${sha256Of(bytes)}`
    const { status, body: attachment } = await api.send('PUT', upload, { key, body: bytes })
    expect(status).toBe(201)
    const [stored = ''] = storedIn(`${path}-files`).filter((name) => !before.includes(name))
    return {
      path: stored,
      download: async () => (await fetch(`${api.url}/v1/attachments/${attachment.id}`, { headers })).status,
      state: async () => {
        const { body } = await api.send('GET', `/v1/issues/${issue.id}/attachments`, { key: secretKey })
        return body.data[0].state
      },
    }
  }

  const headers = { authorization: `Bearer ${secretKey}` }
  return {
    receive,
    copy: join(folder.path, 'copy.db'),
    bugle: (...args: string[]) => runBugle(args, settings),
    /** Runs `doctor --mark-files-missing`, and acts before the files in the database are listed, with the number wanted. */
    async giveUp(beforeListing: (limit: number) => Promise<void>) {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()]
      const storage = await openStorageForCommand(settings.BUGLE_DATABASE_URL)
      try {
        const attachments = {
          ...storage.attachments,
          async listFiles(...[after, limit]: Parameters<typeof storage.attachments.listFiles>) {
            await beforeListing(limit)
            return storage.attachments.listFiles(after, limit)
          },
        }
        const options = new Set(['mark-files-missing', 'yes'])
        await repairFiles(
          {
            positionals: [],
            text: () => undefined,
            texts: () => [],
            isSet: (option) => options.has(option),
          },
          {
            config: readConfig(settings),
            unknownSettings: [],
            terminal: createTerminal(false, {}, { stdout, stderr }),
            withStorage: (use) => use({ ...storage, attachments }),
            withApi: () => Promise.reject(new Error('there is no need for the API')),
          },
        )
      } finally {
        await storage.close()
      }
      return String(stderr.read())
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

function storedIn(files: string): readonly string[] {
  return globSync(`${files}/[0-9]*/*`)
}

it('does not give up a file that is received while files are compared', async () => {
  await using stage = await setUp()
  const late: Awaited<ReturnType<typeof stage.receive>>[] = []
  const remark = await stage.giveUp(async () => {
    if (late.length === 0) late.push(await stage.receive(Buffer.from('just in time')))
  })
  expect(remark).toBe('Marked 0 lost files as not received\n')
  expect(await late[0]?.download()).toBe(200)
})

it('does not give up a file that is back before its turn', async () => {
  await using stage = await setUp()
  const [back, gone] = [await stage.receive(randomBytes(500)), await stage.receive(randomBytes(500))]
  const bytes = readFileSync(back.path)
  for (const { path } of [back, gone]) rmSync(path)
  const remark = await stage.giveUp(async (limit) => {
    // It was found missing, and is looked up.
    if (limit === 1) writeFileSync(back.path, bytes)
  })
  expect(remark).toBe('Marked 1 lost file as not received\n')
  expect([await back.download(), await gone.download()]).toEqual([200, 404])
})

it('gives up nothing while a file cannot be read', async () => {
  await using stage = await setUp()
  const [unreadable, gone] = [await stage.receive(randomBytes(500)), await stage.receive(randomBytes(500))]
  const bytes = readFileSync(unreadable.path)
  for (const { path } of [unreadable, gone]) rmSync(path)
  // For root too, reading it fails.
  mkdirSync(unreadable.path)
  const { code, stderr } = await stage.bugle('doctor', '--mark-files-missing', '--yes')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/nothing was changed: .* cannot be read/)])
  const { stdout } = await stage.bugle('doctor')
  expect(stdout).toMatch(/1 file in .* cannot be read.*; 1 file is missing or damaged/)
  rmSync(unreadable.path, { recursive: true })
  writeFileSync(unreadable.path, bytes)
  expect([await unreadable.state(), await gone.state()]).toEqual(['received', 'received'])
})

it('shows a restored file as received again', async () => {
  await using stage = await setUp()
  const file = await stage.receive(randomBytes(500))
  expect((await stage.bugle('backup', stage.copy)).code).toBe(0)
  writeFileSync(file.path, randomBytes(500))
  expect(await file.download()).toBe(500)
  expect(await file.state()).toBe('damaged')
  const { code, stderr } = await stage.bugle('doctor', '--restore-files', stage.copy)
  expect([code, stderr]).toEqual([0, expect.stringContaining('Restored 1 of 1 lost file')])
  expect(await file.state()).toBe('received')
})

it('finds a file in a bucket that a download has found damaged', async () => {
  await using s3 = await startS3Server()
  await using stage = await setUp({ BUGLE_ATTACHMENTS_URL: s3.url })
  const file = await stage.receive(randomBytes(500))
  const send = createSender(s3.bucket)
  for await (const { name, size } of listObjects(s3.bucket, send)) {
    const bytes = randomBytes(size)
    const body = {
      bytes: (async function* () {
        yield bytes
      })(),
      size,
      sha256: sha256Of(bytes),
    }
    ;(await send({ method: 'PUT', key: s3.bucket.prefix + name, body })).resume()
  }
  expect((await stage.bugle('doctor')).stdout).toMatch(/ok +files/)
  expect(await file.download()).toBe(500)
  expect((await stage.bugle('doctor')).stdout).toContain('1 file is missing or damaged')
  const { code } = await stage.bugle('doctor', '--mark-files-missing', '--yes')
  expect([code, await file.download()]).toEqual([0, 404])
})
