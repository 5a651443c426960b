import { expect, test } from 'vitest'
import { branchOf, buildNumberOf } from './ci-variables.ts'

test.each([
  [{}, undefined],
  [{ GITHUB_HEAD_REF: 'feature', GITHUB_REF_NAME: '12/merge' }, 'feature'],
  [{ GITHUB_HEAD_REF: '', GITHUB_REF_NAME: 'main' }, 'main'],
  [{ GITHUB_REF_NAME: '12/merge' }, undefined],
  [{ GITHUB_REF_NAME: 'v2.0.0', GITHUB_REF_TYPE: 'tag' }, undefined],
  [{ CI_COMMIT_REF_NAME: 'refs/merge-requests/7/head', CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'fix' }, 'fix'],
  [{ CI_COMMIT_REF_NAME: 'refs/merge-requests/7/head' }, undefined],
  [{ VERCEL_GIT_COMMIT_REF: 'preview' }, 'preview'],
])('with %j the branch is %s', (environment, branch) => {
  expect(branchOf(environment)).toBe(branch)
})

test.each([
  [{}, undefined],
  [{ GITHUB_RUN_NUMBER: '512' }, '512'],
  [{ BUILD_NUMBER: '7', CIRCLE_BUILD_NUM: '8' }, '7'],
])('with %j the build number is %s', (environment, buildNumber) => {
  expect(buildNumberOf(environment)).toBe(buildNumber)
})
