import { MAX_KNOWN_MATCHES } from '@bugle/contract/vocabulary'
import type { Client } from '../client.ts'
import { guard, within } from '../guard.ts'
import { fitTexts } from '../reports/reports.ts'
import type { ReportContent } from '../types.ts'

/** Fewer characters match too much. */
const MIN_TITLE_CHARS = 3
const TIMEOUT_MS = 10_000
/** After a request that failed, because of a rate limit, an older server or the network. */
const PAUSE_MS = 60_000

/** What the team has published about a problem. All of it is plain text, never HTML. */
export interface KnownIssue {
  /** The `knownIssueId` of a report on it. */
  readonly id: string
  readonly title: string
  /** What is known about it, such as a workaround; it may be empty. */
  readonly text: string
  readonly status: string
  /** The release that contains the fix, once it is known. */
  readonly fixedIn: { readonly appVersion: string; readonly buildNumber: string | null } | null
  /** Whether this version of the app contains the fix; `null` if that is not known. */
  readonly hasFix: boolean | null
}

/** Until when nothing is searched, by client. */
const paused = new WeakMap<Client, number>()

/** Finds published issues that resemble a report. Never rejects; `undefined` if nothing was asked, or there was no response. */
export async function findKnownIssues(
  client: Client | undefined,
  draft: ReportContent,
): Promise<readonly KnownIssue[] | undefined> {
  try {
    return client && (await search(client, draft))
  } catch {
    // The hook of the app has failed, or something in the platform.
    return undefined
  }
}

async function search(client: Client, draft: ReportContent): Promise<readonly KnownIssue[] | undefined> {
  const { _core: core, _configs: configs, _complete: complete } = client
  const { _options: options, _platform: platform } = core
  const { beforeSend = (same: ReportContent) => same, publicKey } = options
  const isPaused = () => platform._now() < (paused.get(client) ?? 0)
  if (!isWanted(draft) || !platform._isOnline() || configs._blockedBy() || isPaused()) return undefined
  // The hook may exist for privacy reasons.
  const judged = await within(
    Promise.resolve(guard(beforeSend, () => null)(complete(draft))),
    TIMEOUT_MS,
    platform._later,
  )
  if (!judged || !isWanted(judged)) return undefined
  const { title, appVersion } = fitTexts(judged)
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${publicKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title, appVersion }),
  }
  const { status, body } = await core._request('known-issues/search', request, TIMEOUT_MS)
  if (status !== 200) paused.set(client, platform._now() + PAUSE_MS)
  const { data } = Object(body) as { readonly data?: unknown }
  // A captive portal responds with anything.
  return Array.isArray(data) ? data.filter(isKnownIssue).slice(0, MAX_KNOWN_MATCHES) : undefined
}

function isWanted({ title, category }: ReportContent): boolean {
  return category !== 'security' && title?.trim().length >= MIN_TITLE_CHARS
}

function isKnownIssue(value: unknown): value is KnownIssue {
  const { id, title, text, status } = Object(value) as Partial<KnownIssue>
  return [id, title, text, status].every((one) => typeof one === 'string')
}
