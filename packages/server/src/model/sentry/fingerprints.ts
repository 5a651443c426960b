import { MAX_FINGERPRINT_CHARS } from '@bugle/contract/vocabulary'
import { normaliseMessage } from '../crashes/crash-fingerprint.ts'
import { sign } from '../crashes/frame-fingerprint.ts'
import { textOf } from './values.ts'

const MAX_PARTS = 20
const MAX_PART_CHARS = 1_024
const DEFAULT = /^\{\{\s*default\s*\}\}$/

/** Equal messages without a stack are the same problem; a template is better than the message it produced. */
export function fingerprintOfMessage(template: string): string {
  return sign('message', [normaliseMessage(template)])
}

/**
 * The fingerprint that the SDK asks for. `{{ default }}` stands for ours. One text of its own is kept as it is, so that it can be
 * searched for and shared with reports of our SDK.
 */
export function chosenFingerprint(submitted: unknown, ours: string | undefined): string | undefined {
  const parts = Array.isArray(submitted)
    ? submitted.slice(0, MAX_PARTS).flatMap((part) => textOf(part, MAX_PART_CHARS) ?? [])
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
