import { type Static, Type } from 'typebox'
import { answerObject, choice, optional, requiredText, timestamp } from '../schemas/members.ts'
import { pageOf } from '../schemas/pagination.ts'
import { EMAIL_PATTERN } from '../schemas/people/session.ts'
import { MAX_EMAIL_CHARS, MAX_USER_NAME_CHARS, MAX_USER_PROJECTS } from '../vocabulary/limits.ts'
import { ALL_ROLES } from '../vocabulary/people.ts'
import { REVISION, revision } from './revisions.ts'

const email = Type.String({
  maxLength: MAX_EMAIL_CHARS,
  pattern: EMAIL_PATTERN,
  description: 'The email address that the person signs in with.',
})
const name = requiredText(MAX_USER_NAME_CHARS, { description: 'Their name, as shown in the history.' })
const role = choice(ALL_ROLES, { description: 'What they may do.' })
const canSeeSecurity = Type.Boolean({ description: 'Whether they see issues of the category `security`.' })
const projects = {
  type: ['array', 'null'],
  maxItems: MAX_USER_PROJECTS,
  items: { type: 'string', description: 'The id of a project.' },
  description: 'The projects that they have access to; `null` for all.',
}

/** A person as an admin sees them. */
export const PersonSettings = answerObject(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    email,
    name,
    role,
    canSeeSecurity,
    projectIds: Type.Unsafe<string[] | null>(projects),
    hasPassword: Type.Boolean({ description: 'False until they have used their first link.' }),
    createdAt: timestamp({ description: 'When they were added.' }),
    revision,
  },
  { title: 'PersonSettings' },
)
export type PersonSettings = Static<typeof PersonSettings>

export const PersonSettingsPage = pageOf(PersonSettings, { title: 'PersonSettingsPage' })
export type PersonSettingsPage = Static<typeof PersonSettingsPage>

const LINK = {
  link: Type.String({ description: 'The one-time link. It is not shown again.' }),
  linkExpiresAt: timestamp({ description: 'When it expires.' }),
}

export const PersonLink = answerObject(LINK, { title: 'PersonLink' })
export type PersonLink = Static<typeof PersonLink>

export const InvitedPerson = answerObject({ person: PersonSettings, ...LINK }, { title: 'InvitedPerson' })
export type InvitedPerson = Static<typeof InvitedPerson>

export const Invitation = Type.Object(
  {
    email,
    name,
    role,
    canSeeSecurity: Type.Optional(canSeeSecurity),
    projectIds: optional<string[]>(projects),
  },
  {
    additionalProperties: false,
    title: 'Invitation',
    examples: [{ email: 'grace@example.com', name: 'Grace', role: 'viewer' }],
  },
)
export type Invitation = Static<typeof Invitation>

export const PersonPatch = Type.Object(
  {
    revision,
    email: Type.Optional(email),
    name: Type.Optional(name),
    role: Type.Optional(role),
    canSeeSecurity: Type.Optional(canSeeSecurity),
    projectIds: optional<string[]>(projects),
  },
  { additionalProperties: false, title: 'PersonPatch', examples: [{ revision: REVISION, role: 'triager' }] },
)
export type PersonPatch = Static<typeof PersonPatch>
