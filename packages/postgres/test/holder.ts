// Run as a process of its own by the tests: takes tasks, says so, and never finishes them.
import { writeSync } from 'node:fs'

import { bossQueue } from '../src/index.ts'

const [, , url = '', schema = ''] = process.argv
let taken = 0
const hold = (): Promise<void> => {
  taken += 1
  if (taken === 3) writeSync(1, 'holding\n')
  return new Promise(() => undefined)
}
await bossQueue(url, { schema, lease: 10_000 }).consume(hold, { kind: 'test', concurrency: 3 })
setInterval(() => undefined, 1000)
