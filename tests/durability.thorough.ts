process.env['BUGLE_TEST_SIZE'] = 'thorough'

await import('./durability.test.ts')
