import { randomUUID } from 'node:crypto'
import { PRIORITIES } from '@bugle/contract/vocabulary'
import type { Random } from '../../packages/server/src/demo/random.ts'
import type { Keys } from './start-server.ts'

export interface Submission {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether it has a valid key: others belong to no project. */
  readonly isOfProject: boolean
}

/** Why some of them are refused. */
export const REFUSALS = [
  'content-too-large',
  'insufficient-scope',
  'invalid-parameter',
  'malformed-body',
  'secret-key-in-browser',
  'submission-conflict',
  'unsupported-media-type',
  'validation-failed',
]

/** Creates submissions of every kind that an app or another client may send. */
export function createSubmissions(random: Random, keys: Keys, readingKey: string): () => Submission {
  /** Submissions with an id, to be repeated. */
  const named: { readonly submissionId: string; readonly title: string }[] = []

  return () => {
    const key = random.chance(0.75) ? keys.secretKey : keys.publicKey
    const report = makeReport(random)
    const json = (body: object, headers: Record<string, string> = {}) => ({
      ...raw(JSON.stringify(body), key),
      headers: { ...jsonWith(key), ...headers },
    })
    const kind = random.pickWeighted(KINDS)
    const earlier = named.length > 0 ? random.pick(named) : undefined
    switch (kind) {
      case 'named': {
        const submission = { ...report, submissionId: randomUUID() }
        named.push(submission)
        return json(submission)
      }
      case 'grouped':
        return json({ ...report, fingerprint: `f${random.integer(1, 300)}` })
      case 'replayed':
        return json(earlier ?? report)
      case 'replayed by header': {
        const { submissionId = randomUUID(), ...rest } = earlier ?? { ...report, submissionId: undefined }
        return json(rest, { 'idempotency-key': `"${submissionId}"` })
      }
      case 'conflicting':
        return json({ ...earlier, title: 'Something else' })
      case 'invalid':
        return json(
          random.pick([{ ...report, title: ' ' }, { ...report, titel: 'x' }, [report], { ...report, id: 1 }]),
        )
      case 'two names':
        return json({ ...report, submissionId: 'one' }, { 'idempotency-key': 'other' })
      case 'bad name':
        return json(report, { 'idempotency-key': 'x'.repeat(129) })
      case 'malformed':
        return raw(random.pick(['{"title": ', '', 'title=Blank', '\0']), key)
      case 'too large':
        return json({ ...report, description: 'x'.repeat(300_000) })
      case 'wrong type':
        return json(report, { 'content-type': 'application/xml' })
      case 'encoded':
        return json(report, { 'content-encoding': 'gzip' })
      case 'from a page':
        return {
          ...raw(JSON.stringify(report), keys.secretKey),
          headers: { ...jsonWith(keys.secretKey), origin: 'https://app.example' },
        }
      case 'unscoped':
        return raw(JSON.stringify(report), readingKey)
      case 'from a form':
        return { ...form({ ...report, publicKey: keys.publicKey }), isOfProject: true }
      case 'bad from a form':
        return { ...form({ ...report, category: 'meltdown', publicKey: keys.publicKey }), isOfProject: true }
      case 'form without key':
        return { ...form(report), isOfProject: false }
      case 'wrong key':
        return { ...raw(JSON.stringify(report), `${key.slice(0, -1)}_`), isOfProject: false }
      default:
        return json(report)
    }
  }
}

const KINDS = {
  ...{
    plain: 30,
    named: 12,
    grouped: 16,
    replayed: 8,
    'replayed by header': 4,
    conflicting: 4,
    'from a form': 4,
  },
  ...{ invalid: 5, 'two names': 2, 'bad name': 2, malformed: 4, 'too large': 1, 'wrong type': 2, encoded: 1 },
  ...{ unscoped: 2, 'from a page': 1, 'bad from a form': 1, 'form without key': 1, 'wrong key': 0.1 },
}

function makeReport(random: Random) {
  return {
    title: `Report ${random.integer(1, 1_000_000)}`,
    category: random.pickWeighted({ bug: 6, crash: 2, performance: 1, ui_ux: 1, security: 2 }),
    priority: random.pick(PRIORITIES),
    platform: random.pick(['ios', 'Android', 'web', null]),
    appVersion: random.chance(0.2) ? null : `1.${Math.floor(random.fraction() ** 2 * 40)}`,
  }
}

export function raw(body: string, key: string): Submission {
  return { headers: jsonWith(key), body, isOfProject: true }
}

function form(body: object): Pick<Submission, 'headers' | 'body'> {
  return { headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: JSON.stringify(body) }
}

export function jsonWith(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
}
