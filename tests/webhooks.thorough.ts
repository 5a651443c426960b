process.env['BUGLE_TEST_SIZE'] = 'thorough'

await import('./webhooks.test.ts')
