import { Health, MetricsText } from '../schemas/health.ts'
import { endpoint } from './endpoint.ts'

export const healthEndpoints = {
  checkHealth: endpoint({
    name: 'checkHealth',
    method: 'GET',
    path: '/healthz',
    tag: 'health',
    summary: 'Check that the process is alive',
    description: 'Responds as long as the process is running.',
    access: null,
    answers: { 200: { description: 'The process is alive.', schema: Health } },
    errors: [],
  }),

  checkReadiness: endpoint({
    name: 'checkReadiness',
    method: 'GET',
    path: '/readyz',
    tag: 'health',
    summary: 'Check that reports can be stored',
    description: 'Responds with 503 while the database cannot be written or the server is stopping.',
    access: null,
    answers: { 200: { description: 'Reports can be stored.', schema: Health } },
    errors: [],
  }),

  readMetrics: endpoint({
    name: 'readMetrics',
    method: 'GET',
    path: '/metrics',
    tag: 'health',
    summary: 'Metrics for Prometheus',
    description:
      'Rates and durations of requests, problems by code, the write queue, commits, deliveries and the process, as text for Prometheus.',
    access: 'operator',
    answers: { 200: { description: 'The metrics.', schema: MetricsText, mediaType: 'text/plain' } },
    errors: ['credentials-required', 'invalid-credentials'],
  }),
}
