import { expect, test } from 'vitest'

import type { Store } from '@harvestman/ports'
import { storeByTeam } from './by-team.ts'
import { memoryStore } from '@harvestman/embedded'

/** A store that writes one thing at a time, and notes what. */
function slowly(): { readonly store: Store; readonly written: string[] } {
  const written: string[] = []
  const inner = memoryStore()
  let last: Promise<unknown> = Promise.resolve()
  const set: Store['set'] = (key, value, options) => {
    const work = last.then(() => inner.set(key, value, options)).then(() => void written.push(key))
    last = work
    return work
  }
  return { store: { ...inner, set }, written }
}

test(
  'ten thousand writes of one team keep the write of another waiting no longer than its turn',
  { tags: ['long'] },
  async () => {
    const { store, written } = slowly()
    const { of } = storeByTeam(store, 10)
    const many = Array.from({ length: 10_000 }, (_, number) => of('a').set(`a${number}`, number))
    await of('b').set('b', 1)
    expect(written.length).toBeLessThan(30)
    await Promise.all(many)
    expect(written.filter((key) => key.startsWith('a'))).toEqual(
      Array.from({ length: 10_000 }, (_, number) => `a${number}`),
    )
  },
)
