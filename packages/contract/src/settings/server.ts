import { type Static, Type } from 'typebox'
import { answerObject, choice, nullable } from '../schemas/members.ts'

const bytes = (description: string) =>
  nullable<number>('integer', {
    description: `${description} \`null\` if it is unknown, or the admin does not see security issues, which it includes.`,
  })

/** The state of the server, for admins of all projects. */
export const ServerStatus = answerObject(
  {
    version: Type.String({ description: 'The release.' }),
    database: answerObject(
      {
        kind: choice(['sqlite', 'postgres'] as const, { description: 'Which database it uses.' }),
        bytes: bytes('The size of the database.'),
      },
      { title: 'ServerDatabase' },
    ),
    attachmentBytes: bytes('The size of all received files.'),
    lastBackup: nullable<{ at: string; by: string }>('object', {
      properties: {
        at: { type: 'string', format: 'date-time', description: 'When it was complete and checked.' },
        by: { type: 'string', description: 'The operating-system account that made it.' },
      },
      required: ['at', 'by'],
      additionalProperties: false,
      description:
        'The last backup by `bugle backup`; `null` if none is in the audit log. Backups by other tools are not known.',
    }),
    nodes: Type.Integer({ description: 'The servers that share the database, this one included.' }),
    findings: Type.Array(
      answerObject(
        {
          check: Type.String({ description: 'What was checked.' }),
          verdict: choice(['ok', 'warning', 'problem'] as const, { description: 'The result.' }),
          found: Type.String({ description: 'What was found.' }),
          advice: nullable<string>('string', { description: 'What to do.' }),
        },
        { title: 'ServerFinding' },
      ),
      { description: 'What `bugle doctor` finds without reading the whole database.' },
    ),
    refused: Type.Array(
      answerObject(
        {
          projectId: Type.String({ description: 'The project.' }),
          keyId: nullable<string>('string', {
            description: 'The key that was used; `null` for submissions that were counted without it.',
          }),
          keyName: nullable<string>('string', { description: 'Its name, if it has one.' }),
          code: Type.String({ description: 'The code of the error.' }),
          count: Type.Integer({ description: 'How many submissions were refused with it.' }),
        },
        { title: 'RefusedSubmissions' },
      ),
      { description: 'Submissions with a valid key that were not stored, most first.' },
    ),
  },
  { title: 'ServerStatus' },
)
export type ServerStatus = Static<typeof ServerStatus>
