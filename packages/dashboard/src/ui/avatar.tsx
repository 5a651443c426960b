import classes from './avatar.module.css'

interface AvatarProps {
  /** `undefined` if it is not known. */
  readonly name: string | undefined
  /** Whether the name is next to it, so that it need not be read out. */
  readonly isDecoration?: boolean
}

/** A person as a circle with initials. */
export function Avatar({ name, isDecoration = false }: AvatarProps) {
  // Drawn by the style, so that the initials are not part of the text.
  const look = { className: classes['avatar'], 'data-initials': initialsOf(name ?? '?') }
  if (isDecoration) return <span {...look} aria-hidden="true" />
  const text = `Assigned to ${name ?? 'someone'}`
  return <span {...look} role="img" aria-label={text} title={text} />
}

const GRAPHEMES = new Intl.Segmenter()

/** The first letters of the first and the last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map((word = '') => firstOf(word)).join('')
}

function firstOf(word: string): string {
  const [first] = GRAPHEMES.segment(word)
  return first?.segment.toUpperCase() ?? ''
}
