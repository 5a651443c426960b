import './script-tag.ts'
import { define } from '../widget/define-widget.ts'
import type { WidgetOptions } from '../widget/options.ts'
import { loadFrom } from '../widget/served-parts.ts'
import { script } from './script-element.ts'

const load = loadFrom(script?.src)

function defineWidget(options?: WidgetOptions): void {
  define(options, load)
}

Object.assign((globalThis as unknown as { Bugle: object }).Bugle, { defineWidget })

defineWidget()
