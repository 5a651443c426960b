import { expect, it } from 'vitest'
import { runBugle } from '../../../test-support/run-bugle.ts'
import { startApp } from '../../../test-support/start-app.ts'
import { temporaryDatabase } from '../../../test-support/temporary-database.ts'

it('creates, lists, renames and deletes labels of a project, and puts them on issues', async () => {
  await using database = await temporaryDatabase()
  await using app = await startApp({ databaseUrl: database.url })
  const project = await app.addProject()
  const settings = {
    ...{ BUGLE_DATABASE_URL: database.url, BUGLE_URL: app.url, BUGLE_KEY: project.secretKey },
    COLUMNS: '80',
  }
  const label = (...args: string[]) => runBugle(['label', ...args, '--project', project.slug], settings)
  const issues = (...args: string[]) => runBugle(['issues', ...args], settings)
  expect((await label('list')).stdout).toContain('No labels yet.')
  expect((await label('create', 'ui')).stdout).toBe('name    ui\ncolour  #596273\n')
  expect((await label('create', ' Needs design ', '--colour', '#8250DF')).code).toBe(0)
  expect((await label('list')).stdout).toBe(
    'NAME          COLOUR\nui            #596273\nNeeds design  #8250df\n',
  )
  expect(await label('create', 'UI')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already has'),
  })
  expect(await label('create', 'x', '--colour', 'red')).toMatchObject({ code: 2 })
  expect(await label('create', '\u001b[31m')).toMatchObject({ code: 2 })
  expect(await label('update', 'ui')).toMatchObject({ code: 2 })
  expect(await label('update', 'nowhere', '--name', 'x')).toMatchObject({ code: 1 })
  expect((await label('update', 'UI', '--name', 'Interface')).stdout).toContain('Interface')

  await app.send('POST', '/v1/issues', { key: project.publicKey, body: { title: 'Blank' } })
  const known = async () =>
    (await app.send('GET', `/v1/projects/${project.slug}/labels`, { key: project.secretKey })).body.data
      .length
  await expect.poll(known).toBe(2)
  const added = await issues('update', '1', '--add-label', 'interface,needs design')
  expect(added).toEqual({ code: 0, stderr: '', stdout: 'Updated the labels of #1.\n' })
  expect((await issues('update', '1', '--remove-label', 'Interface')).code).toBe(0)
  const { stdout } = await issues('show', '1')
  expect(stdout).toContain('labels    Needs design\n')
  expect(stdout).toContain('    labels: nothing → Interface, Needs design\n')
  expect(JSON.parse((await issues('list', '--label', 'needs design', '--json')).stdout)).toHaveLength(1)
  expect((await label('delete', 'needs design')).stdout).toBe('Deleted the label "needs design".\n')
  await expect.poll(known).toBe(1)
  expect(await label('delete', 'needs design')).toMatchObject({ code: 1 })
})
