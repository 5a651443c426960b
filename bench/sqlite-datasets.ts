import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorageForCommand } from '../packages/server/src/storage/open-storage.ts'
import { createWriter } from '../packages/server/src/storage/sqlite/writer/writer.ts'
import {
  type BenchDatabase,
  cursorsOf,
  type Dataset,
  type DatasetStore,
  fillDataset,
  GENERATOR_VERSION,
} from './datasets.ts'

/** Data sets as files, kept between runs as long as schema and generator stay the same. */
export async function openSqliteDatasets(root = join(tmpdir(), 'bugle-bench')): Promise<DatasetStore> {
  const version = `schema-${await schemaVersion()}-generator-${GENERATOR_VERSION}`
  const folder = join(root, version)
  mkdirSync(folder, { recursive: true })
  const copies = mkdtempSync(join(folder, 'run-'))
  const pathOf = (size: number) => join(folder, `${size}.db`)

  return {
    name: 'SQLite',
    async prepare(size) {
      const description = join(folder, `${size}.json`)
      if (existsSync(description)) {
        const dataset = JSON.parse(readFileSync(description, 'utf8')) as Dataset
        return { ...dataset, cursors: cursorsOf(dataset.projectId, size) }
      }
      const dataset = await build(pathOf(size), size)
      writeFileSync(description, JSON.stringify(dataset))
      return dataset
    },
    copy: async (dataset) => copyOf(pathOf(dataset.size), copies),
    async [Symbol.asyncDispose]() {
      rmSync(copies, { recursive: true, force: true })
    },
  }
}

async function schemaVersion(): Promise<number> {
  const storage = await openStorageForCommand('sqlite::memory:')
  await storage.close()
  return storage.migration.to
}

async function build(path: string, size: number): Promise<Dataset> {
  for (const file of filesOf(path)) rmSync(file, { force: true })
  const storage = await openStorageForCommand(`sqlite:${path}`)
  const dataset = await fillDataset(storage, size)
  await storage.close()
  // Otherwise the first scenarios would include the cost of indexing.
  const writer = createWriter(path)
  while (writer.indexSome());
  writer.close()
  return dataset
}

function copyOf(original: string, folder: string): BenchDatabase {
  const path = join(mkdtempSync(join(folder, 'copy-')), 'bugle.db')
  copyFileSync(original, path)
  return {
    url: `sqlite:${path}`,
    size: async () =>
      filesOf(path)
        .filter((file) => existsSync(file))
        .reduce((sum, file) => sum + statSync(file).size, 0),
    cpuMicros: async () => 0,
    async [Symbol.asyncDispose]() {
      for (const file of filesOf(path)) rmSync(file, { force: true })
    },
  }
}

function filesOf(path: string): readonly string[] {
  return [path, `${path}-wal`, `${path}-shm`]
}
