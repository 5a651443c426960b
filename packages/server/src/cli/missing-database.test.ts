import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runBugle, spawnBugle } from '../../test-support/run-bugle.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'

const run = (line: string, databaseUrl: string) =>
  runBugle(line.split(' '), { BUGLE_DATABASE_URL: databaseUrl })

describe.concurrent('without a database', () => {
  test.for([
    'project list',
    'project create --name Weather --slug weather',
    'key list --project weather',
    'user list',
    'user add --email ada@example.com --name Ada --role admin',
    'webhook list --project weather',
    'project show weather',
    'export FILE',
    'backup FILE',
    'doctor --rebuild-search',
  ])('bugle %s fails, and creates nothing', async (line) => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'mistyped', 'bugle.db')
    const { code, stderr, stdout } = await run(
      line.replace('FILE', join(folder.path, 'file')),
      `sqlite:${path}`,
    )
    expect(code).toBe(1)
    expect(stderr + stdout).toContain(path)
    expect(readdirSync(folder.path)).toEqual([])
  })

  test('a command names the variable to check, and how to create a database', async () => {
    using folder = temporaryFolder()
    const url = `sqlite:${join(folder.path, 'bugle.db')}`
    expect(await run('project list', url)).toEqual({
      code: 1,
      stdout: '',
      stderr: `bugle: The database ${url} could not be opened. There is no Bugle database. Check BUGLE_DATABASE_URL; "bugle serve" and "bugle migrate" create one.\n`,
    })
  })

  test('a file that is not a database is left as it is', async () => {
    using folder = temporaryFolder()
    const path = join(folder.path, 'empty.db')
    writeFileSync(path, '')
    expect((await run('project list', `sqlite:${path}`)).stderr).toContain('There is no Bugle database.')
    expect(statSync(path).size).toBe(0)
    expect(readdirSync(folder.path)).toEqual(['empty.db'])
  })

  test.for(['migrate', 'demo --count 1'])(
    'bugle %s creates one that only its owner can read',
    async (line) => {
      using folder = temporaryFolder()
      const path = join(folder.path, 'new', 'bugle.db')
      expect(await run(line, `sqlite:${path}`)).toMatchObject({ code: 0, stderr: '' })
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(statSync(join(folder.path, 'new')).mode & 0o777).toBe(0o700)
    },
  )

  test.skipIf(!existsSync('/proc/self'))(
    'a folder that cannot be created is an immediate failure',
    async () => {
      for (const line of ['migrate', 'project list', 'serve']) {
        // If a server did start, it has to be stopped.
        const start = line === 'serve' ? spawnBugle : runBugle
        const { code, stderr } = await start(line.split(' '), {
          BUGLE_DATABASE_URL: 'sqlite:/proc/bugle/data/bugle.db',
        })
        expect([line, code]).toEqual([line, 1])
        expect(stderr).toContain('could not be opened')
      }
    },
  )
})
