// Sends a report and exits; with `--crash` it crashes, and the crash is sent at the next run.
import { init, report } from '@bugle/sdk'
import { captureCrashes } from '@bugle/sdk/crash'

const { BUGLE_URL = 'http://127.0.0.1:4000', BUGLE_PUBLIC_KEY } = process.env
init({ endpoint: BUGLE_URL, publicKey: BUGLE_PUBLIC_KEY, queueDirectory: process.env.BUGLE_QUEUE })
captureCrashes()

if (process.argv.includes('--crash')) throw new Error('Crashed on request')
const result = await report({ title: 'The nightly import found no files', category: 'bug' })
process.stdout.write(`${JSON.stringify(result)}\n`)
