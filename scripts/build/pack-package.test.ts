import { expect, it } from 'vitest'
import { repositoryOf } from './pack-package.ts'

it('names the repository that is being built, if it is known', () => {
  const environment = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'ours/bugle' }
  expect(repositoryOf(environment)).toEqual({
    repository: { type: 'git', url: 'git+https://git.example/ours/bugle.git' },
  })
  expect(repositoryOf({})).toEqual({})
})
