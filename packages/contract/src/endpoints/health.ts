import { Health, MetricsText } from '../schemas/health.ts'
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
    description: 'Responds with 503 while the database cannot be written or the server is stopping.',
    access: null,
    answers: { 200: { description: 'It takes reports.', schema: Health } },
    errors: [],
  }),

  readMetrics: endpoint({
    name: 'readMetrics',
    method: 'GET',
    path: '/metrics',
    tag: 'health',
    summary: 'Figures for Prometheus',
    description:
      'Rates and durations of requests, problems by code, the write queue, commits, deliveries and the process, as text for Prometheus.',
    access: 'operator',
    answers: { 200: { description: 'The figures.', schema: MetricsText, mediaType: 'text/plain' } },
    errors: ['credentials-required', 'invalid-credentials'],
  }),
}
