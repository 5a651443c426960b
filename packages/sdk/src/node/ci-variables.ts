/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The variables in which build services state the branch; the first plausible value wins. */
const BRANCH_VARIABLES = [
  'GITHUB_HEAD_REF',
  'GITHUB_REF_NAME',
  'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME',
  'CI_COMMIT_BRANCH',
  'CI_COMMIT_REF_NAME',
  'VERCEL_GIT_COMMIT_REF',
  'CF_PAGES_BRANCH',
  'BITBUCKET_BRANCH',
  'CIRCLE_BRANCH',
  'BUILDKITE_BRANCH',
  'DRONE_SOURCE_BRANCH',
  'TRAVIS_PULL_REQUEST_BRANCH',
  'BUILD_SOURCEBRANCHNAME',
  'RENDER_GIT_BRANCH',
  'RAILWAY_GIT_BRANCH',
  'CM_BRANCH',
  'BITRISE_GIT_BRANCH',
  'CI_BRANCH',
]

const BUILD_NUMBER_VARIABLES = [
  'GITHUB_RUN_NUMBER',
  'CI_PIPELINE_IID',
  'BUILD_NUMBER',
  'BUILD_BUILDID',
  'CIRCLE_BUILD_NUM',
  'BITBUCKET_BUILD_NUMBER',
  'BUILDKITE_BUILD_NUMBER',
  'CI_BUILD_NUMBER',
  'BITRISE_BUILD_NUMBER',
]

/** "12/merge" (GitHub) and "refs/merge-requests/…" (GitLab) name a pull request, not a branch. */
const NO_BRANCH = /^\d+\/merge$|^refs\//

/** The branch stated by the build service. */
export function branchOf(environment: Environment): string | undefined {
  const isTag = environment['GITHUB_REF_TYPE'] === 'tag'
  return BRANCH_VARIABLES.filter((name) => !(isTag && name === 'GITHUB_REF_NAME'))
    .map((name) => environment[name])
    .find((value) => value && !NO_BRANCH.test(value))
}

/** The build number of the build service. */
export function buildNumberOf(environment: Environment): string | undefined {
  return BUILD_NUMBER_VARIABLES.map((name) => environment[name]).find(Boolean)
}
