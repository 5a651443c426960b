/** What browsers announce though nothing went wrong, or without saying what went wrong in a script of another origin. */
const NOISE = ['ResizeObserver loop', 'Error: Script error.']

/** Whether an error is not to be reported: an uncaught one is noise, or the app ignores it. */
export function isIgnored(
  title: string,
  isHandled: boolean,
  ignoreErrors: readonly (string | RegExp)[] = [],
): boolean {
  const patterns = isHandled ? ignoreErrors : [...NOISE, ...ignoreErrors]
  return patterns.some((pattern) =>
    // Unlike `test`, `search` does not remember where a global pattern matched last.
    typeof pattern === 'string' ? title.includes(pattern) : title.search(pattern) >= 0,
  )
}
