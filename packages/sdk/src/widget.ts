import { define } from './widget/define-widget.ts'
import type { LoadPart } from './widget/messages.ts'
import type { WidgetOptions } from './widget/options.ts'

/** Registers `<bugle-report>`. Does nothing on a server. A second call adds or replaces options. */
export function defineWidget(options?: WidgetOptions): void {
  define(options, load)
}

/** Bundlers make chunks of the parts. The list of languages is one of them, because most pages need none. */
const load: LoadPart = async (name) =>
  name === 'extras' ? import('./widget/extras.ts') : (await import('./widget/languages.ts')).default[name]?.()

export type { BugleReportAttributes, BugleReportElement, BugleReportEventMap } from './widget/element.ts'
export type { GivenMessages, Messages } from './widget/messages.ts'
export type { WidgetField, WidgetOptions } from './widget/options.ts'
