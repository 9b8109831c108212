// What the largest answers cost the main thread of a server: node test/bench/hostile/answers.ts [part of a name]
// The server runs in a process of its own. A step is the processor time of its thread in one turn of the event loop.
import { largeAnswers } from './large-answers.ts'
import { openLargeBench } from './large-bench.ts'

const part = process.argv[2] ?? ''
const bench = await openLargeBench()
const rows: Record<string, object> = {}
for (const page of largeAnswers.filter(({ name, isDrawn }) => name.includes(part) && (bench.hasBrowser || !isDrawn))) {
  const { status, code, bytes, step, readAgain, megabytes } = await bench.ask(page)
  rows[page.name] = {
    status: code ?? status,
    'answer MB': (bytes / 1e6).toFixed(1),
    'longest step ms': Math.round(step),
    'read again, longest step ms': Math.round(readAgain),
    'MB of the process': megabytes,
  }
}
console.table(rows)
await bench.close()
