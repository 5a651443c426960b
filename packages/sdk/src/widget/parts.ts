import type { LoadPart } from './messages.ts'

/** Bundlers make a chunk of each, which a page loads only if it needs it. The list is one too. */
const parts: Readonly<Record<string, () => ReturnType<LoadPart>>> = {
  de: () => import('./languages/de.ts'),
  es: () => import('./languages/es.ts'),
  fr: () => import('./languages/fr.ts'),
  ja: () => import('./languages/ja.ts'),
  pt: () => import('./languages/pt.ts'),
  zh: () => import('./languages/zh.ts'),
  extras: () => import('./extras.ts'),
  attach: () => import('./attach/attach.ts'),
  editor: () => import('./editor/editor.ts'),
  'my-reports': () => import('./my-reports/my-reports.ts'),
  suggestions: () => import('./suggestions/suggestions.ts'),
}

export default parts
