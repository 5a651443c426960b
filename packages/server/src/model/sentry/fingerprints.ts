import { hash } from 'node:crypto'
import { MAX_FINGERPRINT_CHARS } from '@bugle/contract/vocabulary'
import { normaliseMessage, stableFile } from '../crashes/crash-fingerprint.ts'
import type { SentryFrame } from './frames.ts'
import { clip, textOf } from './values.ts'

/** Part of every fingerprint. A change to the rules below needs a new version, and creates a new issue for every crash. */
const VERSION = 's1'
const DIGEST_CHARS = 16
const MAX_PLACES = 3
const MAX_TYPE_CHARS = 64
const MAX_PARTS = 20
const MAX_PART_CHARS = 1_024
/** Minifiers use up to three characters before they run out of names. */
const MINIFIED = /^[\w$?]{0,3}$/
const DEFAULT = /^\{\{\s*default\s*\}\}$/

/** What a crash is grouped by. */
export interface Thrown {
  readonly type: string
  readonly value: string
  readonly frames: readonly SentryFrame[]
}

/**
 * Identifies a kind of failure: by its type and its top frames in the app. The message counts, without its values, only
 * if no frame has a name, because native messages contain addresses.
 */
export function fingerprintOfCrash({ type, value, frames }: Thrown): string {
  const own = frames.filter(({ inApp }) => inApp === true)
  const places = (own.length > 0 ? own : frames.filter(({ inApp }) => inApp !== false)).map(placeOf)
  // Recursion must not matter, so each frame counts once.
  const top = [...new Set(places.filter(({ text }) => text !== ''))].slice(0, 2 * MAX_PLACES)
  const texts = [...new Set(top.map(({ text }) => text))].slice(0, MAX_PLACES)
  const name = MINIFIED.test(type) ? 'Error' : type.slice(0, MAX_TYPE_CHARS)
  const message = top.some(({ isNamed }) => isNamed) ? [] : [normaliseMessage(value)]
  return sign(name, [name, ...message, ...texts])
}

/** Equal messages without a stack are the same problem; a template is better than the message it produced. */
export function fingerprintOfMessage(template: string): string {
  return sign('message', [normaliseMessage(template)])
}

interface Place {
  readonly text: string
  /** Whether it identifies the code without the message. */
  readonly isNamed: boolean
}

function placeOf({ function: call = '', module, file, image }: SentryFrame): Place {
  const name = MINIFIED.test(call) ? '' : call.slice(0, 200)
  const where = module ?? stableFile(file ?? '')
  if (name !== '') return { text: `${where}:${name}`, isNamed: true }
  if (image?.offset !== undefined) return { text: `${image.name}+${image.offset}`, isNamed: true }
  return { text: where === '' ? '' : `${where}:`, isNamed: false }
}

/**
 * The fingerprint that the SDK asks for. `{{ default }}` stands for ours. One text of its own is kept as it is, so that it can be
 * searched for and shared with reports of our SDK.
 */
export function chosenFingerprint(wish: unknown, ours: string | undefined): string | undefined {
  const parts = Array.isArray(wish)
    ? wish.slice(0, MAX_PARTS).flatMap((part) => textOf(part, MAX_PART_CHARS) ?? [])
    : []
  const [first] = parts
  if (first === undefined) return ours
  if (parts.length === 1 && DEFAULT.test(first)) return ours
  if (parts.length === 1 && Array.from(first).length <= MAX_FINGERPRINT_CHARS) return first
  return sign(
    'custom',
    parts.map((part) => (DEFAULT.test(part) ? (ours ?? 'default') : part)),
  )
}

function sign(label: string, parts: readonly string[]): string {
  const digest = hash('sha256', parts.join('\n'), 'base64url').slice(0, DIGEST_CHARS)
  return clip(`${VERSION}:${label}:${digest}`, MAX_FINGERPRINT_CHARS)
}
