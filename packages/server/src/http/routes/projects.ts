import { hash } from 'node:crypto'
import { endpoints } from '@bugle/contract'
import type { Projects } from '../../domain/projects.ts'
import { answerTagged } from '../conditional.ts'
import type { Bind } from '../route.ts'

const TAG_CHARS = 16

export function bindProjects(bind: Bind, projects: Projects): void {
  bind(endpoints.getProject, async ({ caller, params, request }) => {
    const project = await projects.get(caller, params.idOrSlug)
    const tag = hash('sha256', JSON.stringify(project), 'base64url').slice(0, TAG_CHARS)
    const headers = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }
    return answerTagged({ request, tag, body: project, headers })
  })
}
