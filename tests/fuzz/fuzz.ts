import fc from 'fast-check'
import type { CommitWatch } from './database.ts'
import { rememberIds } from './ids.ts'
import { createJudge, type FuzzAnswer } from './judge.ts'
import { knownValues } from './known-values.ts'
import { fetchDocument, operationsOf } from './openapi.ts'
import { createRequests, type FuzzRequest } from './requests.ts'
import { callerOf, createResolve } from './resolve.ts'
import { createSender, type Outgoing } from './send.ts'
import { createValues } from './values.ts'
import type { World } from './world.ts'

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  readonly onProgress?: (sent: number) => void
}

/** A request and its response. */
export interface FuzzReport {
  readonly sent: number
  readonly accepted: number
  readonly refused: number
  readonly mangled: number
  /** Operation, status and code → how often. */
  readonly outcomes: ReadonlyMap<string, number>
}

interface Target {
  readonly url: string
  /** The watch on the server's database, to check that nothing is written. */
  readonly commits: CommitWatch
  readonly world: World
  readonly receiverUrl: string
}

/** The server also writes on its own: a refused request is repeated until no such write interferes. */
const MAX_REPEATS = 50

const TRY_LATER: readonly number[] = [429, 503]

/** Sends requests generated from the server's own document, and fails with the shortest one whose response is not as documented. */
export async function fuzz(
  { url, commits, world, receiverUrl }: Target,
  { requests, seed, onProgress }: FuzzOptions,
): Promise<FuzzReport> {
  const document = await fetchDocument(url)
  const judge = createJudge(document)
  const ids = rememberIds(world.projects)
  const resolve = createResolve(world, ids)
  const tally = { sent: 0, accepted: 0, refused: 0, mangled: 0, outcomes: new Map<string, number>() }
  await using sender = createSender(url)

  async function sendOne(request: FuzzRequest): Promise<void> {
    tally.sent++
    onProgress?.(tally.sent)
    const outgoing = resolve(request)
    await (request.mangling.length > 0 ? sendMangled(request, outgoing) : sendWhole(request, outgoing))
  }

  async function sendMangled({ mangling }: FuzzRequest, outgoing: Outgoing): Promise<void> {
    tally.mangled++
    for (const answer of await sender.sendMangled(outgoing, mangling)) {
      // Only the response shows which method it still had.
      complain(judge(answer, answer.text === '' ? 'HEAD' : 'GET', null), answer, outgoing)
    }
  }

  async function sendWhole(request: FuzzRequest, outgoing: Outgoing): Promise<void> {
    const { operation, method } = request
    const before = await commits.version()
    const answer = await sender.send(outgoing)
    complain(judge(answer, method, operation), answer, outgoing)
    const called = operation?.method === method ? operation : null
    count(called?.operationId ?? 'elsewhere', answer)
    ids.learn(called, answer)
    if (answer.status < 400) {
      tally.accepted++
      await removeSurplus()
      return
    }
    tally.refused++
    if ((await commits.version()) !== before) await expectNothingWritten(outgoing, answer)
    if (answer.status === 401) await callerOf(world, request)?.renew?.()
  }

  async function expectNothingWritten(outgoing: Outgoing, refusal: FuzzAnswer): Promise<void> {
    for (let repeat = 0; repeat < MAX_REPEATS; repeat++) {
      const before = await commits.quiet()
      const answer = await sender.send(outgoing)
      if (answer.status < 400) {
        // It was refused only temporarily, such as a sign-in after too many others, or a delivery that the server was still sending.
        if (TRY_LATER.includes(refusal.status) || outgoing.path.includes('/deliveries/')) return
        complain(['is a success where it was a refusal'], answer, outgoing)
      }
      if ((await commits.version()) === before) return
    }
    throw new Error(`the database changes with a request that is refused: ${JSON.stringify(outgoing)}`)
  }

  function count(name: string, { status, text }: FuzzAnswer): void {
    const code = /"code":"([a-z-]+)","requestId"/.exec(text)?.[1] ?? ''
    const outcome = `${name} ${status} ${code}`.trim()
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1)
  }

  async function removeSurplus(): Promise<void> {
    const id = ids.takeSurplusWebhook()
    if (id === undefined) return
    for (const { headers } of world.callers)
      await sender.send({ method: 'DELETE', path: `/v1/webhooks/${id}`, headers, body: null })
  }

  const values = createValues(document.components.schemas, knownValues(world, receiverUrl))
  const arbitrary = createRequests(operationsOf(document), values)
  await fc.assert(fc.asyncProperty(arbitrary, sendOne), { seed, numRuns: requests })
  return tally
}

function complain(faults: readonly string[], answer: FuzzAnswer, outgoing: Outgoing): void {
  if (faults.length === 0) return
  const { status, headers, text } = answer
  const shown = JSON.stringify({ status, headers, text: text.slice(0, 2_000) }, null, 2)
  throw new Error(`the answer ${faults.join('; ')}\n${shown}\nto ${JSON.stringify(outgoing).slice(0, 5_000)}`)
}
