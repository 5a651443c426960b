import type { AttachMessages } from './attach/attach-messages.ts'
import type { EditorMessages } from './editor/editor-messages.ts'
import type { ReportsMessages } from './my-reports/reports-messages.ts'
import type { SuggestionsMessages } from './suggestions/suggestions-messages.ts'

/** The texts of the widget. */
export interface Messages {
  readonly open: string
  readonly heading: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly categories: Readonly<Record<string, string>>
  readonly submit: string
  readonly close: string
  readonly sending: string
  readonly sent: string
  /** Comes before the number of the issue. */
  readonly issue: string
  readonly offline: string
  readonly queued: string
  readonly dropped: string
  /** The same, if the project accepts no reports. */
  readonly disabled: string
  readonly retry: string
  /** What is sent in addition to what the person enters: with and without where the report comes from. */
  readonly included: string
  readonly includedDevice: string
  /** The same for the trail; starts with a comma. */
  readonly trail: string
  /** English for these is in the parts that use them. */
  readonly attach?: Partial<AttachMessages> | undefined
  readonly editor?: Partial<EditorMessages> | undefined
  readonly reports?: Partial<ReportsMessages> | undefined
  readonly suggestions?: Partial<SuggestionsMessages> | undefined
  readonly email?: string | undefined
  /** Names of the fields that are sent; a field without one is named after itself. */
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/** Some or all texts of a language. */
export type GivenMessages = { readonly [K in keyof Messages]?: Messages[K] | undefined }

/** Loads a part that is not built in: the texts of a language by its code, or a file of `parts.ts`. `undefined` if there is none. */
export type LoadPart = (name: string) => Promise<{ readonly default: unknown } | undefined> | undefined

const LOAD_MS = 3_000

const ENGLISH: Messages = {
  open: 'Report a problem',
  heading: 'Report a problem',
  title: 'What is wrong?',
  description: 'What did you do, and what happened?',
  category: 'Kind of problem',
  categories: {
    bug: 'Something does not work',
    crash: 'It crashed',
    performance: 'It is slow',
    ui_ux: 'It looks wrong',
    security: 'Security concern',
  },
  submit: 'Send report',
  close: 'Close',
  sending: 'Sending…',
  sent: 'Thank you! Your report has arrived.',
  issue: 'Issue #',
  offline: 'Saved. It will be sent when you are online.',
  queued: 'Saved. It will be sent as soon as possible.',
  dropped: 'The report was not accepted. Your text is still here.',
  disabled: 'Reports are not accepted at the moment. Your text is still here.',
  retry: 'Retry',
  included: 'Also sent: app version, device, page address',
  includedDevice: 'Also sent: app version, device',
  trail: ', your last steps',
}

/**
 * The texts for a language: those that the app gave, then those that come with the SDK, then English. `de-AT` also takes
 * the texts of `de`.
 */
export async function findMessages(
  language: string,
  given: Readonly<Record<string, GivenMessages>>,
  load: LoadPart,
): Promise<Messages> {
  const parts: (GivenMessages | undefined)[] = []
  let code = ''
  for (const subtag of language.split('-')) {
    code += (code && '-') + subtag
    // English is built in.
    if (!/^en\b/.test(code)) parts.push((await loadSoon(code, load)) as GivenMessages)
    parts.push(given[code])
  }
  return merge([ENGLISH, ...(parts.some(Boolean) ? parts : [given['en']])])
}

/** The language of the page at this element: the nearest `lang`, also outside of the shadow tree that it is in. */
export function languageOf(host: Element): string {
  for (let node: Element | undefined = host; node; node = parentOf(node)) {
    const { lang } = node as HTMLElement
    if (lang) return lang
  }
  return navigator.language
}

/** The parent of an element; of the top of a shadow tree, its host. */
export function parentOf(node: Element): Element | undefined {
  return node.parentElement ?? (node.getRootNode() as Partial<ShadowRoot>).host
}

/** A part, if it arrives soon. */
export async function loadSoon(name: string, load: LoadPart): Promise<unknown> {
  try {
    const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, LOAD_MS))
    return (await Promise.race([load(name), timeout]))?.default
  } catch {
    // Offline, or not allowed by the page's policy.
    return undefined
  }
}

/** Later texts replace earlier ones, one by one. */
function merge(parts: readonly (GivenMessages | undefined)[]): Messages {
  const merged: Record<string, unknown> = {}
  for (const part of parts)
    for (const [name, text] of Object.entries(part ?? {}))
      if (text) merged[name] = typeof text === 'string' ? text : { ...Object(merged[name]), ...text }
  return merged as unknown as Messages
}
