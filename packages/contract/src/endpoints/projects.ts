import { PublicKeyList } from '../schemas/keys.ts'
import { CursorQuery } from '../schemas/pagination.ts'
import { Project, ProjectPage, ProjectParams } from '../schemas/projects.ts'
import { ProjectStats, StatsQuery } from '../schemas/stats.ts'
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
      'The projects that the caller can see: the one of the key, all for a key of the instance, those that a person was given.',
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
    description: 'What a project is called and how it is set up. Projects are made with the `bugle` command.',
    access: { scope: null, publicKey: true, publicProject: true },
    params: ProjectParams,
    headers: CONDITIONAL,
    answers: {
      200: { description: 'The project.', schema: Project, headers: { ETag: 'Changes with the project.' } },
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
      'The keys that may sit in apps. Keys are made with the `bugle` command; secret keys are never shown again.',
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
      'How many issues and reports there are, of what kind and from where, and what became of every submission.',
    access: { scope: 'projects:read', publicKey: false, publicProject: true },
    params: ProjectParams,
    query: StatsQuery,
    answers: { 200: { description: 'The figures.', schema: ProjectStats } },
    errors: [...READ_ERRORS, 'invalid-parameter'],
  }),
}
