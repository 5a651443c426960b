import { randomBytes, randomUUID } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { declare, sha256Of } from '../../../test-support/attachment-stage.ts'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp, type TestApp, type TestProject } from '../../../test-support/start-app.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { checkBackup } from '../../storage/backups.ts'

/** A database with two files, and the command for it. */
async function setUp() {
  const folder = temporaryFolder()
  const path = join(folder.path, 'bugle.db')
  const databaseUrl = `sqlite:${path}`
  const files = `${path}-files`
  const contents = [randomBytes(200_000), Buffer.alloc(0)]
  await using api = await startApp({ databaseUrl })
  const project = await api.addProject()
  const added: AddedFile[] = []
  for (const bytes of contents) added.push(await addFile(api, project, bytes, files))
  return {
    folder,
    path,
    databaseUrl,
    project,
    contents,
    files,
    ids: added.map(({ id }) => id),
    paths: added.map(({ path }) => path),
    submissionIds: added.map(({ submissionId }) => submissionId),
    copy: join(folder.path, 'copy.db'),
    bugle: (...args: string[]) => runBugle(args, { BUGLE_DATABASE_URL: databaseUrl }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

interface AddedFile {
  readonly id: string
  readonly submissionId: string
  /** Where its bytes are. */
  readonly path: string
}

/** Reports an issue with a file. */
async function addFile(
  api: TestApp,
  { publicKey: key }: TestProject,
  bytes: Buffer,
  files: string,
): Promise<AddedFile> {
  const submissionId = randomUUID()
  const body = { title: 'With a file', submissionId, attachments: [declare(bytes)] }
  await api.send('POST', '/v1/issues', { key, body })
  const before = new Set(storedIn(files))
  const path = `/v1/submissions/${submissionId}/attachments/${sha256Of(bytes)}`
  const { id } = (await api.send('PUT', path, { key, body: bytes })).body
  const [stored = ''] = storedIn(files).filter((name) => !before.has(name))
  return { id, submissionId, path: stored }
}

/** Adds files to the database of a stage; resolves to where they are. */
async function addFiles(
  { databaseUrl, project, files }: Awaited<ReturnType<typeof setUp>>,
  contents: readonly Buffer[],
): Promise<readonly string[]> {
  await using api = await startApp({ databaseUrl })
  const paths: string[] = []
  for (const bytes of contents) paths.push((await addFile(api, project, bytes, files)).path)
  return paths
}

function storedIn(files: string): readonly string[] {
  return globSync(`${files}/[0-9]*/*`)
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

/** As if the files had another size. */
function setFileBytes(path: string, bytes: number): void {
  using db = new DatabaseSync(path)
  db.prepare("UPDATE projects SET file_bytes = ? WHERE slug <> 'demo'").run(bytes)
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

  it('is checked in stages, with the progress of each', async () => {
    using stage = await setUp()
    await stage.bugle('backup', stage.copy)
    const shown = new Map<string, string[]>()
    await checkBackup(stage.copy, (name, done, total) =>
      shown.set(name, [...(shown.get(name) ?? []), `${done} of ${total}`]),
    )
    expect([...shown.keys()]).toEqual(['integrity', 'recount', 'files'])
    expect(shown.get('integrity')).toEqual(['0 of 1', '1 of 1'])
    expect(shown.get('recount')?.length).toBeGreaterThan(20)
    expect(shown.get('files')).toEqual(['0 of 2', '1 of 2', '2 of 2'])
  })

  it('keeps the files of the database that it replaces', async () => {
    using stage = await setUp()
    await stage.bugle('backup', stage.copy)
    {
      await using api = await startApp({ databaseUrl: stage.databaseUrl })
      await addFile(api, stage.project, Buffer.from('after the backup'), stage.files)
    }
    const { code, stdout } = await stage.bugle('restore', stage.copy, '--force', '--json')
    expect(code).toBe(0)
    expect(existsSync(`${JSON.parse(stdout).kept}-files`)).toBe(true)
    await expectFiles(stage)
  })

  it('is not begun where it has no room', async () => {
    using stage = await setUp()
    setFileBytes(stage.path, 2 ** 50)
    const { code, stderr } = await stage.bugle('backup', stage.copy)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /A backup requires 1,126\.4 TiB of free disk space in .* \(the size of the database and the files of reports plus 10%\), but only [\d.,]+ [MGT]iB is free\. Free up space there/,
    )
    expect(readdirSync(stage.folder.path).filter((name) => name.startsWith('copy'))).toEqual([])
    setFileBytes(stage.path, 200_000)
    expect((await stage.bugle('backup', stage.copy)).code).toBe(0)
  })

  it('with damaged bytes is refused', async () => {
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
  })

  it('has everything but the files that are damaged, missing or unreadable, and names those', async () => {
    using stage = await setUp()
    const others = [Buffer.from('kept'), Buffer.from('gone'), Buffer.from('torn'), Buffer.from('folder')]
    const [kept = '', gone = '', torn = '', folder = ''] = await addFiles(stage, others)
    const [flipped = ''] = stage.paths
    writeFileSync(flipped, randomBytes(200_000))
    rmSync(gone)
    writeFileSync(torn, 't')
    rmSync(folder)
    mkdirSync(folder)

    const { code, stdout, stderr } = await stage.bugle('backup', stage.copy, '--json')
    expect([code, stderr]).toEqual([1, ''])
    const { lostFiles, files, counts } = JSON.parse(stdout)
    expect([files, counts.issues]).toEqual([2, 6])
    const lost = [
      { name: flipped, fault: 'damaged' },
      { name: gone, fault: 'missing' },
      { name: torn, fault: 'damaged' },
      { name: folder, fault: 'unreadable' },
    ].map(({ name, fault }) => ({ name: name.slice(stage.files.length + 1), fault }))
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)
    expect(lostFiles.toSorted(byName)).toMatchObject(lost.sort(byName))
    expect(lostFiles[0].usedBy).toEqual({ issueNumber: expect.any(Number), attachmentName: 'note.txt' })

    const check = await stage.bugle('backup', stage.copy, '--check')
    expect(check.code).toBe(1)
    for (const { name } of lost) expect(check.stdout).toContain(name)
    const restored = await stage.bugle('restore', stage.copy, '--force')
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('4 files are missing')])
    expect(readFileSync(kept, 'utf8')).toBe('kept')
    expect((await stage.bugle('doctor')).stdout).toContain('4 files are missing or damaged')
  })

  it('of a database whose folder of files is gone is still a backup of the database', async () => {
    using stage = await setUp()
    rmSync(stage.files, { recursive: true })
    const { code, stdout } = await stage.bugle('backup', stage.copy)
    expect([code, stdout]).toEqual([1, expect.stringContaining('2 issues')])
    expect(stdout).toContain('2 files are missing or damaged')
    expect((await stage.bugle('backup', stage.copy, '--check')).code).toBe(1)
  })
})

describe('doctor', () => {
  it('finds files that are missing, torn, changed, or of no report', async () => {
    using stage = await setUp()
    const [first = ''] = stage.paths
    const orphan = join(dirname(first), 'ab'.repeat(16))
    writeFileSync(orphan, 'x')
    utimesSync(orphan, 1_000_000, 1_000_000)
    expect((await stage.bugle('doctor')).stdout).toMatch(/warning +files .*1 file belongs to no report/)
    writeFileSync(first, randomBytes(200_000))
    const changed = await stage.bugle('doctor')
    expect([changed.code, changed.stdout]).toEqual([
      1,
      expect.stringContaining('1 file is missing or damaged'),
    ])
    for (const path of stage.paths) writeFileSync(path, 'torn')
    const torn = await stage.bugle('doctor')
    expect([torn.code, torn.stdout]).toEqual([1, expect.stringContaining('2 files are missing or damaged')])
    expect(torn.stdout).toMatch(/--restore-files BACKUP.*--mark-files-missing/s)
  })

  it('restores damaged files from a backup', async () => {
    using stage = await setUp()
    await stage.bugle('backup', stage.copy)
    const [first = ''] = stage.paths
    writeFileSync(first, randomBytes(200_000))
    const [added = ''] = await addFiles(stage, [Buffer.from('after the backup')])
    rmSync(added)
    const { code, stdout } = await stage.bugle('doctor', '--restore-files', stage.copy)
    expect([code, stdout]).toEqual([1, expect.stringContaining('1 file is missing or damaged')])
    await expectFiles(stage)
    expect((await stage.bugle('doctor', '--restore-files', join(stage.folder.path, 'none.db'))).code).toBe(1)
  })

  it('marks lost files as not received: they can be sent again, and backups succeed', async () => {
    using stage = await setUp()
    const [first = ''] = stage.paths
    rmSync(first)
    const { code, stdout } = await stage.bugle('doctor', '--mark-files-missing', '--yes')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ok +files +1 file, 0 bytes/)])
    expect((await stage.bugle('backup', stage.copy)).code).toBe(0)
    const { databaseUrl, project, submissionIds, contents } = stage
    await using api = await startApp({ databaseUrl })
    const headers = { authorization: `Bearer ${project.secretKey}` }
    const [id] = stage.ids
    expect((await fetch(`${api.url}/v1/attachments/${id}`, { headers })).status).toBe(404)
    const [bytes = Buffer.alloc(0)] = contents
    const path = `/v1/submissions/${submissionIds[0]}/attachments/${sha256Of(bytes)}`
    expect((await api.send('PUT', path, { key: project.publicKey, body: bytes })).status).toBe(201)
    expect((await fetch(`${api.url}/v1/attachments/${id}`, { headers })).status).toBe(200)
  })
})
