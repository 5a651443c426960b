import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { FileMissing, type FileName, type FileStore, type StoredFile } from '../files/file-store.ts'

/** A store with nothing in it. */
export interface FileStoreStage extends AsyncDisposable {
  readonly store: FileStore
}

/** What every store of files must do. */
export function describeFileStore(name: string, open: () => Promise<FileStoreStage>): void {
  describe(`file store: ${name}`, () => {
    it.each([0, 1, 65_536, 262_144, 700_001])('returns the %i bytes that were put', async (size) => {
      await using stage = await open()
      const { store } = stage
      const bytes = randomBytes(size)
      const file = fileOf(bytes)
      await store.put(file, inChunks(bytes, 50_000))
      expect((await readAll(store, file.name, 0, size - 1)).equals(bytes)).toBe(true)
      expect(await store.size(file.name)).toBe(size)
    })

    it('takes a file whose digest is known only after its last byte', async () => {
      await using stage = await open()
      const bytes = randomBytes(100_000)
      const file = { ...fileOf(bytes), sha256: null }
      await stage.store.put(file, inChunks(bytes, 50_000))
      expect((await readAll(stage.store, file.name, 0, bytes.length - 1)).equals(bytes)).toBe(true)
    })

    it.each([
      ['the beginning', 0, 9],
      ['the end', 599_990, 599_999],
      ['across chunks', 262_140, 262_150],
      ['one byte', 300_000, 300_000],
    ])('reads a range: %s', async (_, start, end) => {
      await using stage = await open()
      const bytes = randomBytes(600_000)
      const file = fileOf(bytes)
      await stage.store.put(file, inChunks(bytes, 65_536))
      const part = await readAll(stage.store, file.name, start, end)
      expect(part.equals(bytes.subarray(start, end + 1))).toBe(true)
    })

    it('stores nothing of a file whose bytes failed, and passes on the error', async () => {
      await using stage = await open()
      const { store } = stage
      const bytes = randomBytes(800_000)
      const file = fileOf(bytes)
      const failing = (async function* () {
        yield bytes.subarray(0, 700_000)
        throw new RangeError('the client left')
      })()
      await expect(store.put(file, failing)).rejects.toThrow(RangeError)
      expect(await listAll(store)).toEqual([])
      await expect(readAll(store, file.name, 0, bytes.length - 1)).rejects.toThrow(FileMissing)
    })

    it('reports a missing file before it sends anything', async () => {
      await using stage = await open()
      const reading = stage.store.read(fileOf(Buffer.alloc(0)).name, { start: 0, end: 9 })
      await expect(reading[Symbol.asyncIterator]().next()).rejects.toThrow(FileMissing)
      await expect(stage.store.size(fileOf(Buffer.alloc(0)).name)).rejects.toThrow(FileMissing)
    })

    it('removes a file, even if it is already deleted, and no other', async () => {
      await using stage = await open()
      const { store } = stage
      const [one, other] = [fileOf(Buffer.from('one')), fileOf(Buffer.from('two'))]
      await store.put(one, inChunks(Buffer.from('one'), 2))
      await store.put(other, inChunks(Buffer.from('two'), 2))
      await store.remove(one.name)
      await store.remove(one.name)
      expect((await listAll(store)).map((file) => file.name)).toEqual([other.name])
      await expect(readAll(store, one.name, 0, 2)).rejects.toThrow(FileMissing)
      expect((await readAll(store, other.name, 0, 2)).toString()).toBe('two')
    })

    it('lists every file with its size and age', async () => {
      await using stage = await open()
      const { store } = stage
      expect(await listAll(store)).toEqual([])
      const contents = Array.from({ length: 7 }, (_, size) => randomBytes(size))
      const files = contents.map(fileOf)
      for (const [index, file] of files.entries())
        await store.put(file, inChunks(contents[index] ?? Buffer.alloc(0), 100))
      const listed = await listAll(store)
      const sizes = new Map(listed.map((file) => [file.name, file.size]))
      expect(sizes).toEqual(new Map(files.map((file) => [file.name, file.size])))
      for (const { storedAt } of listed) expect(Math.abs(Date.now() - storedAt)).toBeLessThan(60_000)
    })

    it('lets a reader stop early', async () => {
      await using stage = await open()
      const bytes = randomBytes(600_000)
      const file = fileOf(bytes)
      await stage.store.put(file, inChunks(bytes, 65_536))
      for await (const chunk of stage.store.read(file.name, { start: 0, end: 599_999 })) {
        expect(chunk.length).toBeGreaterThan(0)
        break
      }
      expect((await readAll(stage.store, file.name, 0, 599_999)).length).toBe(600_000)
    })
  })
}

/** A new file with these bytes. */
function fileOf(bytes: Buffer) {
  const name: FileName = `4294967295/${randomBytes(16).toString('hex')}`
  return { name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function readAll(store: FileStore, name: FileName, start: number, end: number): Promise<Buffer> {
  return Buffer.concat(await Readable.from(store.read(name, { start, end })).toArray())
}

function listAll(store: FileStore): Promise<StoredFile[]> {
  return Readable.from(store.list()).toArray()
}
