// The server of run.ts, in a process of its own: one that hangs or exits is seen from outside.
import { createEngine } from '@harvestman/core'
import { documents } from '@harvestman/documents'
import { createApi, serve } from '@harvestman/http'
import { pdf } from '@harvestman/pdf'

const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], plugins: [documents(), pdf()] })
const server = await serve(createApi(engine), { port: 0 })
process.on('disconnect', () => process.exit())
process.send?.({ url: server.url })
