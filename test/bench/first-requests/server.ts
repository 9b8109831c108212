// The server of run.ts, as `harvestman serve` starts it, in a process of its own.
import { openServer, readConfig } from '@harvestman/node'

import { measureSteps, type Steps } from '../files/steps.ts'

const isProfiled = process.argv.includes('--profile')
const { config } = readConfig({ given: { store: 'memory:', port: 0, allowPrivate: ['127.0.0.0/8'] } })
const server = await openServer(config)
const listensAfter = Math.round(cpu())
let end = await measureSteps(isProfiled)
process.on('disconnect', () => process.exit())
process.on('message', () => void report())
process.send?.({ url: server.url, cpu: listensAfter })

/** Reports the steps since the last report, and starts to measure again. */
async function report(): Promise<void> {
  const steps: Steps = await end()
  process.send?.({ ...steps, total: Math.round(cpu()) })
  end = await measureSteps(isProfiled)
}

function cpu(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e3
}
