export { defineWidget, type WidgetOptions } from './widget/define-widget.ts'
export type { Messages } from './widget/messages.ts'
