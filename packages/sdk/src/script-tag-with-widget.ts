import { functions } from './script-tag.ts'
import { defineWidget } from './widget.ts'

Object.assign(functions, { defineWidget })

defineWidget()
