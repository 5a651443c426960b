import { ApiProblem, ApiUnreachable, type Client, createClient } from '@bugle/client'
import { CommandError, type Variable } from './command.ts'

const DEFAULT_URL = 'http://127.0.0.1:4000'

/** The environment variables of commands that use the API. */
export const API_VARIABLES: readonly Variable[] = [
  { name: 'BUGLE_URL', meaning: `URL of the server; default: ${DEFAULT_URL}` },
  {
    name: 'BUGLE_KEY',
    meaning:
      'a secret key, bgl_sec_…, or a personal access token, bgl_pat_…, with the necessary scopes (required)',
  },
]

/** Provides a client of the server; an error response fails the command with a readable message. */
export async function withApi<T>(
  environment: Readonly<Record<string, string | undefined>>,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    return await use(connect(environment))
  } catch (error) {
    if (!(error instanceof ApiProblem || error instanceof ApiUnreachable)) throw error
    throw new CommandError(explain(error), { cause: error })
  }
}

/** The error for people: the message, then each fault on its own line. */
export function explain(error: ApiProblem | ApiUnreachable): string {
  if (error instanceof ApiUnreachable) return `${error.message}${reasonOf(error)}; check BUGLE_URL`
  const faults = (error.problem.errors ?? []).map(({ detail }) => `  ${detail}`)
  const wait = error.retryAfterSeconds === null ? [] : [`  Try again in ${error.retryAfterSeconds} seconds.`]
  return [error.message, ...faults, ...wait].join('\n')
}

function connect(environment: Readonly<Record<string, string | undefined>>): Client {
  const url = environment['BUGLE_URL'] || DEFAULT_URL
  const key = environment['BUGLE_KEY']
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(`BUGLE_URL must be an http or https URL, not "${url}"`)
  if (!key)
    throw new CommandError(
      'BUGLE_KEY is not set; set it to a secret key, created with "bugle key create --kind secret"',
    )
  return createClient({ url, key })
}

/** `fetch` hides the system error in the `cause` of its own error. */
function reasonOf({ cause }: ApiUnreachable): string {
  const reason = cause instanceof Error ? cause.cause : undefined
  return reason instanceof Error && 'code' in reason ? ` (${reason.code})` : ''
}
