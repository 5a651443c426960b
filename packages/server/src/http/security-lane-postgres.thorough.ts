process.env['BUGLE_TEST_DATABASE'] = 'postgres'

await import('./security-lane.thorough.ts')
