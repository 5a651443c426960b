import { type Static, Type } from 'typebox'
import { answerObject, choice, nullable } from '../schemas/members.ts'

const bytes = (description: string) =>
  nullable<number>('integer', {
    description: `${description} \`null\` if it is unknown, or the admin does not see security issues, which it includes.`,
  })

export interface ScheduledBackups {
  place: string
  everyHours: number
  latest: LatestBackup | null
  fault: string | null
}

export interface LatestBackup {
  name: string
  at: string
  bytes: number | null
  isWhole: boolean
}

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
    lastBackup: nullable<{ at: string; by: string | null }>('object', {
      properties: {
        at: { type: 'string', format: 'date-time', description: 'When it was complete and checked.' },
        by: nullable<string>('string', {
          description: 'The operating-system account that made it; `null`: the server, on its schedule.',
        }),
      },
      required: ['at', 'by'],
      additionalProperties: false,
      description:
        'The last backup by `bugle backup` or the schedule; `null` if none is in the audit log. Backups by other tools are not known.',
    }),
    scheduledBackups: nullable<ScheduledBackups>('object', {
      properties: {
        place: { type: 'string', description: 'Where they are kept.' },
        everyHours: { type: 'integer', description: 'The hours between two of them.' },
        latest: nullable<LatestBackup>('object', {
          properties: {
            name: { type: 'string', description: 'The file name.' },
            at: { type: 'string', format: 'date-time', description: 'When it was started.' },
            bytes: bytes('Its size.'),
            isWhole: {
              type: 'boolean',
              description: 'False if files of reports were missing or damaged, and are not in it.',
            },
          },
          required: ['name', 'at', 'bytes', 'isWhole'],
          additionalProperties: false,
          description: 'The newest one; `null` if there is none.',
        }),
        fault: nullable<string>('string', { description: 'Why the last attempt failed.' }),
      },
      required: ['place', 'everyHours', 'latest', 'fault'],
      additionalProperties: false,
      description: 'The backups that the server makes by itself; `null` if `BUGLE_BACKUP_URL` is not set.',
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
