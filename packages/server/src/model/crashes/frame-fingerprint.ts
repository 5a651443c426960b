import { hash } from 'node:crypto'
import type { SubmittedFrame } from '@bugle/contract'
import { MAX_FINGERPRINT_CHARS } from '@bugle/contract/vocabulary'
import { clip } from './clip-text.ts'
import { normaliseMessage, stableFile } from './crash-fingerprint.ts'

/** Part of every fingerprint. A change to the rules below needs a new version, and creates a new issue for every crash. */
const VERSION = 's1'
const DIGEST_CHARS = 16
const MAX_PLACES = 3
const MAX_TYPE_CHARS = 64
const MAX_NAME_CHARS = 200
/** Minifiers of JavaScript use up to three characters before they run out of names, those of Java two. */
const MINIFIED_SCRIPT = /^[\w$?]{0,3}$/
const MINIFIED = /^[\w$?]{0,2}$/
const SCRIPT = /^\w+:\/\/|\.[cm]?[jt]sx?$|\.vue$|\.bundle$/
const MINIFIED_MODULE_END = /(?:^|[.$])\w{1,2}(?:[.$]\w{1,2})*$/

/** A call, and where it is in machine code. */
export interface CrashFrame extends SubmittedFrame {
  /** The file of the machine code, and the offset of the call in it, if known. */
  readonly image?: { readonly name: string; readonly offset: string | undefined } | undefined
}

/** What a crash is grouped by. */
export interface Thrown {
  readonly type: string
  readonly value: string
  readonly frames: readonly CrashFrame[]
}

/**
 * Identifies a kind of failure: by its type and its top frames in the app. The message counts, without its values, only
 * if no frame has a name, because native messages contain addresses.
 */
export function fingerprintOfFrames({ type, value, frames }: Thrown): string {
  const own = frames.filter(({ inApp }) => inApp === true)
  const places = (own.length > 0 ? own : frames.filter(({ inApp }) => inApp !== false)).map(placeOf)
  // Recursion must not matter, so each frame counts once.
  const distinct = new Map(places.filter(({ text }) => text !== '').map((place) => [place.text, place]))
  const top = [...distinct.values()].slice(0, MAX_PLACES)
  const name = MINIFIED_SCRIPT.test(type) ? 'Error' : type.slice(0, MAX_TYPE_CHARS)
  const message = top.some(({ isNamed }) => isNamed) ? [] : [normaliseMessage(value)]
  return sign(name, [name, ...message, ...top.map(({ text }) => text)])
}

interface Place {
  readonly text: string
  /** Whether it identifies the code without the message. */
  readonly isNamed: boolean
}

function placeOf({ function: call, module, file, image }: CrashFrame): Place {
  const minified = SCRIPT.test(file ?? '') ? MINIFIED_SCRIPT : MINIFIED
  const name = minified.test(call ?? '') ? '' : (call ?? '').slice(0, MAX_NAME_CHARS)
  const where = module ?? stableFile(file ?? '')
  if (name !== '') return { text: `${where}:${name}`, isNamed: true }
  if (image?.offset !== undefined) return { text: `${image.name}+${image.offset}`, isNamed: true }
  const stable = module ? module.slice(0, MAX_NAME_CHARS).replace(MINIFIED_MODULE_END, '') : where
  return { text: stable === '' ? '' : `${stable}:`, isNamed: false }
}

/** A fingerprint with the version of these rules. */
export function sign(label: string, parts: readonly string[]): string {
  const digest = hash('sha256', parts.join('\n'), 'base64url').slice(0, DIGEST_CHARS)
  return clip(`${VERSION}:${label}:${digest}`, MAX_FINGERPRINT_CHARS)
}
