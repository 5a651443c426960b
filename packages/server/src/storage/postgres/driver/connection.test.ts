import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addProject, plainReport } from '../../../../test-support/plain-reports.ts'
import { setNodes } from '../../../../test-support/several-nodes.ts'
import { StorageUnavailable } from '../../storage.ts'
import { connect, type Database } from './connection.ts'
import { createConnector } from './connector.ts'

describe('the connections', () => {
  const stage = setNodes()
  let database: Database

  beforeEach(() => {
    database = connect(createConnector(stage.url))
  })
  afterEach(() => database.close())

  const show = (name: string) => ({ text: `SELECT current_setting('${name}') AS value`, values: [] })

  it.each([
    ['statement_timeout', '10s'],
    ['lock_timeout', '5s'],
    ['idle_in_transaction_session_timeout', '10s'],
  ])('have a %s, whatever they are for', async (name, value) => {
    const found = await Promise.all([
      database.run(show(name)),
      database.transaction((tx) => tx.run(show(name))),
      database.background((tx) => tx.run(show(name))),
      database.snapshot((session) => session.run(show(name))),
    ])
    expect(found.flat()).toEqual(Array.from(found, () => ({ value })))
  })

  it('combine our settings with those of the address, and use the shorter of two timeouts', async () => {
    const url = new URL(stage.url)
    url.searchParams.set('options', '-c work_mem=5MB -c random_page_cost=2 -c statement_timeout=0')
    url.searchParams.set('lock_timeout', '2000')
    url.searchParams.set('idle_in_transaction_session_timeout', '3600000')
    const settled = connect(createConnector(url.href))
    const names = 'work_mem random_page_cost enable_sort jit statement_timeout lock_timeout'.split(' ')
    const found = await Promise.all(
      [...names, 'idle_in_transaction_session_timeout'].map((name) => settled.run(show(name))),
    )
    await settled.close()
    expect(found.flat().map((row) => Object.values(row)[0])).toEqual([
      '5MB',
      '2',
      'off',
      'off',
      '10s',
      '2s',
      '10s',
    ])
  })

  it.each(['repeatable read', 'serializable'])(
    'read committed data where the default is %s',
    async (level) => {
      const name = new URL(stage.url).pathname.slice(1)
      await stage.query(`ALTER DATABASE ${name} SET default_transaction_isolation = '${level}'`)
      const [one, other] = [await stage.openNode(), await stage.openNode()]
      const project = await addProject(one)
      const outcomes = await Promise.allSettled(
        Array.from({ length: 200 }, (_, index) =>
          (index % 2 === 0 ? one : other).issues.submit(plainReport(project, `f${index % 5}`)),
        ),
      )
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    },
  )

  it('have a fixed maximum number, however many queries there are', async () => {
    const work = () => [
      database.run({ text: 'SELECT pg_sleep(0.02)', values: [] }),
      database.transaction((tx) => tx.run({ text: 'SELECT pg_sleep(0.02)', values: [] })),
      database.background((tx) => tx.run({ text: 'SELECT pg_sleep(0.02)', values: [] })),
    ]
    const all = Promise.all(Array.from({ length: 40 }, work).flat())
    const counts: number[] = []
    for (let look = 0; look < 5; look++) {
      const [row] = await stage.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'bugle' AND datname = current_database()",
      )
      counts.push(row?.count ?? 0)
    }
    await all
    expect(Math.max(...counts)).toBeLessThanOrEqual(14)
    expect(Math.max(...counts)).toBeGreaterThan(1)
  })

  it('report the database as unavailable when they are cut', async () => {
    const cut = database.transaction(async (tx) => {
      await tx.run({ text: 'SELECT pg_terminate_backend(pg_backend_pid())', values: [] })
    })
    await expect(cut).rejects.toThrow(StorageUnavailable)
    expect(await database.transaction((tx) => tx.run(show('lock_timeout')))).toEqual([{ value: '5s' }])
  })

  it.each([
    ['a fault of the surroundings', "'53100'", StorageUnavailable],
    ['a fault of ours', "'23505'", expect.objectContaining({ code: '23505' })],
  ])('report the first error of a transaction: %s', async (_, code, expected) => {
    const work = database.transaction(async (tx) => {
      tx.send({ text: `DO $$ BEGIN RAISE EXCEPTION 'first' USING ERRCODE = ${code}; END $$`, values: [] })
      await tx.run({ text: 'SELECT 1', values: [] })
    })
    await expect(work).rejects.toThrow(expected)
  })

  it('wait briefly for a project that another transaction has locked; those of other projects continue', async () => {
    const storage = await stage.openNode()
    const [held, free] = [await addProject(storage, 'held'), await addProject(storage, 'free')]
    await using holder = await stage.connect()
    await holder.query("BEGIN; SELECT 1 FROM projects WHERE slug = 'held' FOR UPDATE")
    const waiting = storage.issues.submit(plainReport(held))
    expect(await storage.issues.submit(plainReport(free))).toMatchObject({ kind: 'stored' })
    await expect(waiting).rejects.toThrow(StorageUnavailable)
    await holder.query('ROLLBACK')
    expect(await storage.issues.submit(plainReport(held))).toMatchObject({ kind: 'stored' })
  })
})
