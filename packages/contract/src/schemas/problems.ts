import { type Static, Type } from 'typebox'
import { ALL_ERROR_CODES } from '../vocabulary/error-codes.ts'
import { choice } from './members.ts'

/** One fault in a request, with its location. */
export const Fault = Type.Object(
  {
    pointer: Type.Optional(
      Type.String({ description: 'The field of the body, as a JSON Pointer fragment.' }),
    ),
    parameter: Type.Optional(Type.String({ description: 'The query parameter.' })),
    header: Type.Optional(Type.String({ description: 'The header.' })),
    code: Type.String({ description: 'What is wrong, as a code.' }),
    detail: Type.String({ description: 'What is wrong and what is allowed, as a sentence.' }),
  },
  { additionalProperties: false, title: 'Fault' },
)
export type Fault = Static<typeof Fault>

/** RFC 9457 problem details, with our own fields. */
export const Problem = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      description: 'Identifies the problem; the path of a page about it.',
    }),
    title: Type.String({ description: 'The same short summary for every problem of this type.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What went wrong in this case, and what to do.' }),
    instance: Type.String({ description: 'The path of the request.' }),
    code: choice(ALL_ERROR_CODES, { description: 'The last part of `type`, for a switch statement.' }),
    requestId: Type.String({ description: "Identifies the request in the server's log." }),
    errors: Type.Optional(Type.Array(Fault, { description: 'The faults in the input, up to 20.' })),
  },
  {
    title: 'Problem',
    description: 'Every 4xx and 5xx response (RFC 9457). Some codes add their own fields.',
    examples: [
      {
        type: '/problems/validation-failed',
        title: 'The body is not valid',
        status: 422,
        detail: '1 field is not valid.',
        instance: '/v1/issues',
        code: 'validation-failed',
        requestId: 'req_k3f9x2a7m1q0',
        errors: [{ pointer: '#/title', code: 'required', detail: 'title is required.' }],
      },
    ],
  },
)
export type Problem = Static<typeof Problem>
