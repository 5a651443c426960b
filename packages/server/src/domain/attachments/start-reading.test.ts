import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { startReading } from './start-reading.ts'

function watchedBytes() {
  const state = { isClosed: false }
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (const text of ['one', 'two', 'three']) yield Buffer.from(text)
    } finally {
      state.isClosed = true
    }
  }
  return { bytes: read(), state }
}

it('passes on every chunk', async () => {
  const { bytes, state } = watchedBytes()
  const chunks = await Readable.from(await startReading(bytes)).toArray()
  expect(chunks.map(String)).toEqual(['one', 'two', 'three'])
  expect(state.isClosed).toBe(true)
})

it('closes the file of a client that left before the first chunk was sent', async () => {
  const { bytes, state } = watchedBytes()
  Readable.from(await startReading(bytes)).destroy()
  await expect.poll(() => state.isClosed).toBe(true)
})

it('closes the file of a client that left later', async () => {
  const { bytes, state } = watchedBytes()
  for await (const _ of await startReading(bytes)) break
  expect(state.isClosed).toBe(true)
})
