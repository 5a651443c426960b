import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { createRandom, type Random } from '../../packages/server/src/demo/random.ts'
import { printedKeys, startServerOn, type TestServer } from '../support/start-server.ts'
import { SEED } from './effort.ts'
import { expectIntact } from './expect-intact.ts'
import { note } from './figures.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { settleAll, startSending } from './send.ts'

/** A timeout for what hangs: a server that takes longer than its own limit ends with another code. */
const STOP_MS = 60_000

interface Story {
  /** The name of the database in the figures. */
  readonly name: string
  readonly databaseUrl: string
  readonly kills: number
  readonly stops: number
}

/**
 * Repeatedly kills a server at random times under load, and checks everything after each time. In the end all
 * unacknowledged reports are sent again: then everything that was ever sent is stored exactly once.
 */
export async function endAgainAndAgain({ name, databaseUrl, kills, stops }: Story): Promise<void> {
  const random = createRandom(SEED)
  const ledger = createLedger(random)
  let key: string | undefined
  const nextServer = async () => {
    const server = await startServerOn(databaseUrl)
    // Printed once, at the first start on an empty database.
    key ??= (await printedKeys(server)).secretKey
    return { server, key }
  }

  for (let round = 1; round <= kills; round++) {
    const exit = await endUnderLoad({ ...(await nextServer()), signal: 'SIGKILL', ledger, random })
    expect(exit).toEqual({ code: null, signal: 'SIGKILL' })
    await expectIntact(databaseUrl, ledger)
  }
  const killed = await expectIntact(databaseUrl, ledger)
  note({ fault: `${name}: SIGKILL under load`, rounds: kills, ...killed })

  for (let round = 1; round <= stops; round++) {
    const exit = await endUnderLoad({ ...(await nextServer()), signal: 'SIGTERM', ledger, random })
    expect(exit).toEqual({ code: 0, signal: null })
    await expectIntact(databaseUrl, ledger)
  }
  const { server, key: secretKey } = await nextServer()
  await using _ = server
  await settleAll({ url: server.url, key: secretKey, ledger })
  await server.end('SIGTERM')
  const stopped = await expectIntact(databaseUrl, ledger)
  expect(stopped.acknowledged).toBe(ledger.sent.size)
  const own = { ...stopped, acknowledged: stopped.acknowledged - killed.acknowledged }
  note({ fault: `${name}: SIGTERM under load`, rounds: stops, ...own })
}

const MOST_LOAD_MS = 500

interface Round {
  readonly server: TestServer
  readonly key: string
  readonly signal: 'SIGKILL' | 'SIGTERM'
  readonly ledger: Ledger
  readonly random: Random
}

async function endUnderLoad({ server, key, signal, ledger, random }: Round) {
  await using _ = server
  await using sending = startSending({ url: server.url, key, ledger })
  await sending.reaches(1)
  await sleep(random.integer(0, MOST_LOAD_MS))
  const began = performance.now()
  const exit = await server.end(signal)
  expect(performance.now() - began).toBeLessThan(STOP_MS)
  await sending.stop()
  return exit
}
