import { hash } from 'node:crypto'
import { endpoints } from '@bugle/contract'
import type { Projects } from '../../../domain/projects/projects.ts'
import type { Stats } from '../../../domain/projects/stats.ts'
import { answerTagged } from '../../answers/conditional.ts'
import { answer, type Bind } from '../../route.ts'

const TAG_CHARS = 16
const PRIVATE = { vary: 'Authorization, Cookie', 'cache-control': 'private, no-cache' }

export function bindProjects(bind: Bind, projects: Projects, stats: Stats): void {
  bind(endpoints.listProjects, async ({ caller, query }) =>
    answer(200, await projects.list(caller, query), PRIVATE),
  )

  bind(endpoints.getProject, async ({ caller, params, request }) => {
    const project = await projects.get(caller, params.idOrSlug)
    const tag = hash('sha256', JSON.stringify(project), 'base64url').slice(0, TAG_CHARS)
    return answerTagged({ request, tag, body: project, headers: PRIVATE })
  })

  bind(endpoints.listProjectKeys, async ({ caller, params }) =>
    answer(200, await projects.listKeys(caller, params.idOrSlug), PRIVATE),
  )

  bind(endpoints.getProjectStats, async ({ caller, params, query }) =>
    answer(200, await stats.read(caller, params.idOrSlug, query), PRIVATE),
  )
}
