// Runs jobs until it is stopped: npm run worker. Start several, on any host that can connect to Redis.
import { openEngine } from './engine.ts'

const { engine, store, queue } = openEngine({ works: true })
await engine.jobs.work()
console.log('Waiting for jobs')

async function close(): Promise<void> {
  await engine.close()
  await queue.close()
  await store.close()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
