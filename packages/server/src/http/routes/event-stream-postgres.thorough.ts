process.env['BUGLE_TEST_DATABASE'] = 'postgres'

await import('./event-stream.thorough.ts')
