// The server of large-jobs.ts, as `harvestman serve` starts it: large-jobs-server.ts <store> [--profile]
// It measures the steps of its main thread from before the store is opened, so that jobs continued at the start count.
import { openServer, readConfig } from '@harvestman/node'

import { measureSteps } from '../files/steps.ts'

const [store = 'memory:', profile] = process.argv.slice(2)
let end = await measureSteps(profile === '--profile')
process.on('disconnect', () => process.exit())
process.on('message', () => void report())
const { config } = readConfig({ given: { store, port: 0, allowPrivate: ['127.0.0.0/8'] } })
const { url } = await openServer(config)
process.send?.({ url })

/** Reports the steps since the last report, and starts to measure again. */
async function report(): Promise<void> {
  process.send?.(await end())
  end = await measureSteps(profile === '--profile')
}
