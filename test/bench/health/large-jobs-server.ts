// The server of large-jobs.ts, as `harvestman serve` starts it: large-jobs-server.ts <store> [--profile]
import { openServer, readConfig } from '@harvestman/node'

import { measureSteps } from '../files/steps.ts'

const [store = 'memory:', profile] = process.argv.slice(2)
let end = await measureSteps(profile === '--profile')
let server = await open(0)
process.on('disconnect', () => process.exit())
process.on('message', (message) => void (message === 'reopen' ? reopen() : report()))
process.send?.({ url: server.url })

/** Reports the steps since the last report, and starts to measure again. */
async function report(): Promise<void> {
  process.send?.(await end())
  end = await measureSteps(profile === '--profile')
}

/** Closes the server and opens another one on the same store, whose code is loaded already. Measures from when it listens. */
async function reopen(): Promise<void> {
  await server.close()
  server = await open(Number(new URL(server.url).port))
  await end()
  end = await measureSteps(profile === '--profile')
  process.send?.({ url: server.url })
}

function open(port: number) {
  const { config } = readConfig({ given: { store, port, allowPrivate: ['127.0.0.0/8'] } })
  return openServer(config)
}
