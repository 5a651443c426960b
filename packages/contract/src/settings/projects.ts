import { type Static, Type } from 'typebox'
import { answerObject, nullable, optionalText, requiredText } from '../schemas/members.ts'
import { Project } from '../schemas/projects/projects.ts'
import {
  MAX_BRANCH_CHARS,
  MAX_PROJECT_DESCRIPTION_CHARS,
  MAX_PROJECT_NAME_CHARS,
  MAX_PROJECT_URL_CHARS,
} from '../vocabulary/limits.ts'
import { SLUG_PATTERN } from '../vocabulary/slugs.ts'
import { REVISION, revision } from './revisions.ts'

const name = requiredText(MAX_PROJECT_NAME_CHARS, { description: 'Display name.' })
const slug = Type.String({ pattern: SLUG_PATTERN, description: 'Short name used in URLs.' })
const isPublic = Type.Boolean({ description: 'Whether anyone may read its issues.' })
const defaultBranch = requiredText(MAX_BRANCH_CHARS, { description: 'Default source branch name.' })

/** An empty text removes the value. */
const details = {
  description: optionalText(MAX_PROJECT_DESCRIPTION_CHARS, { description: 'A short description.' }),
  websiteUrl: optionalText(MAX_PROJECT_URL_CHARS, { description: 'The website of the app.' }),
  repositoryUrl: optionalText(MAX_PROJECT_URL_CHARS, { description: 'The repository of its source code.' }),
}

/** A project, as an admin changes it. */
export const ProjectSettings = answerObject({ ...Project.properties, revision }, { title: 'ProjectSettings' })
export type ProjectSettings = Static<typeof ProjectSettings>

export const ProjectCreation = Type.Object(
  { name, slug, isPublic: Type.Optional(isPublic), defaultBranch: Type.Optional(defaultBranch), ...details },
  { additionalProperties: false, title: 'ProjectCreation', examples: [{ name: 'Weather', slug: 'weather' }] },
)
export type ProjectCreation = Static<typeof ProjectCreation>

export const ProjectPatch = Type.Object(
  {
    revision,
    name: Type.Optional(name),
    slug: Type.Optional(slug),
    isPublic: Type.Optional(isPublic),
    defaultBranch: Type.Optional(defaultBranch),
    ...details,
  },
  { additionalProperties: false, title: 'ProjectPatch', examples: [{ revision: REVISION, name: 'Weather' }] },
)
export type ProjectPatch = Static<typeof ProjectPatch>

/** The issues that anyone could read if the project were public. */
export const PublicPreview = answerObject(
  {
    issueCount: nullable<number>('integer', {
      description: 'How many; `null` if there are too many to count.',
    }),
    issues: Type.Array(
      answerObject(
        {
          issueNumber: Type.Integer({ description: 'The number of the issue.' }),
          title: Type.String({ description: 'Its title.' }),
        },
        { title: 'PreviewedIssue' },
      ),
      { description: 'The newest few.' },
    ),
  },
  { title: 'PublicPreview' },
)
export type PublicPreview = Static<typeof PublicPreview>
