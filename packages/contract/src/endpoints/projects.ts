import { LabelList } from '../schemas/issues/labels.ts'
import { CursorQuery } from '../schemas/pagination.ts'
import { PeopleQuery, PersonPage } from '../schemas/people/people.ts'
import { PublicKeyList } from '../schemas/projects/keys.ts'
import { Project, ProjectPage, ProjectParams } from '../schemas/projects/projects.ts'
import { ProjectStats, StatsQuery } from '../schemas/projects/stats.ts'
import {
  BranchPage,
  SeenQuery,
  VersionPage,
  VersionStats,
  VersionStatsQuery,
} from '../schemas/projects/versions.ts'
import { MAX_COUNTED_VALUES, OTHER_VALUE } from '../vocabulary/limits.ts'
import { endpoint } from './endpoint.ts'
import { CONDITIONAL, KEY_ERRORS, NOT_MODIFIED, READ_ERRORS } from './shared.ts'

export const projectEndpoints = {
  listProjects: endpoint({
    name: 'listProjects',
    method: 'GET',
    path: '/v1/projects',
    tag: 'projects',
    summary: 'List projects',
    description:
      'The projects that the caller can see: the project of the key, all projects for a key that covers all of them, or the projects a person has access to.',
    access: { scope: 'projects:read', publicKey: false, publicProject: false },
    query: CursorQuery,
    answers: { 200: { description: 'A page of projects.', schema: ProjectPage } },
    errors: [...KEY_ERRORS, 'invalid-parameter', 'invalid-cursor'],
  }),

  getProject: endpoint({
    name: 'getProject',
    method: 'GET',
    path: '/v1/projects/{idOrSlug}',
    tag: 'projects',
    summary: 'Get a project',
    description: 'The name and settings of a project. Projects are created with the `bugle` command.',
    access: { scope: null, publicKey: true, publicProject: true },
    params: ProjectParams,
    headers: CONDITIONAL,
    answers: {
      200: {
        description: 'The project.',
        schema: Project,
        headers: { ETag: 'Changes whenever the project changes.' },
      },
      304: NOT_MODIFIED,
    },
    errors: READ_ERRORS,
  }),

  listProjectKeys: endpoint({
    name: 'listProjectKeys',
    method: 'GET',
    path: '/v1/projects/{idOrSlug}/keys',
    tag: 'projects',
    summary: "A project's public keys",
    description:
      'The keys that apps may contain. Keys are created with the `bugle` command; secret keys are never shown again.',
    access: { scope: 'projects:read', publicKey: false, publicProject: false },
    params: ProjectParams,
    answers: { 200: { description: 'The keys.', schema: PublicKeyList } },
    errors: [...KEY_ERRORS, 'not-found'],
  }),

  getProjectStats: endpoint({
    name: 'getProjectStats',
    method: 'GET',
    path: '/v1/projects/{idOrSlug}/stats',
    tag: 'projects',
    summary: 'Project statistics',
    description:
      'How many issues and reports there are, by kind and origin, and the outcome of every submission.',
    access: { scope: 'projects:read', publicKey: false, publicProject: true },
    params: ProjectParams,
    query: StatsQuery,
    answers: { 200: { description: 'The figures.', schema: ProjectStats } },
    errors: [...READ_ERRORS, 'invalid-parameter'],
  }),

  getVersionStats: endpoint({
    name: 'getVersionStats',
    method: 'GET',
    path: '/v1/projects/{idOrSlug}/stats/versions',
    tag: 'projects',
    summary: 'Statistics by version',
    description: 'Reports and new issues of the most reported app versions, day by day.',
    access: { scope: 'projects:read', publicKey: false, publicProject: false },
    params: ProjectParams,
    query: VersionStatsQuery,
    answers: { 200: { description: 'The figures.', schema: VersionStats } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter'],
  }),

  listPeople: endpoint({
    name: 'listPeople',
    method: 'GET',
    path: '/v1/projects/{idOrSlug}/people',
    tag: 'projects',
    summary: 'List people',
    description:
      'The people who have access to a project, by id and name: those to whom its issues can be assigned. People are managed with the `bugle` command.',
    access: { scope: 'issues:read', publicKey: false, publicProject: false },
    params: ProjectParams,
    query: PeopleQuery,
    answers: { 200: { description: 'A page of people.', schema: PersonPage } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter', 'invalid-cursor'],
  }),

  listLabels: endpoint({
    name: 'listLabels',
    method: 'GET',
    path: '/v1/projects/{idOrSlug}/labels',
    tag: 'projects',
    summary: 'List labels',
    description: 'The labels that issues of a project can have. They are defined with the `bugle` command.',
    access: { scope: 'projects:read', publicKey: false, publicProject: false },
    params: ProjectParams,
    answers: { 200: { description: 'The labels.', schema: LabelList } },
    errors: [...KEY_ERRORS, 'not-found'],
  }),

  listVersions: endpoint({
    name: 'listVersions',
    method: 'GET',
    path: '/v1/projects/{idOrSlug}/versions',
    tag: 'projects',
    summary: 'List app versions',
    description: `The app versions that reports came from, and those that contain a fix, newest first, with their builds. Up to ${MAX_COUNTED_VALUES} are listed by name; beyond that, the ones with the fewest reports (the oldest first) are counted together as \`${OTHER_VALUE}\`, which comes last.`,
    access: { scope: 'projects:read', publicKey: false, publicProject: false },
    params: ProjectParams,
    query: SeenQuery,
    answers: { 200: { description: 'A page of versions.', schema: VersionPage } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter', 'invalid-cursor'],
  }),

  listBranches: endpoint({
    name: 'listBranches',
    method: 'GET',
    path: '/v1/projects/{idOrSlug}/branches',
    tag: 'projects',
    summary: 'List branches',
    description: `The source branches that reports came from: the default branch, then the others by their last report. Up to ${MAX_COUNTED_VALUES} are listed by name; beyond that, the ones with the fewest reports (the oldest first) are counted together as \`${OTHER_VALUE}\`, which comes last.`,
    access: { scope: 'projects:read', publicKey: false, publicProject: false },
    params: ProjectParams,
    query: SeenQuery,
    answers: { 200: { description: 'A page of branches.', schema: BranchPage } },
    errors: [...KEY_ERRORS, 'not-found', 'invalid-parameter', 'invalid-cursor'],
  }),
}
