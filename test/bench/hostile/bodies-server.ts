// The server of bodies.ts, which tells of itself when it is asked.
import { monitorEventLoopDelay } from 'node:perf_hooks'

import { createEngine, EngineError } from '@harvestman/core'
import { live } from '@harvestman/live'
import { createApi, serve } from '@harvestman/http'

// Present, so that every route reads its body before it finds out that there is nothing behind it.
const nothing = (): Promise<never> => Promise.reject(new EngineError('not_configured', 'Nothing is here.'))
const close = (): Promise<void> => Promise.resolve()
const engine = createEngine({
  llm: { ask: nothing },
  plugins: [live({ sessions: () => ({ open: nothing, close }), sandbox: { open: nothing, close } })],
})
const server = await serve(createApi(engine, { adminKey: 'admin' }), { port: 0 })

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

// The processor time of this thread between two turns of the loop: what other programs of the machine take is not in it.
const busy = { longest: 0, last: process.threadCpuUsage() }
setInterval(() => {
  const now = process.threadCpuUsage()
  const spent = now.user + now.system - busy.last.user - busy.last.system
  busy.longest = Math.max(busy.longest, spent / 1e3)
  busy.last = now
}, 1)

process.on('message', (question) => {
  if (question === 'collect') globalThis.gc?.()
  const megabytes = Math.round(process.memoryUsage.rss() / 1e6)
  process.send?.({ megabytes, delay: delay.max / 1e6, busy: busy.longest })
  if (question !== 'reset') return
  delay.reset()
  busy.longest = 0
})
process.on('disconnect', () => process.exit())
process.send?.({ url: server.url })
