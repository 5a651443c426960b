import { describe, expect } from 'vitest'
import { expectFailure, TIME, test } from '../../test-support/bugle-command.ts'

describe.concurrent('bugle project', () => {
  test('create makes a private project on main, unless it is told otherwise', async ({ bugle }) => {
    expect(await bugle.json('project create --name Weather --slug weather')).toEqual({
      id: expect.stringMatching(/^prj_[0-9a-z]{26}$/),
      name: 'Weather',
      slug: 'weather',
      isPublic: false,
      defaultBranch: 'main',
      createdAt: expect.stringMatching(TIME),
    })
    const told = await bugle.json('project create --name Maps --slug maps --public --default-branch trunk')
    expect(told).toMatchObject({ isPublic: true, defaultBranch: 'trunk' })
  })

  test('list shows every project, oldest first', async ({ bugle }) => {
    expect(await bugle.run('project list')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No projects yet/),
    })
    await bugle.json('project create --name Weather --slug weather')
    await bugle.json('project create --name Maps --slug maps --public')
    expect(await bugle.json('project list')).toMatchObject([{ slug: 'weather' }, { slug: 'maps' }])
    const { stdout } = await bugle.run('project list')
    expect(stdout).toMatch(/^SLUG +NAME .*\nweather +Weather +private .*\nmaps +Maps +public .*\n$/)
  })

  test('show finds a project by slug and by id', async ({ bugle }) => {
    const project = await bugle.json('project create --name Weather --slug weather')
    expect(await bugle.json('project show weather')).toEqual(project)
    expect(await bugle.json(`project show ${project.id}`)).toEqual(project)
  })

  test('update changes what it names and nothing else', async ({ bugle }) => {
    const project = await bugle.json('project create --name Weather --slug weather')
    const changed = { ...project, name: 'Climate', slug: 'climate' }
    expect(await bugle.json('project update weather --name Climate --slug climate')).toEqual(changed)
    expect(await bugle.json('project show climate')).toEqual(changed)
    await expectFailure(bugle, 'project show weather', 'there is no project "weather"')
  })

  test('delete wants to be told twice', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    expect(await bugle.run('project delete weather')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--yes/),
    })
    expect(await bugle.json('project list')).toHaveLength(1)
    expect(await bugle.json('project delete weather --yes')).toMatchObject({ slug: 'weather' })
    expect(await bugle.json('project list')).toEqual([])
  })

  test('a slug belongs to one project', async ({ bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const maps = await bugle.json('project create --name Maps --slug maps')
    const says = 'another project already has the slug "weather"'
    await expectFailure(bugle, 'project create --name Other --slug weather', says)
    await expectFailure(bugle, 'project update maps --name Other --slug weather', says)
    expect(await bugle.json('project list')).toMatchObject([{ slug: 'weather' }, maps])
  })
})
