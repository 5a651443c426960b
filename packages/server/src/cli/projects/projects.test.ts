import { describe, expect } from 'vitest'
import { expectFailure, TIME, test } from '../../../test-support/bugle-command.ts'
import { startApp } from '../../../test-support/start-app.ts'

describe.concurrent('bugle project', () => {
  test('create adds a private project with branch main by default', async ({ bugle }) => {
    expect(await bugle.json('project create --name Weather --slug weather')).toEqual({
      id: expect.stringMatching(/^prj_[0-9a-z]{26}$/),
      name: 'Weather',
      slug: 'weather',
      isPublic: false,
      defaultBranch: 'main',
      description: null,
      websiteUrl: null,
      repositoryUrl: null,
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

  test('update changes only the given fields', async ({ bugle }) => {
    const project = await bugle.json('project create --name Weather --slug weather')
    const changed = { ...project, name: 'Climate', slug: 'climate' }
    expect(await bugle.json('project update weather --name Climate --slug climate')).toEqual(changed)
    expect(await bugle.json('project show climate')).toEqual(changed)
    await expectFailure(bugle, 'project show weather', 'there is no project "weather"')
  })

  test('keeps a description and links, and removes them when they are empty', async ({ bugle }) => {
    const links = '--website-url https://Weather.example --repository-url http://git.example/weather?tab=code'
    const details = {
      description: 'Forecasts',
      websiteUrl: 'https://weather.example/',
      repositoryUrl: 'http://git.example/weather?tab=code',
    }
    const project = await bugle.json(
      `project create --name W --slug weather --description Forecasts ${links}`,
    )
    expect(project).toMatchObject(details)
    expect(await bugle.json('project show weather')).toEqual(project)
    expect((await bugle.run('project show weather')).stdout).toMatch(
      /^websiteUrl +https:\/\/weather\.example\/$/m,
    )
    expect(await bugle.json('project update weather --name Climate')).toEqual({ ...project, name: 'Climate' })
    const removed = await bugle.json('project update weather --website-url= --description=')
    expect(removed).toMatchObject({ ...details, description: null, websiteUrl: null })
    expect(await bugle.json('project show weather')).toEqual(removed)
  })

  test.for([
    ['--website-url', 'javascript:alert(1)', '--website-url must be an http or https URL'],
    ['--website-url', 'weather.example', '--website-url must be an http or https URL'],
    ['--repository-url', 'ssh://git.example/weather', '--repository-url must be an http or https URL'],
    ['--repository-url', `https://git.example/${'x'.repeat(2_048)}`, 'at most 2048 characters'],
    ['--repository-url', 'https://ada:secret@git.example/', 'must not contain a user name or password'],
    ['--description', 'x'.repeat(1_001), '--description must have at most 1000 characters'],
  ] as const)('refuses %s %.30s', async ([option, value, says], { bugle }) => {
    await bugle.json('project create --name Weather --slug weather')
    const before = await bugle.json('project show weather')
    const outcome = await bugle.run(`project update weather ${option} ${value}`)
    expect(outcome).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) })
    expect(await bugle.json('project show weather')).toEqual(before)
  })

  test('update makes a project public after a confirmation that shows what anyone can read', async ({
    bugle,
  }) => {
    const { id } = await bugle.json('project create --name Weather --slug weather')
    const says =
      'this lets anyone read 0 issues of "weather" without signing in, and all future ones; add --yes to confirm'
    expect(await bugle.run('project update weather --name Open --public')).toEqual({
      code: 2,
      stdout: '',
      stderr: `bugle: ${says}\n`,
    })
    expect(await bugle.json('project show weather')).toMatchObject({ name: 'Weather', isPublic: false })
    expect(await bugle.json(`project update ${id} --public --yes`)).toMatchObject({ isPublic: true })
    // It is public already.
    expect(await bugle.json('project update weather --public --name Open')).toMatchObject({ name: 'Open' })
    expect(await bugle.json('project update weather --private')).toMatchObject({ isPublic: false })
  })

  test('the confirmation names the newest issues that become readable', async ({ bugle }) => {
    {
      await using app = await startApp({ databaseUrl: `sqlite:${bugle.database}` })
      const { publicKey: key } = await app.addProject({ name: 'Weather', slug: 'weather' })
      for (const title of ['No sound', 'No\nlight', 'x'.repeat(100), 'Blank', 'Slow', 'Crash'])
        await app.send('POST', '/v1/issues', { key, body: { title } })
      await app.send('POST', '/v1/issues', { key, body: { title: 'Leak', category: 'security' } })
    }
    const { code, stderr } = await bugle.run('project update weather --public')
    expect(code).toBe(2)
    const [sentence, ...titles] = stderr.trimEnd().split('\n')
    expect(sentence).toContain('this lets anyone read 6 issues of "weather"')
    expect(titles).toEqual([
      'Newest issues:',
      '  #6 Crash',
      '  #5 Slow',
      '  #4 Blank',
      `  #3 ${'x'.repeat(79)}…`,
      expect.stringMatching(/^ {2}#2 No.+light$/),
    ])
  })

  test('delete needs a confirmation', async ({ bugle }) => {
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
