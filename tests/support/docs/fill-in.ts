import type { Keys } from '../start-server.ts'

interface Circumstances {
  readonly url: string
  readonly keys: Keys
  /** What the reader has seen so far. */
  readonly printed: string
  /** Replaces the root folder, where documents store backups. */
  readonly folder: string
  /** Replace 9000, 9001 and so on. */
  readonly ports: readonly number[]
}

const SHOWN_ADDRESSES = /https:\/\/bugs\.example\.com|http:\/\/127\.0\.0\.1:4000/g
const SHOWN_PORTS = /\b900(\d)\b/g
/** An id or a secret that is abbreviated with an ellipsis. */
const SHOWN_IDS = /\b(iss_|whk_|whsec_)…/g

/** Replaces the address, keys, ids and ports in a document with the reader's own. */
export async function fillIn(
  text: string,
  { url, keys, printed, folder, ports }: Circumstances,
): Promise<string> {
  const newest = text.includes('iss_…') ? await newestIssue(url, keys) : ''
  return text
    .replaceAll(SHOWN_ADDRESSES, url)
    .replaceAll('/backups/', `${folder}/backups/`)
    .replaceAll('bgl_pub_…', keys.publicKey)
    .replaceAll('bgl_sec_…', keys.secretKey)
    .replaceAll(SHOWN_PORTS, (_, digit) => String(ports[Number(digit)]))
    .replaceAll(SHOWN_IDS, (_, prefix: string) => (prefix === 'iss_' ? newest : lastSeen(prefix, printed)))
}

/** A document that shows an issue needs one: if it has not created any, one is created. */
async function newestIssue(url: string, { publicKey, secretKey }: Keys): Promise<string> {
  const answer = await fetch(`${url}/v1/issues?pageSize=1`, {
    headers: { authorization: `Bearer ${secretKey}` },
  })
  const { data } = (await answer.json()) as { data: readonly { id: string }[] }
  const [newest] = data
  if (newest !== undefined) return newest.id
  const submission = { method: 'POST', body: JSON.stringify({ title: 'Of a reader', publicKey }) }
  const { id } = (await (await fetch(`${url}/v1/issues`, submission)).json()) as { id: string }
  return id
}

function lastSeen(prefix: string, printed: string): string {
  const seen = printed.match(new RegExp(`${prefix}[\\w+/=]+`, 'g'))?.at(-1)
  if (seen === undefined) throw new Error(`a document names ${prefix}… before it was shown`)
  return seen
}
