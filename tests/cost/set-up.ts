import { buildBugle } from '../../bench/servers.ts'

/** Builds the server once for the tests of both databases. */
export default buildBugle
