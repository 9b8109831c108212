// The server of run.ts, in a process of its own: one that hangs or exits is seen from outside.
import { createEngine } from '@harvestman/core'
import { documents } from '@harvestman/documents'
import { createApi, serve } from '@harvestman/http'
import { pdf } from '@harvestman/pdf'

import { measureSteps } from './steps.ts'

const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: [documents(), pdf()] })
// As the command does: the first page then loads no modules.
await engine.warmUp()
const server = await serve(createApi(engine), { port: 0 })
process.on('disconnect', () => process.exit())
const endSteps = await measureSteps(process.argv.includes('--profile'))
const report = async (): Promise<void> => {
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1_024)
  process.send?.({ ...(await endSteps()), megabytes })
}
process.on('message', () => void report())
process.send?.({ url: server.url })
