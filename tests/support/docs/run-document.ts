import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { freePort } from '../../../packages/server/test-support/free-port.ts'
import { type Block, isPicture, readBlocks } from './blocks.ts'
import { makeClone } from './clone.ts'
import { findDifference, lastAnswerIn } from './compare-answer.ts'
import { openPageOf } from './page.ts'
import { isOnThisMachine, openSession, type Session } from './session.ts'

export interface Workshop {
  /** The folder of the built SDK. */
  readonly sdk: string
  readonly browser: Browser
}

/** The result of a block. `read`: it is data, and was parsed in its format. */
export interface Outcome {
  readonly block: Block
  readonly kind: 'run' | 'read' | 'not run' | 'picture'
  readonly reason?: string
}

const PORTS = 3
/** The document whose commands use the real npx: the one that is read first. */
const WITH_NPX = 'README.md'

/** Runs a document from its first block to its last, as a reader with only a clone. Fails at the first block that does not work. */
export async function runDocument(
  path: string,
  document: string,
  { sdk, browser }: Workshop,
): Promise<readonly Outcome[]> {
  const blocks = readBlocks(path, document)
  const pages = blocks.filter((block) => block.isForPages && block.notRun === undefined)
  const [first] = [...blocks.filter(claimsToRun), ...pages]
  if (first === undefined) return blocks.map(outcomeOfRest)

  using clone = makeClone({ sdk, hasNpx: path === WITH_NPX })
  await using session = openSession(clone, await Promise.all(Array.from({ length: PORTS }, freePort)))
  if (!first.isBackground && blocks.some(namesServer)) await session.startServer()
  const outcomes: Outcome[] = []
  let answered: Outcome & { printed?: string } = { block: first, kind: 'not run' }
  for (const block of blocks) {
    if (block.isAnswer && answered.kind === 'run') await compare(block, answered.printed ?? '', session)
    if (!claimsToRun(block)) {
      outcomes.push(outcomeOfRest(block))
      continue
    }
    answered = await runBlock(block, session, clone.path)
    outcomes.push(answered)
  }
  if (pages.length > 0) await openPageOf(pages, { session, sdk, browser })
  return outcomes
}

async function runBlock(
  block: Block,
  session: Session,
  folder: string,
): Promise<Outcome & { printed?: string }> {
  const { needs, file } = block
  if (needs !== undefined && !isOnThisMachine(needs))
    return { block, kind: 'not run', reason: `this machine has no ${needs}` }
  if (file !== undefined) writeFileSync(join(folder, file), await session.fill(block.text))
  else if (block.isBackground) await session.start(block)
  else return { block, kind: 'run', printed: await runAndCount(block, session) }
  return { block, kind: 'run' }
}

/** The SDK never throws, so its reports have to be on the server afterwards. */
async function runAndCount(block: Block, session: Session): Promise<string> {
  const isReport = block.text.includes('@bugle/sdk') && /\breport\(/.test(block.text)
  const before = isReport ? await countReports(session) : 0
  const printed = await session.run(block)
  if (isReport && (await countReports(session)) === before)
    throw new Error(`${block.place}: the report did not arrive`)
  return printed
}

async function countReports({ url, keys }: Session): Promise<number> {
  const headers = { authorization: `Bearer ${keys.secretKey}` }
  const answer = await fetch(`${url}/v1/projects/demo/stats`, { headers })
  const { totals } = (await answer.json()) as { totals: { reports: number } }
  return totals.reports
}

async function compare(block: Block, printed: string, session: Session): Promise<void> {
  const shown: unknown = JSON.parse(await session.fill(block.text))
  const difference = findDifference(shown, lastAnswerIn(printed))
  if (difference !== undefined) throw new Error(`${block.place}: ${difference}`)
}

/** Whether it uses the server or its database. */
function namesServer({ text }: Block): boolean {
  return /127\.0\.0\.1:4000|bugs\.example\.com|bugle|bgl_|iss_…/i.test(text)
}

function claimsToRun(block: Block): boolean {
  return block.notRun === undefined && block.language !== 'json' && !isPicture(block) && !block.isForPages
}

function outcomeOfRest(block: Block): Outcome {
  if (block.notRun !== undefined) return { block, kind: 'not run', reason: block.notRun }
  if (isPicture(block)) return { block, kind: 'picture' }
  if (block.isForPages) return { block, kind: 'run' }
  try {
    JSON.parse(block.text)
  } catch (cause) {
    throw new Error(`${block.place}: this is no JSON`, { cause })
  }
  return { block, kind: 'read' }
}
