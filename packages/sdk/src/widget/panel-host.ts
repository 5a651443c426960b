import type { Extras } from './extras.ts'
import type { LoadPart, Messages } from './messages.ts'
import type { WidgetOptions } from './options.ts'

/** What the panel needs from the element that it belongs to. */
export interface PanelHost {
  readonly _host: HTMLElement
  readonly _messages: Messages
  readonly _options: WidgetOptions
  /** Loaded if the app declared fields. */
  readonly _extras: Extras | undefined
  readonly _load: LoadPart
  readonly _close: () => void
}
