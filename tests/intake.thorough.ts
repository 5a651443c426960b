process.env['BUGLE_TEST_SIZE'] = 'thorough'

await import('./intake.test.ts')
