import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ISSUE_STATUSES } from '@bugle/contract'
import { type Answer, type Call, callNode } from './call-node.ts'
import type { Cluster, KeyedProject } from './cluster.ts'

const SUBMITTERS = 12
const TRIAGERS = 3
const READERS = 3
const FINGERPRINTS = 20
/** How long after the end submissions are still repeated until one is accepted. */
const PATIENCE_MS = 180_000

/** What the nodes have acknowledged. */
export interface Ledger {
  /** Reports without an id that got 201. */
  readonly stored: readonly Stored[]
  /** Reports with an id, sent until they were accepted. */
  readonly named: readonly Named[]
  /** Notes of changes that got 200. */
  readonly notes: readonly { readonly id: string; readonly note: string }[]
  /** The number of responses by status; 0: no response. */
  readonly statuses: Readonly<Record<number, number>>
}

export interface Stored {
  readonly project: KeyedProject
  readonly record: { readonly id: string; readonly issueNumber: number; readonly title: string }
}

export interface Named extends Stored {
  readonly submissionId: string
  readonly fingerprint: string | null
}

/** Submits, changes and reads issues on all nodes until the time is up, whatever happens to them. */
export async function runLoad(
  cluster: Cluster,
  projects: readonly KeyedProject[],
  milliseconds: number,
): Promise<Ledger> {
  const end = performance.now() + milliseconds
  const statuses: Record<number, number> = {}
  const stored: Stored[] = []
  const named: Named[] = []
  const notes: { id: string; note: string }[] = []
  const isOver = () => performance.now() > end
  const pick = <T>(some: readonly T[]): T => some[randomInt(some.length)] as T

  async function call(request: Call): Promise<Answer | undefined> {
    const answer = await callNode(pick(cluster.nodes).url, request)
    statuses[answer?.status ?? 0] = (statuses[answer?.status ?? 0] ?? 0) + 1
    // Clients back off from a node that is down.
    if (answer === undefined || answer.status === 503) await sleep(randomInt(20, 120))
    return answer
  }

  async function submit(project: KeyedProject, body: object): Promise<Answer | undefined> {
    const answer = await call({ method: 'POST', path: '/v1/issues', key: project.key, body })
    return answer?.status === 201 || answer?.status === 200 ? answer : undefined
  }

  async function submitPlain(project: KeyedProject): Promise<void> {
    const title = `Plain ${randomUUID()}`
    const answer = await submit(project, { title, platform: pick(['ios', 'web']) })
    if (answer !== undefined) stored.push({ project, record: answer.body })
  }

  /** Sent until it is accepted, and sometimes once more. */
  async function submitNamed(project: KeyedProject, fingerprint: string | null): Promise<void> {
    const submissionId = randomUUID()
    const category = pick(['bug', 'crash', 'security'])
    const body = { title: `Named ${submissionId}`, submissionId, fingerprint, category }
    for (const last = end + PATIENCE_MS; performance.now() < last; ) {
      const answer = await submit(project, body)
      if (answer === undefined) continue
      named.push({ project, record: answer.body, submissionId, fingerprint })
      if (randomInt(4) > 0) return
      const again = await submit(project, body)
      if (again !== undefined && JSON.stringify(again.body) !== JSON.stringify(answer.body))
        throw new Error(`two answers to one submission: ${JSON.stringify([answer.body, again.body])}`)
      return
    }
    throw new Error(`nobody has taken ${submissionId}`)
  }

  async function triage(): Promise<void> {
    if (stored.length === 0) return sleep(20)
    const { project, record } = pick(stored.slice(-50))
    const note = randomUUID()
    const body = { status: pick(ISSUE_STATUSES), priority: pick(['low', 'high']), note }
    const answer = await call({ method: 'PATCH', path: `/v1/issues/${record.id}`, key: project.key, body })
    if (answer?.status === 200) notes.push({ id: record.id, note })
  }

  /** What one node has acknowledged can be read from every other. */
  async function read(): Promise<void> {
    const project = pick(projects)
    const path = pick(['/v1/issues?sort=updated', '/v1/issues?q=plain', `/v1/projects/${project.slug}/stats`])
    await call({ path, key: project.key })
    const known = stored.at(-1)
    if (known === undefined) return
    const answer = await call({ path: `/v1/issues/${known.record.id}`, key: known.project.key })
    if (answer?.status === 404) throw new Error(`${known.record.id} was acknowledged, but is not there`)
  }

  const again = (count: number, work: () => Promise<void>) =>
    Array.from({ length: count }, async () => {
      while (!isOver()) await work()
    })
  await Promise.all([
    ...again(SUBMITTERS, async () => {
      const project = pick(projects)
      const kind = randomInt(3)
      if (kind === 0) return submitPlain(project)
      return submitNamed(project, kind === 1 ? null : `f${randomInt(FINGERPRINTS)}`)
    }),
    ...again(TRIAGERS, triage),
    ...again(READERS, read),
  ])
  return { stored, named, notes, statuses }
}
