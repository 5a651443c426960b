import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { declare, sha256Of } from '../../../test-support/attachment-stage.ts'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'

/** A database with two files, and the command for it. */
async function setUp() {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const databaseUrl = `sqlite:${path}`
  const contents = [randomBytes(200_000), Buffer.alloc(0)]
  await using api = await startApp({ databaseUrl })
  const project = await api.addProject()
  const ids: string[] = []
  for (const bytes of contents) ids.push(await addFile(api, project, bytes))
  return {
    folder,
    path,
    databaseUrl,
    project,
    contents,
    ids,
    copy: join(folder.path, 'copy.db'),
    files: `${path}-files`,
    bugle: (...args: string[]) => runBugle(args, { BUGLE_DATABASE_URL: databaseUrl }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

async function addFile(api: TestApp, { publicKey: key }: TestProject, bytes: Buffer): Promise<string> {
  const body = { title: 'With a file', submissionId: randomUUID(), attachments: [declare(bytes)] }
  await api.send('POST', '/v1/issues', { key, body })
  const path = `/v1/submissions/${body.submissionId}/attachments/${sha256Of(bytes)}`
  return (await api.send('PUT', path, { key, body: bytes })).body.id
}

async function expectFiles({ databaseUrl, project, contents, ids }: Awaited<ReturnType<typeof setUp>>) {
  await using api = await startApp({ databaseUrl })
  for (const [index, id] of ids.entries()) {
    const headers = { authorization: `Bearer ${project.secretKey}` }
    const response = await fetch(`${api.url}/v1/attachments/${id}`, { headers })
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).equals(contents[index] ?? Buffer.alloc(1))).toBe(true)
  }
}

describe('a backup', () => {
  it('is one file with the files of reports, which are back after a restore', async () => {
    using stage = await setUp()
    const { code, stdout } = await stage.bugle('backup', stage.copy)
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 issues, 2 files and')])
    expect(readdirSync(stage.folder.path).filter((name) => name.startsWith('copy'))).toEqual(['copy.db'])
    expect((await stage.bugle('backup', stage.copy, '--check')).stdout).toContain('2 files')
    for (const end of ['', '-wal', '-shm', '-files'])
      rmSync(stage.path + end, { recursive: true, force: true })
    expect((await stage.bugle('restore', stage.copy)).code).toBe(0)
    await expectFiles(stage)
    expect((await stage.bugle('doctor')).stdout).toMatch(/ok +files +2 files, 195\.3 KiB/)
  })

  it('keeps the files of the database that it replaces', async () => {
    using stage = await setUp()
    await stage.bugle('backup', stage.copy)
    {
      await using api = await startApp({ databaseUrl: stage.databaseUrl })
      await addFile(api, stage.project, Buffer.from('after the backup'))
    }
    const { code, stdout } = await stage.bugle('restore', stage.copy, '--force', '--json')
    expect(code).toBe(0)
    expect(existsSync(`${JSON.parse(stdout).kept}-files`)).toBe(true)
    await expectFiles(stage)
  })

  it('with damaged bytes is refused, and so is one of a database whose files are missing', async () => {
    using stage = await setUp()
    await stage.bugle('backup', stage.copy)
    {
      using db = new DatabaseSync(stage.copy)
      db.exec("UPDATE backup_files SET bytes = x'00' WHERE number = 1")
    }
    const check = await stage.bugle('backup', stage.copy, '--check')
    expect([check.code, check.stderr]).toEqual([1, expect.stringContaining('damaged or incomplete')])
    expect((await stage.bugle('restore', stage.copy, '--force')).code).toBe(1)
    await expectFiles(stage)

    rmSync(stage.files, { recursive: true })
    const other = await stage.bugle('backup', join(stage.folder.path, 'other.db'))
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('is missing in')])
    expect(existsSync(join(stage.folder.path, 'other.db'))).toBe(false)
  })
})

describe('doctor', () => {
  it('finds files that are missing, torn, or of no report', async () => {
    using stage = await setUp()
    const [projectNumber = ''] = readdirSync(stage.files).filter((name) => /^\d+$/.test(name))
    const orphan = join(stage.files, projectNumber, 'ab'.repeat(16))
    writeFileSync(orphan, 'x')
    utimesSync(orphan, 1_000_000, 1_000_000)
    expect((await stage.bugle('doctor')).stdout).toMatch(/warning +files .*1 file belongs to no report/)
    for (const name of readdirSync(join(stage.files, projectNumber)))
      if (name !== 'ab'.repeat(16)) writeFileSync(join(stage.files, projectNumber, name), 'torn')
    const torn = await stage.bugle('doctor')
    expect([torn.code, torn.stdout]).toEqual([
      1,
      expect.stringContaining('2 files are missing or incomplete'),
    ])
  })
})
