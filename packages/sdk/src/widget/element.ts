import type { ReportResult } from '../core/types.ts'

/** The events of the element, by their names. */
export interface BugleReportEventMap extends HTMLElementEventMap {
  /** A report was taken or not: its detail tells what became of it. */
  'bugle-result': CustomEvent<ReportResult>
}

/** `<bugle-report>`, once `defineWidget` was called. */
export interface BugleReportElement extends HTMLElement {
  /** Opens the dialog, for a page that has a button of its own. */
  open(): void
  addEventListener<K extends keyof BugleReportEventMap>(
    type: K,
    listener: (this: BugleReportElement, event: BugleReportEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
  removeEventListener<K extends keyof BugleReportEventMap>(
    type: K,
    listener: (this: BugleReportElement, event: BugleReportEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void
}

declare global {
  interface HTMLElementTagNameMap {
    'bugle-report': BugleReportElement
  }
}

interface Listening {
  /** React 19 listens to custom events by such attributes. */
  'onbugle-result'?: (event: CustomEvent<ReportResult>) => void
}

// Without React there is no such module. Only comments of this form stay in the published types.
// biome-ignore lint/suspicious/noTsIgnore: with React there is no error to expect
/** @ts-ignore */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      // biome-ignore lint/suspicious/noTsIgnore: the same
      /** @ts-ignore */
      'bugle-report': DetailedHTMLProps<HTMLAttributes<BugleReportElement>, BugleReportElement> & Listening
    }
  }
}
