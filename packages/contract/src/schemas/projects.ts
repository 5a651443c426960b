import { type Static, Type } from 'typebox'
import { answerObject, timestamp } from './members.ts'
import { pageOf } from './pagination.ts'

export const Project = answerObject(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    name: Type.String({ description: 'Display name.' }),
    slug: Type.String({ description: 'URL-safe short name.' }),
    isPublic: Type.Boolean({ description: 'Whether anyone may read its issues.' }),
    defaultBranch: Type.String({ description: 'Default source branch name.' }),
    createdAt: timestamp({ description: 'When the project was made.' }),
  },
  {
    title: 'Project',
    description: 'An app whose reports are collected.',
    examples: [
      {
        id: 'prj_01m8z3v9q8e1r8000000000000',
        name: 'Weather for iOS',
        slug: 'weather-ios',
        isPublic: false,
        defaultBranch: 'main',
        createdAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type Project = Static<typeof Project>

export const ProjectPage = pageOf(Project, {
  title: 'ProjectPage',
  description: 'Some projects, oldest first.',
})
export type ProjectPage = Static<typeof ProjectPage>

export const ProjectParams = Type.Object(
  {
    idOrSlug: Type.String({
      description: "The project's id (`prj_…`) or its slug.",
      examples: ['weather-ios'],
    }),
  },
  { additionalProperties: false },
)
