/** The kinds of tokens; the style sheet gives each its colour. */
export type CodeKind = 'comment' | 'string' | 'keyword' | 'name' | 'number' | 'plain'

export interface CodePiece {
  readonly kind: CodeKind
  readonly text: string
}

/** One pattern for each kind, tried in this order at every position. */
type Grammar = readonly (readonly [kind: CodeKind, pattern: RegExp])[]

const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\.)*"/
const SINGLE_QUOTED = /'(?:[^'\\\n]|\\.)*'/
const NUMBER = /\b\d[\d_]*(?:\.\d+)?\b/
const HASH_COMMENT = /(?<=^|\s)#[^\n]*/
const SLASH_COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//

const SHELL: Grammar = [
  ['comment', HASH_COMMENT],
  // Strings of a shell may span lines: JSON in a request is written that way.
  ['string', /"(?:[^"\\]|\\.)*"|'[^']*'/],
  ['name', /\$\w+|\$\{[^}\n]*\}|(?<=^|\s)[A-Z][A-Z0-9_]*(?==)/m],
  [
    'keyword',
    /(?<=^|[\n|;&(]\s*)(?:export|cd|curl|npx|npm|node|docker|sudo|psql|echo|jq|python3|go)(?=\s|$)/,
  ],
  ['number', /(?<=\s)--?[A-Za-z][\w-]*/],
]
const JSON_GRAMMAR: Grammar = [
  ['name', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/],
  ['string', DOUBLE_QUOTED],
  ['number', NUMBER],
  ['keyword', /\b(?:true|false|null)\b/],
]
const SCRIPT: Grammar = [
  ['comment', SLASH_COMMENT],
  ['string', /`(?:[^`\\]|\\.)*`/],
  ['string', DOUBLE_QUOTED],
  ['string', SINGLE_QUOTED],
  [
    'keyword',
    /\b(?:as|async|await|catch|class|const|else|export|false|for|from|function|if|import|in|let|new|null|of|return|throw|true|try|type|typeof|undefined|while)\b/,
  ],
  ['number', NUMBER],
  ['name', /\b[\w$]+(?=\()/],
]
const PYTHON: Grammar = [
  ['comment', HASH_COMMENT],
  ['string', DOUBLE_QUOTED],
  ['string', SINGLE_QUOTED],
  [
    'keyword',
    /\b(?:as|class|def|elif|else|except|False|for|from|if|import|in|is|None|not|or|and|pass|raise|return|self|True|try|while|with)\b/,
  ],
  ['number', NUMBER],
  ['name', /\b\w+(?=\()/],
]
const GO: Grammar = [
  ['comment', SLASH_COMMENT],
  ['string', /`[^`]*`/],
  ['string', DOUBLE_QUOTED],
  [
    'keyword',
    /\b(?:break|case|const|continue|defer|else|for|func|go|if|import|nil|package|range|return|string|struct|switch|type|var)\b/,
  ],
  ['number', NUMBER],
  ['name', /\b\w+(?=\()/],
]
const SQL: Grammar = [
  ['comment', /--[^\n]*/],
  ['string', SINGLE_QUOTED],
  [
    'keyword',
    /\b(?:alter|and|as|by|create|delete|from|grant|group|in|insert|into|limit|not|on|or|order|role|select|set|system|table|to|update|user|values|where|with)\b/i,
  ],
  ['number', NUMBER],
]
const HTML: Grammar = [
  ['comment', /<!--[\s\S]*?-->/],
  ['string', DOUBLE_QUOTED],
  ['keyword', /<\/?[a-z][\w-]*|\/?>/],
  ['name', /(?<=\s)[a-z][\w-]*(?==)/],
]
const YAML: Grammar = [
  ['comment', HASH_COMMENT],
  ['name', /(?<=^|[\n\s])[\w-]+(?=:(?:\s|$))/],
  ['string', DOUBLE_QUOTED],
  ['string', SINGLE_QUOTED],
  ['number', NUMBER],
]

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  sh: SHELL,
  json: JSON_GRAMMAR,
  js: SCRIPT,
  ts: SCRIPT,
  python: PYTHON,
  go: GO,
  sql: SQL,
  html: HTML,
  yaml: YAML,
}

/** Languages that are coloured. */
export const HIGHLIGHTED_LANGUAGES: readonly string[] = Object.keys(GRAMMARS)

/** Splits code into pieces that, joined again, are the code. An unknown language is one plain piece. */
export function highlight(text: string, language: string): readonly CodePiece[] {
  const grammar = GRAMMARS[language]
  if (grammar === undefined) return [{ kind: 'plain', text }]
  const anything = new RegExp(grammar.map(([, { source }]) => `(${source})`).join('|'), flagsOf(grammar))
  const pieces: CodePiece[] = []
  let end = 0
  for (const match of text.matchAll(anything)) {
    if (match.index > end) pieces.push({ kind: 'plain', text: text.slice(end, match.index) })
    const which = match.slice(1).findIndex((group) => group !== undefined)
    pieces.push({ kind: grammar[which]?.[0] ?? 'plain', text: match[0] })
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ kind: 'plain', text: text.slice(end) })
  return pieces
}

function flagsOf(grammar: Grammar): string {
  return grammar.some(([, { ignoreCase }]) => ignoreCase) ? 'gi' : 'g'
}
