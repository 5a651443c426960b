import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { declare, sha256Of } from '../../../test-support/attachment-stage.ts'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startS3Server } from '../../../test-support/s3-server.ts'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'

const LARGE = randomBytes(400_000)

/** A database with a file in three pieces, and one that two reports have. */
async function setUp() {
  const folder = temporaryFolder()
  const pathOf = (name: string) => join(folder.path, name)
  const settingsFor = (name: string) => ({ BUGLE_DATABASE_URL: `sqlite:${pathOf(name)}` })
  await using api = await startApp({ databaseUrl: settingsFor('from.db').BUGLE_DATABASE_URL })
  const project = await api.addProject()
  const ids: string[] = []
  for (const bytes of [LARGE, Buffer.from('small'), Buffer.from('small')])
    ids.push(await addFile(api, project, bytes))
  return {
    project,
    ids,
    pathOf,
    settingsFor,
    /** The paths of the stored files, the largest first. */
    stored() {
      const root = pathOf('from.db-files')
      const [projectNumber = ''] = readdirSync(root).filter((name) => /^\d+$/.test(name))
      const paths = readdirSync(join(root, projectNumber)).map((name) => join(root, projectNumber, name))
      return paths.toSorted((a, b) => readFileSync(b).length - readFileSync(a).length)
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

async function addFile(api: TestApp, { publicKey: key }: TestProject, bytes: Buffer): Promise<string> {
  const body = { title: 'With a file', submissionId: randomUUID(), attachments: [declare(bytes, 'a.bin')] }
  await api.send('POST', '/v1/issues', { key, body })
  const path = `/v1/submissions/${body.submissionId}/attachments/${sha256Of(bytes)}`
  return (await api.send('PUT', path, { key, body: bytes })).body.id
}

async function download(databaseUrl: string, key: string, id: string): Promise<Buffer | number> {
  await using api = await startApp({ databaseUrl })
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${api.url}/v1/attachments/${id}`, { headers })
  return response.ok ? Buffer.from(await response.arrayBuffer()) : response.status
}

describe('an export', () => {
  it('has the bytes of files, for another database and for a bucket', async () => {
    using stage = await setUp()
    const file = stage.pathOf('all.ndjson')
    const exported = await runBugle(['export', file], stage.settingsFor('from.db'))
    expect([exported.code, exported.stderr]).toEqual([0, ''])
    expect(exported.stdout).toContain('3 issues, 2 files,')

    const settings = stage.settingsFor('to.db')
    const imported = await runBugle(['import', file], settings)
    expect([imported.code, imported.stderr]).toEqual([0, ''])
    expect(imported.stdout).toContain('3 issues, 2 files,')
    const [large = ''] = stage.ids
    const bytes = await download(settings.BUGLE_DATABASE_URL, stage.project.secretKey, large)
    expect(Buffer.isBuffer(bytes) && bytes.equals(LARGE)).toBe(true)

    await using bucket = await startS3Server()
    const inBucket = { ...stage.settingsFor('bucket.db'), BUGLE_ATTACHMENTS_URL: bucket.url }
    expect((await runBugle(['import', file], inBucket)).code).toBe(0)
    const again = stage.pathOf('again.ndjson')
    expect((await runBugle(['export', again], inBucket)).code).toBe(0)
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true)
    expect((await runBugle(['doctor'], inBucket)).stdout).toMatch(/ok +files +2 files, 390\.6 KiB/)
  })

  it('names files that are damaged or missing, has everything else, and exits with 1', async () => {
    using stage = await setUp()
    const [large = '', small = ''] = stage.stored()
    writeFileSync(large, Buffer.concat([LARGE.subarray(0, 399_999), Buffer.from('x')]))
    rmSync(small)
    const file = stage.pathOf('all.ndjson')
    const exported = await runBugle(['export', file], stage.settingsFor('from.db'))
    expect(exported.code).toBe(1)
    expect(exported.stdout).toContain('2 files are missing or damaged')
    expect(exported.stdout).toContain(`"a.bin" of issue 1, SHA-256 ${sha256Of(LARGE)}`)
    expect(exported.stdout).toContain(sha256Of('small'))
    const printed = await runBugle(['export', '-'], stage.settingsFor('from.db'))
    expect([printed.code, printed.stdout === readFileSync(file, 'utf8')]).toEqual([1, true])
    expect(printed.stderr).toContain('2 files are missing or damaged')

    const settings = stage.settingsFor('to.db')
    expect((await runBugle(['import', file], settings)).code).toBe(0)
    const [id = ''] = stage.ids
    expect(await download(settings.BUGLE_DATABASE_URL, stage.project.secretKey, id)).toBe(404)
  })

  it('can omit the bytes of files', async () => {
    using stage = await setUp()
    const settings = stage.settingsFor('from.db')
    const { code, stdout } = await runBugle(['export', '-', '--without-files'], settings)
    expect([code, stdout.includes('"record":"file"'), stdout.includes('"name":"a.bin"')]).toEqual([
      0,
      false,
      true,
    ])
  })

  it('fails if the bucket cannot be reached, and leaves no file', async () => {
    using stage = await setUp()
    const bucket = await startS3Server()
    await bucket[Symbol.asyncDispose]()
    const settings = { ...stage.settingsFor('from.db'), BUGLE_ATTACHMENTS_URL: bucket.url }
    const { code, stderr } = await runBugle(['export', stage.pathOf('all.ndjson')], settings)
    expect([code, stderr]).toEqual([1, expect.stringContaining('--without-files exports everything else')])
    expect(readdirSync(stage.pathOf('.')).filter((name) => name.startsWith('all'))).toEqual([])
  })
})
