import { Health } from '../schemas/health.ts'
import { endpoint } from './endpoint.ts'

export const healthEndpoints = {
  checkHealth: endpoint({
    name: 'checkHealth',
    method: 'GET',
    path: '/healthz',
    tag: 'health',
    summary: 'Whether the process lives',
    description: 'Answers as long as the process can answer at all.',
    access: null,
    answers: { 200: { description: 'It lives.', schema: Health } },
    errors: [],
  }),

  checkReadiness: endpoint({
    name: 'checkReadiness',
    method: 'GET',
    path: '/readyz',
    tag: 'health',
    summary: 'Whether it can take reports',
    description: 'Answers 503 while the storage can not be written or the server is stopping.',
    access: null,
    answers: { 200: { description: 'It takes reports.', schema: Health } },
    errors: [],
  }),
}
