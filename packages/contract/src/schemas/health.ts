import { Type } from 'typebox'
import { answerObject } from './members.ts'

export const Health = answerObject(
  { status: Type.Literal('ok', { description: 'Everything works.' }) },
  { title: 'Health', examples: [{ status: 'ok' }] },
)

/** The text format of Prometheus, version 0.0.4. */
export const MetricsText = Type.String({
  title: 'MetricsText',
  description: 'One line for each value.',
  examples: ['# HELP bugle_storage_up 1 while …\n# TYPE bugle_storage_up gauge\nbugle_storage_up 1\n'],
})
