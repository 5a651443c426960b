/** Several values in one parameter are separated by commas. In a value, `\,` is a comma and `\\` a backslash; any other backslash is literal. */
export function splitList(text: string): string[] {
  if (!text.includes('\\')) return text.split(',')
  const values = ['']
  for (const [part] of text.matchAll(/\\[\\,]|[^\\,]+|\\|,/g)) {
    if (part === ',') values.push('')
    else values[values.length - 1] += part === '\\,' || part === '\\\\' ? part.slice(1) : part
  }
  return values
}

/** The inverse of {@link splitList}. */
export function joinList(values: readonly unknown[]): string {
  return values.map((value) => String(value).replaceAll(/[\\,]/g, '\\$&')).join(',')
}
