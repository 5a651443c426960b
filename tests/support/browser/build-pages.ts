import { buildDashboard } from '../../../scripts/build-dashboard.mjs'

/** Set-up of the Vitest projects whose tests show pages: builds what the server serves, unless it is built. */
export default function setUp(): void {
  const problem = buildDashboard(process.execPath, (text) => process.stdout.write(text))
  if (problem !== undefined) throw new Error(problem)
}
