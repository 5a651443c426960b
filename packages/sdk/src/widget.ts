export { defineWidget, type WidgetOptions } from './widget/define-widget.ts'
export type { BugleReportElement, BugleReportEventMap } from './widget/element.ts'
export type { Messages } from './widget/messages.ts'
