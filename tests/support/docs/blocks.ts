/** A fenced block of a document. */
export interface Block {
  /** As "docs/api.md:12". */
  readonly place: string
  readonly language: string
  readonly text: string
  /** Why it is not run; `undefined`: it is run. */
  readonly notRun: string | undefined
  /** It runs until the document ends. */
  readonly isBackground: boolean
  /** It shows a command that fails. */
  readonly fails: boolean
  /** It shows the response to the previous block. */
  readonly isAnswer: boolean
  /** It runs in a page. */
  readonly isForPages: boolean
  /** It is only saved, under this name. */
  readonly file: string | undefined
  /** A command that may not be installed. */
  readonly needs: string | undefined
}

/** Blocks that are not code: diagrams and output of programs. */
const PICTURES: readonly string[] = ['mermaid', 'text']
const LANGUAGES: readonly string[] = ['sh', 'js', 'ts', 'python', 'go', 'json', 'html', ...PICTURES]
const WORDS: readonly string[] = ['background', 'fails', 'answer', 'browser']

const FENCED = /^( *)```(.*)\n([\s\S]*?)^\1```$/gm

/**
 * The fenced blocks of a document. After the language, the opening line may contain how it is run: `background`, `fails`, `answer`,
 * `browser`, `file=NAME`, `needs=COMMAND`, or `no-run: REASON`. Anything else is an error in the document.
 */
export function readBlocks(path: string, document: string): readonly Block[] {
  return [...document.matchAll(FENCED)].map((match) => {
    const [, indent = '', info = '', content = ''] = match
    const place = `${path}:${document.slice(0, match.index).split('\n').length}`
    const text = content.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    return { place, text, ...readInfo(place, info) }
  })
}

export function isPicture({ language }: Block): boolean {
  return PICTURES.includes(language)
}

function readInfo(place: string, info: string): Omit<Block, 'place' | 'text'> {
  const [, language = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(info.trim()) ?? []
  const [, notRun] = /^no-run: (\S.*)$/.exec(rest) ?? []
  const words = notRun === undefined ? rest.split(/\s+/).filter((word) => word !== '') : []
  const settings = Object.fromEntries(words.filter(isSetting).map((word) => word.split('=')))
  const strange = words.find((word) => !WORDS.includes(word) && !isSetting(word))
  if (strange !== undefined) throw new Error(`${place}: "${strange}" says nothing about how a block is run`)
  if (notRun === undefined && !LANGUAGES.includes(language))
    throw new Error(`${place}: there is no way to run "${language}". Say "no-run: " and the reason.`)
  return {
    language,
    notRun,
    isBackground: words.includes('background'),
    fails: words.includes('fails'),
    isAnswer: words.includes('answer'),
    isForPages: language === 'html' || words.includes('browser'),
    file: settings['file'],
    needs: settings['needs'],
  }
}

function isSetting(word: string): boolean {
  return /^(?:file|needs)=\S+$/.test(word)
}
