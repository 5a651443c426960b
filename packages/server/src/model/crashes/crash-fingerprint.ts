import { hash } from 'node:crypto'
import { framesOf, isForeign } from './stack-frames.ts'

/** Part of every fingerprint. A change to the rule below needs a new version, and creates a new issue for every crash. */
const VERSION = 2
const DIGEST_CHARS = 16
const MAX_MESSAGE_CHARS = 1_000
const MAX_PLACES = 3
/** Minifiers use up to three characters before they run out of names. */
const MINIFIED = /^[\w$]{0,3}$/

/**
 * Identifies a kind of failure across builds of the app: by its type, its message without values, and the top
 * frames in the app. A frame is a file without its hash, and a function unless its name is minified.
 */
export function crashFingerprint(name: string, message: string, stack: string): string {
  const frames = framesOf(stack, message)
  const own = frames.filter(({ file }) => !isForeign(file))
  const places = (own[0] ? own : frames).map(
    ({ file, call }) => `${stableFile(file)}:${MINIFIED.test(call) ? '' : call}`,
  )
  const type = MINIFIED.test(name) ? 'Error' : name.slice(0, 64)
  // Recursion and functions that a minifier inlines must not matter, so each frame counts once.
  const parts = [type, normaliseMessage(message), ...[...new Set(places)].slice(0, MAX_PLACES)]
  return `${VERSION}:${type}:${hash('sha256', parts.join('\n'), 'base64url').slice(0, DIGEST_CHARS)}`
}

/** The message without numbers, ids, addresses, quoted values and minified names. */
export function normaliseMessage(message: string): string {
  return (
    message
      .slice(0, MAX_MESSAGE_CHARS)
      // Engines quote the name of a property, which a minifier keeps: in `reading 'total'` it is not a value.
      .replace(
        /(reading|setting|property|evaluating)?(^|\W)("[^"\n]*"|'[^'\n]*'(?!\w)|`[^`\n]*`)/g,
        (all, kept, before) => (kept ? all : `${before}*`),
      )
      .replace(/[^\s"'`()[\]{},;<>=]+/g, normaliseWord)
  )
}

/** Handles one word at a time, so that no pattern runs over the whole text. */
function normaliseWord(word: string): string {
  if (/.@.|:\/\/|^\/./.test(word)) return '*'
  // 8 characters with a digit are an id, as are UUIDs and hashes.
  if (/\d/.test(word) && /^[\w-]{8,}\W*$/.test(word)) return '*'
  // `t.items` of one build is `n.items` of the next. It is not worth distinguishing `t` from `of`.
  return word.replace(/^[A-Za-z_$][\w$]?(?=$|\.\w)/, '?').replace(/\d+/g, '0')
}

/** The name of a file without folders, query and bundler hash; empty if it is only a hash. */
export function stableFile(file: string): string {
  const name = (
    file
      .replace(/[?#].*/, '')
      .split(/[\\/]/)
      .pop() ?? ''
  ).slice(0, 100)
  const [, stem = '', extension = ''] = /^(.*?)((?:\.[a-z]{2,8})?)$/.exec(name) ?? []
  return withoutHash(stem) + extension
}

/**
 * Vite and esbuild append 8 characters of any case, webpack and Parcel a hexadecimal number, Turbopack 13 characters that
 * begin with a digit. Some name a chunk by its number or hash alone.
 */
function withoutHash(stem: string): string {
  if (/^\d[\da-z_~-]{7,}$/.test(stem)) return ''
  const rest = stem
    .replace(/-(?:\d[\da-z_~-]{12}|(?=.*[A-Z\d])[\w-]{8})$/, '')
    .replace(/[-._](?=[a-f]*\d)[\da-f]{6,}(?=[._]|$)/g, '')
  return /^(?=.*\d)[\da-f]+$/.test(rest) ? '' : rest
}
