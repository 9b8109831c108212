// Run as a process of its own by the tests: writes to the store in `file`, and says on stdout what was acknowledged.
import { writeSync } from 'node:fs'

import { sqliteStore } from '../src/index.ts'

const [, , file = '', work = '', name = ''] = process.argv
const store = sqliteStore(file)
const say = (line: string) => writeSync(1, `${line}\n`)

const works: Readonly<Record<string, () => Promise<unknown>>> = {
  // Eight writers that never stop, until they are killed.
  write: () => Promise.all(Array.from({ length: 8 }, (_, writer) => writeOn(writer))),
  count: async () => {
    for (let number = 0; number < 200; number += 1)
      await store.update('count', (old) => ((old as number | undefined) ?? 0) + 1)
    await store.set(`done by ${name}`, true)
    await store.close()
  },
}

async function writeOn(writer: number): Promise<never> {
  for (let number = 0; ; number += 1) {
    const key = `${writer}/${number}`
    if (number % 3 === 0) await store.update(key, () => ({ key }))
    else await store.set(key, number % 3 === 1 ? { key } : new TextEncoder().encode(JSON.stringify({ key })))
    say(key)
  }
}

await works[work]?.()
