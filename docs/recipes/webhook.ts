// Starts a crawl and receives its signed webhook messages.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, verifyWebhook } from '@harvestman/core'

const secret = 'a secret of at least 24 characters'
const over = Promise.withResolvers<void>()

async function hear(request: IncomingMessage): Promise<number> {
  const body = Buffer.concat(await request.toArray())
  if (!verifyWebhook({ headers: request.headers as Record<string, string>, body }, [secret])) return 401
  const { type } = JSON.parse(body.toString()) as { type: string }
  console.log(type)
  if (type === 'crawl.completed') over.resolve()
  return 200
}

const receiver = createServer((request, response) => {
  void hear(request).then((status) => response.writeHead(status).end())
}).listen(0, '127.0.0.1')
await new Promise((ready) => receiver.once('listening', ready))
const { port } = receiver.address() as AddressInfo

const [url = 'https://example.com/docs/'] = process.argv.slice(2)
const engine = createEngine({ webhookSecret: secret, allowPrivate: ['127.0.0.1/32'] })
await engine.crawl({ url, limit: 2, webhook: { url: `http://127.0.0.1:${port}/`, events: ['started', 'completed'] } })
await over.promise
await engine.close()
receiver.close()
