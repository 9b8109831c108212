// Run as a process of its own by the tests: takes tasks, says so, and never finishes them.
import { writeSync } from 'node:fs'

import { bullQueue } from '../src/index.ts'

const [, , url = '', prefix = ''] = process.argv
let taken = 0
const hold = (): Promise<void> => {
  taken += 1
  if (taken === 3) writeSync(1, 'holding\n')
  return new Promise(() => undefined)
}
await bullQueue(url, { prefix, lease: 1000 }).consume(hold, { kind: 'test', concurrency: 3 })
