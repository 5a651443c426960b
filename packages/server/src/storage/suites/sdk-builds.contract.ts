import { describe, expect, it } from 'vitest'
import { NOW, type StorageStage } from '../../../test-support/storage-stage.ts'
import { MAX_SDK_BUILDS, type SdkBuild } from '../../model/sdk-builds.ts'

/** How builds of the SDK are stored. */
export function describeSdkBuilds(stage: StorageStage): void {
  describe('a build of the SDK', () => {
    it('is found with the bytes of every file', async () => {
      const build = buildOf(
        '0.1.0-a',
        Uint8Array.from({ length: 256 }, (_, index) => index),
      )
      await stage.storage.sdkBuilds.keep(build, NOW)
      await stage.storage.sdkBuilds.keep(buildOf('0.2.0-b'), NOW + 1)
      expect(await stage.storage.sdkBuilds.find('0.1.0-a')).toEqual(build)
      expect(await stage.storage.sdkBuilds.find('0.3.0-c')).toBeUndefined()
      expect((await stage.storage.sdkBuilds.list()).toSorted()).toEqual(['0.1.0-a', '0.2.0-b'])
    })

    it('is stored once and never replaced, even if several servers start at once', async () => {
      const build = buildOf('0.1.0-a')
      await Promise.all(Array.from({ length: 5 }, () => stage.storage.sdkBuilds.keep(build, NOW)))
      await stage.storage.sdkBuilds.keep(buildOf('0.1.0-a', new Uint8Array([7])), NOW)
      expect(await stage.storage.sdkBuilds.find('0.1.0-a')).toEqual(build)
      expect(await stage.storage.sdkBuilds.list()).toEqual(['0.1.0-a'])
    })

    it('is removed once there are too many that are newer', async () => {
      for (let number = 0; number <= MAX_SDK_BUILDS; number++)
        await stage.storage.sdkBuilds.keep(buildOf(`1.${number}`), NOW + number)
      const kept = await stage.storage.sdkBuilds.list()
      expect(kept).toHaveLength(MAX_SDK_BUILDS)
      expect(kept).not.toContain('1.0')
      expect(await stage.storage.sdkBuilds.find('1.0')).toBeUndefined()
      expect(await stage.storage.sdkBuilds.find('1.1')).toBeDefined()
    })
  })
}

function buildOf(id: string, content: Uint8Array = new Uint8Array([1, 2, 3])): SdkBuild {
  return {
    id,
    files: new Map([
      ['bugle.js', content],
      ['bugle.js.br', new Uint8Array([0])],
    ]),
  }
}
