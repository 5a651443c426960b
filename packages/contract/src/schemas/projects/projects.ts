import { type Static, Type } from 'typebox'
import { answerObject, nullable, timestamp } from '../members.ts'
import { pageOf } from '../pagination.ts'

const detail = (description: string) =>
  nullable<string>('string', {
    description: `${description} \`null\` if it is not set, for anonymous readers and for public keys.`,
  })

export const Project = answerObject(
  {
    id: Type.String({ description: 'Unique identifier.' }),
    name: Type.String({ description: 'Display name.' }),
    slug: Type.String({ description: 'URL-safe short name.' }),
    isPublic: Type.Boolean({ description: 'Whether anyone may read its issues.' }),
    defaultBranch: Type.String({ description: 'Default source branch name.' }),
    description: detail('A short description.'),
    websiteUrl: detail('The website of the app: an http or https URL. The server never fetches it.'),
    repositoryUrl: detail(
      'The repository of its source code: an http or https URL. The server never fetches it.',
    ),
    createdAt: timestamp({ description: 'When the project was created.' }),
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
        description: 'Forecasts and warnings, on iPhone and iPad.',
        websiteUrl: 'https://weather.example.com',
        repositoryUrl: 'https://git.example.com/weather/ios',
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
