import { defineWidget } from './widget.ts'

export * from './script-tag.ts'
export { defineWidget }

defineWidget()
