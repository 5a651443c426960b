import { Type } from 'typebox'
import { answerObject } from './members.ts'

export const Health = answerObject(
  { status: Type.Literal('ok', { description: 'It is well.' }) },
  { title: 'Health', examples: [{ status: 'ok' }] },
)
