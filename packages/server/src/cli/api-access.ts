import { ApiProblem, ApiUnreachable, type Client, createClient } from '@bugle/client'
import { CommandError, type Variable } from './command.ts'

const DEFAULT_URL = 'http://127.0.0.1:4000'

/** What the commands that work through the API read from the environment. */
export const API_VARIABLES: readonly Variable[] = [
  { name: 'BUGLE_URL', meaning: `where the server is, else ${DEFAULT_URL}` },
  { name: 'BUGLE_KEY', meaning: 'a secret key, bgl_sec_…, with the scopes for it (required)' },
]

/** Hands over a client of the server; what the API refuses fails the command, in words. */
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

/** What went wrong, for people: the sentence, then every fault on a line of its own. */
export function explain(error: ApiProblem | ApiUnreachable): string {
  if (error instanceof ApiUnreachable)
    return `${error.message}${reasonOf(error)}; BUGLE_URL says where the server is`
  const faults = (error.problem.errors ?? []).map(({ detail }) => `  ${detail}`)
  const wait = error.retryAfterSeconds === null ? [] : [`  Try again in ${error.retryAfterSeconds} seconds.`]
  return [error.message, ...faults, ...wait].join('\n')
}

function connect(environment: Readonly<Record<string, string | undefined>>): Client {
  const url = environment['BUGLE_URL'] || DEFAULT_URL
  const key = environment['BUGLE_KEY']
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(`BUGLE_URL must be an http or https address; it is "${url}"`)
  if (!key)
    throw new CommandError(
      'BUGLE_KEY is not set: it must hold a secret key; "bugle key create --kind secret" makes one',
    )
  return createClient({ url, key })
}

/** `fetch` hides what the system said one cause deeper. */
function reasonOf({ cause }: ApiUnreachable): string {
  const reason = cause instanceof Error ? cause.cause : undefined
  return reason instanceof Error && 'code' in reason ? ` (${reason.code})` : ''
}
