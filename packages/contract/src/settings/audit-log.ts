import { type Static, Type } from 'typebox'
import { answerObject, choice, nullable, timestamp } from '../schemas/members.ts'
import { cursor, pageOf } from '../schemas/pagination.ts'
import { AUDIT_ACTIONS } from '../vocabulary/audit-actions.ts'
import { MAX_PAGE_SIZE } from '../vocabulary/limits.ts'

const value = { type: ['string', 'number', 'boolean', 'null'] } as const

/** An entry of the audit log: who changed what, and when. */
export const AuditLogEntry = answerObject(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    at: timestamp({ description: 'When it happened.' }),
    actor: answerObject(
      {
        kind: choice(['user', 'key', 'os', 'system'] as const, {
          description: 'A person, a key, an account of the operating system, or the server itself.',
        }),
        id: Type.String({ description: 'The id of the person or the key, or the name of the account.' }),
        name: nullable<string>('string', { description: 'The name at that time.' }),
      },
      { title: 'AuditActor' },
    ),
    action: choice(AUDIT_ACTIONS, { description: 'What was done.' }),
    projectId: nullable<string>('string', { description: 'The project, if it concerns one.' }),
    projectSlug: nullable<string>('string', { description: 'The slug of the project at that time.' }),
    subject: nullable<string>('string', { description: 'The id of what was changed.' }),
    subjectName: nullable<string>('string', { description: 'The name of what was changed.' }),
    changes: Type.Array(
      answerObject(
        {
          field: Type.String({ description: 'The name of the field.' }),
          from: Type.Unsafe<AuditValue>({ ...value, description: 'The value before.' }),
          to: Type.Unsafe<AuditValue>({ ...value, description: 'The value after.' }),
        },
        { title: 'AuditChange' },
      ),
      { description: 'The fields that were changed. Long values are cut.' },
    ),
  },
  { title: 'AuditLogEntry' },
)
export type AuditLogEntry = Static<typeof AuditLogEntry>
type AuditValue = string | number | boolean | null

export const AuditLogPage = pageOf(AuditLogEntry, { title: 'AuditLogPage' })
export type AuditLogPage = Static<typeof AuditLogPage>

export const AuditLogQuery = Type.Object(
  {
    actor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'Only this actor, by id.' }),
    ),
    action: Type.Optional(choice(AUDIT_ACTIONS, { description: 'Only this action.' })),
    projectId: Type.Optional(
      Type.String({ description: 'Only this project, by id; deleted projects can be named too.' }),
    ),
    since: Type.Optional(timestamp({ description: 'Entries from this time on.' })),
    until: Type.Optional(timestamp({ description: 'Entries before this time.' })),
    pageSize: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 50, description: 'Entries per page.' }),
    ),
    cursor: Type.Optional(cursor({ description: 'Continues after the response that returned it.' })),
  },
  { additionalProperties: false },
)
export type AuditLogQuery = Static<typeof AuditLogQuery>
