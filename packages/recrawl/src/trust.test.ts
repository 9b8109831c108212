import type { PluginStore } from '@harvestman/core/plugin'
import type { Value } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { strangerHost, trustIn, updateTrust } from './trust.ts'

function storeOf(kept: Value): PluginStore {
  const values = new Map<string, Value | undefined>([['host/a.test', kept]])
  const get = async (key: string): Promise<Value | undefined> => values.get(key)
  const update = async (key: string, change: (old: Value | undefined) => Value | undefined) => {
    values.set(key, change(values.get(key)))
    return values.get(key)
  }
  // Cast: trust uses only these two.
  return { get, update } as Partial<PluginStore> as PluginStore
}

const agreed = { by: 'validators', saysChanged: false, hasChanged: false } as const

test.each([['damaged'], [{ layout: 1, validators: 1 }], [[1]]])(
  'a damaged record of a host counts as unknown, and is replaced (%j)',
  async (kept) => {
    const store = storeOf(kept)
    expect(await trustIn(store, 'a.test')).toEqual(strangerHost)
    await updateTrust(store, 'a.test', [agreed], 0)
    expect((await trustIn(store, 'a.test')).validators.agreed).toBe(1)
  },
)

test('a record of a newer version is refused', async () => {
  await expect(trustIn(storeOf({ layout: 2 }), 'a.test')).rejects.toMatchObject({ code: 'newer_version' })
})
