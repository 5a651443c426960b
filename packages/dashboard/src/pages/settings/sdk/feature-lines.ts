interface Feature {
  readonly name: string
  readonly value: boolean | number | string
}

/** Features as lines of text. A text that looks like something else is quoted. */
export function featuresText(features: readonly Feature[]): string {
  return features.map(({ name, value }) => `${name}=${valueText(value)}`).join('\n')
}

/** The features in lines of text. */
export function featuresIn(text: string): Feature[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...value] = line.split('=')
      return { name: name.trim(), value: valueIn(value.join('=').trim()) }
    })
}

function valueText(value: Feature['value']): string {
  if (typeof value !== 'string') return String(value)
  return valueIn(value) === value && !value.includes('\n') && value === value.trim()
    ? value
    : JSON.stringify(value)
}

/** `true`, `false` and numbers as such, everything else as text, quoted or not. */
function valueIn(text: string): Feature['value'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string' ? value : text
  } catch {
    // Anything that is not JSON is taken as text.
    return text
  }
}
