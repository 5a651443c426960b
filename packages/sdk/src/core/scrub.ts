const REDACTED = '$1[redacted]'

/** What does not belong in text that a machine wrote: each pattern, and what stays of it. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // The user, query and fragment of an address, up to the line number that follows it in a stack.
  [/(:\/\/)(?:[^\s/@]+@)?([^\s?#)]+)(?:[?#][^\s)]*?(?=(:\d+)*([\s)]|$)))?/g, '$1$2'],
  [
    /((?:token|secret|passw\w*|api.?key|auth\w*|session\w*)["']?[=:] ?["']?(?:bearer |basic )?|bearer |basic )[^\s"'&,;)]+/gi,
    REDACTED,
  ],
  // JSON web tokens, and keys that say what they are.
  [/()\b(?:eyJ|bgl_sec|sk[-_]|gh\w_|xox\w-)[\w.-]{12,}/g, REDACTED],
]

/** Takes credentials out of machine text. What a person typed is never rewritten. */
export function scrub(text: string): string {
  return SECRETS.reduce((clean, [pattern, rest]) => clean.replace(pattern, rest), text)
}
