// The server of bodies.ts, which tells of itself when it is asked.
import { monitorEventLoopDelay } from 'node:perf_hooks'

import { createEngine } from '@harvestman/core'
import { createApi, serve } from '@harvestman/http'

const engine = createEngine()
const server = await serve(createApi(engine), { port: 0 })
const delay = monitorEventLoopDelay({ resolution: 2 })
delay.enable()

process.on('message', (question) => {
  if (question === 'collect') globalThis.gc?.()
  if (question === 'reset') delay.reset()
  process.send?.({ megabytes: Math.round(process.memoryUsage.rss() / 1e6), stall: delay.max / 1e6 })
})
process.send?.({ url: server.url })
