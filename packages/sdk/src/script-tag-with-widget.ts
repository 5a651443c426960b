import './script-tag.ts'
import { defineWidget } from './widget.ts'

Object.assign((globalThis as { Bugle?: object }).Bugle ?? {}, { defineWidget })

defineWidget()
