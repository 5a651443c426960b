import { Type } from 'typebox'

export const REVISION = 'q0K3mB9tVxYc2LrW'

/** Returned with a record, and sent with a change: a change to an outdated record is refused. */
export const revision = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The revision of the record. A change is refused if the record has another one by now.',
})
