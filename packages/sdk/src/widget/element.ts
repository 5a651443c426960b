import type { ReportResult } from '../core/types.ts'

/** The attributes of the element. All are optional. */
export interface BugleReportAttributes {
  /** Where the launcher is: in a corner, `inline` (where the element is) or `none`. A corner by default. */
  position?: 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left' | 'inline' | 'none' | undefined
  /** The text of the launcher; empty for an icon alone. */
  label?: string | undefined
  /** `auto`, the default, follows the page. */
  theme?: 'light' | 'dark' | 'auto' | undefined
  /** Keys that open and close the panel, such as `Ctrl+Shift+U`. `Mod` is the command key on Apple devices, and `Ctrl` elsewhere. */
  shortcut?: string | undefined
  /** Shows people their own reports, with status and replies: see `@bugle/sdk/conversations`. */
  'my-reports'?: boolean | '' | undefined
  /** `off`: the title is not sent while a person types it, and no known issues are suggested. */
  suggestions?: 'off' | undefined
}

/** The events of the element, by their names. */
export interface BugleReportEventMap extends HTMLElementEventMap {
  /** A report was submitted; `detail` is its result. */
  'bugle-result': CustomEvent<ReportResult>
  /** With `my-reports`: the number of unread replies has changed to `detail`. */
  'bugle-unread': CustomEvent<number>
}

/** `<bugle-report>`, once `defineWidget` was called. */
export interface BugleReportElement extends HTMLElement {
  /** Opens the panel, for a page with its own button. */
  open(): void
  /** Closes the panel. The draft is kept. */
  close(): void
  /** Opens the panel with the person's own reports. Present once `my-reports` was loaded. */
  openReports?(): void
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
  'onbugle-unread'?: (event: CustomEvent<number>) => void
}

// Without React there is no such module. Only comments of this form stay in the published types.
// biome-ignore lint/suspicious/noTsIgnore: with React there is no error to expect
/** @ts-ignore */
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      // biome-ignore lint/suspicious/noTsIgnore: the same
      /** @ts-ignore */
      'bugle-report': DetailedHTMLProps<HTMLAttributes<BugleReportElement>, BugleReportElement> &
        BugleReportAttributes &
        Listening
    }
  }
}
