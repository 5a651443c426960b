import type { PageCheck } from './appearances.ts'

/** Together they contain every element of a documentation page. */
export const DOCS_CHECKS: readonly PageCheck[] = [
  ...['/docs', '/docs/webhooks', '/docs/security', '/problems/not-found'].map(
    (path): PageCheck => ({
      name: path,
      prepare: async () => ({ path, user: null }),
      run: (_, inspect) => inspect(path),
    }),
  ),
  {
    name: 'an unknown address',
    complaint: /status of 404/,
    prepare: async () => ({ path: '/nowhere', user: null }),
    run: (_, inspect) => inspect('nowhere'),
  },
  {
    name: 'results of the search',
    prepare: async () => ({ path: '/docs', user: null }),
    async run(page, inspect) {
      await page.getByRole('combobox', { name: 'Search the documentation' }).fill('backup')
      await page.getByRole('option').first().waitFor()
      await inspect('results')
    },
  },
]
