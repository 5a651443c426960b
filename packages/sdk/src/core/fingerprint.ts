import { MAX_FINGERPRINT_CHARS } from '@bugle/contract/vocabulary'

/** A line of a stack as V8 writes it, or as the others do. */
const FRAME = /^ +at .*:\d|@.*:\d/
/** In a frame: the word `at`, queries, lines, folders and hosts, the hashes that bundlers put into names, brackets. */
const NOISE =
  /^ +at (async )?|[?#][^\s:)]*|:\d+|[^\s(@]*[\\/]|[-.](?=[\w-]*[\dA-Z])[\w-]{8,}(?=\.\w)|[\s@()]/g

/**
 * Names a kind of failure, the same in every build of the app: the type of the error, and the functions and files of as
 * many top frames as there is room for. Where there are no frames the title has to do, without its numbers.
 */
export function fingerprintOf(name: string, title: string, stack: string): string {
  const frames = stack.split('\n').filter((line) => FRAME.test(line))
  const place = frames.map((line) => line.replace(NOISE, '')).join()
  return (place ? `${name}:${place}` : title.replace(/\d+/g, '0')).slice(0, MAX_FINGERPRINT_CHARS)
}
