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
