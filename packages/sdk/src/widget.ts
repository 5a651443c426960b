import { define } from './widget/define-widget.ts'
import type { LoadPart } from './widget/messages.ts'
import type { WidgetOptions } from './widget/options.ts'

/** Registers `<bugle-report>`. Does nothing on a server. A second call adds or replaces options. */
export function defineWidget(options?: WidgetOptions): void {
  define(options, load)
}

const load: LoadPart = async (name) => (await import('./widget/parts.ts')).default[name]?.()

export type { BugleReportAttributes, BugleReportElement, BugleReportEventMap } from './widget/element.ts'
export type { GivenMessages, Messages } from './widget/messages.ts'
export type { Screenshot, WidgetField, WidgetOptions } from './widget/options.ts'
