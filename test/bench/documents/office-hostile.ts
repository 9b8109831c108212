// What is said of hostile office files, and after how long: node test/bench/documents/office-hostile.ts
// Each is read through an engine; `stall` is the longest time that the main thread stood still meanwhile.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

import { EngineError } from '@harvestman/core'

import { hostile } from '../../../packages/documents/src/fixtures/hostile.ts'
import { fileReader } from '../../../packages/documents/src/fixtures/reading.ts'

const reader = fileReader()
const table = []
for (const { name, make, type, file } of hostile) {
  const bytes = make()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const start = performance.now()
  const outcome = await reader.read(bytes, type, file).then(
    ({ markdown, warning }) => `${markdown.length} characters${warning ? ', with a warning' : ''}`,
    (error: unknown) => (EngineError.is(error) ? `${error.code}, ${String(error.details['reason'])}` : 'fault'),
  )
  const ms = Math.round(performance.now() - start)
  delay.disable()
  table.push({
    file: name,
    KB: Math.round(bytes.length / 1_000),
    answer: outcome,
    ms,
    'stall ms': Math.round(delay.max / 1e6),
  })
}
await reader.close()
console.table(table)
console.log(`The prototype of all objects is ${Object.keys(Object.prototype).length === 0 ? 'clean' : 'polluted'}.`)
