import { SdkConfig } from '../schemas/projects/sdk-config.ts'
import { endpoint } from './endpoint.ts'
import { CONDITIONAL, KEY_ERRORS, NOT_MODIFIED } from './shared.ts'

export const sdkEndpoints = {
  getSdkConfig: endpoint({
    name: 'getSdkConfig',
    method: 'GET',
    path: '/v1/sdk-config',
    tag: 'sdk',
    summary: 'SDK configuration',
    description: 'Settings that an SDK reads when it starts. Set with `bugle sdk-config set`; safe to cache.',
    access: { scope: null, publicKey: true, publicProject: false },
    headers: CONDITIONAL,
    crossOrigin: true,
    answers: {
      200: {
        description: 'The configuration.',
        schema: SdkConfig,
        headers: { ETag: 'Changes whenever the configuration changes.' },
      },
      304: NOT_MODIFIED,
    },
    errors: [...KEY_ERRORS, 'not-found'],
  }),
}
