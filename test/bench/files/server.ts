// The server of run.ts, in a process of its own: one that hangs or exits is seen from outside.
import { monitorEventLoopDelay } from 'node:perf_hooks'

import { createEngine } from '@harvestman/core'
import { documents } from '@harvestman/documents'
import { createApi, serve } from '@harvestman/http'
import { pdf } from '@harvestman/pdf'

const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: [documents(), pdf()] })
const server = await serve(createApi(engine), { port: 0 })
process.on('disconnect', () => process.exit())
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
process.on('message', () =>
  process.send?.({
    stall: Math.round(delay.max / 1e6),
    stall999: Math.round(delay.percentile(99.9) / 1e6),
    megabytes: Math.round(process.resourceUsage().maxRSS / 1_024),
  }),
)
process.send?.({ url: server.url })
