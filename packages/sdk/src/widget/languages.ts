import type { LoadPart } from './messages.ts'

/** Bundlers make a chunk of each, which a page loads only if it needs it. */
const parts: Readonly<Record<string, () => ReturnType<LoadPart>>> = {
  de: () => import('./languages/de.ts'),
  es: () => import('./languages/es.ts'),
  fr: () => import('./languages/fr.ts'),
  ja: () => import('./languages/ja.ts'),
  pt: () => import('./languages/pt.ts'),
  zh: () => import('./languages/zh.ts'),
}

export default parts
