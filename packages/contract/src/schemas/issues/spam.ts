import { type Static, Type } from 'typebox'
import { SPAM_DAYS } from '../../vocabulary/issues.ts'

/** How an issue is marked as spam. */
export const SpamMark = Type.Object(
  {
    blockSender: Type.Optional(
      Type.Boolean({
        description: `Whether to block the addresses that its reports came from, for ${SPAM_DAYS} days: further reports from them get the usual response and are stored as spam. Only reports with a public key have a sender, and only for ${SPAM_DAYS} days.`,
      }),
    ),
  },
  { additionalProperties: false, title: 'SpamMark', examples: [{ blockSender: true }] },
)
export type SpamMark = Static<typeof SpamMark>
