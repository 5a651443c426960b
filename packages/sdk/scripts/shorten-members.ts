import type { Plugin } from 'rolldown'
import { minifySync } from 'rolldown/utils'

/**
 * Members that only the parts of the SDK use among themselves. No app, no server and no platform knows them, so what is
 * published has short names for them: bundlers shorten variables, but never members.
 */
const INTERNAL_MEMBERS = [
  'abortAll',
  'adopted',
  'capture',
  'configs',
  'core',
  'count',
  'current',
  'device',
  'drain',
  'drop',
  'finish',
  'isInFlight',
  'isOnline',
  'isVolatile',
  'known',
  'later',
  'leaveCounts',
  'ledger',
  'milliseconds',
  'obstacle',
  'openStore',
  'own',
  'putBack',
  'putNow',
  'queue',
  'readAll',
  'readDevice',
  'readNow',
  'refresh',
  'retryAfter',
  'runAlone',
  'sdkName',
  'sender',
  'sendNow',
  'soon',
  'store',
  'take',
  'wait',
  'wake',
  'watchLife',
]

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The same letter in every file that is built. */
const SHORT_NAMES = Object.fromEntries(INTERNAL_MEMBERS.map((name, index) => [name, LETTERS.charAt(index)]))

/** Shortens internal members, and changes nothing else. */
export function shortenMembers(): Plugin {
  const include = new RegExp(`^(${INTERNAL_MEMBERS.join('|')})$`)
  return {
    name: 'shorten-members',
    renderChunk(source, { fileName }) {
      const { code, errors } = minifySync(fileName, source, {
        compress: false,
        mangle: false,
        codegen: { removeWhitespace: false },
        mangleProps: { include, cache: SHORT_NAMES },
      })
      if (errors.length > 0) throw new Error(`${fileName} can not be shortened: ${errors[0]?.message}`)
      return code
    },
  }
}
