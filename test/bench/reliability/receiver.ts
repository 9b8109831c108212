// A receiver of webhooks that remembers what it was told, by job.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { verifyWebhook } from '@harvestman/core'

export interface Told {
  /** The messages by their id, in the order in which they came first. */
  readonly messages: Map<string, Message>
  /** How often one came that was there before. */
  repeats: number
  /** Messages that came without a right signature. */
  forged: number
}

export interface Message {
  readonly type: string
  readonly url: string | undefined
}

interface Body {
  readonly id: string
  readonly type: string
  readonly webhookId: string
  readonly data: readonly { readonly metadata?: { readonly sourceURL?: string } }[]
}

/** A GET of the id of a job says whether its last message has come. */
export async function startReceiver(secret?: string) {
  const jobs = new Map<string, Told>()
  const toldOf = (id: string): Told => {
    const told = jobs.get(id) ?? { messages: new Map(), repeats: 0, forged: 0 }
    jobs.set(id, told)
    return told
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const { messages } = toldOf(request.url?.slice(1) ?? '')
      return void response.end(String([...messages.values()].some(({ type }) => type === 'crawl.completed')))
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const { id, type, webhookId, data } = JSON.parse(bytes.toString()) as Body
      const told = toldOf(id)
      const headers = request.headers as Readonly<Record<string, string>>
      if (secret !== undefined && !verifyWebhook({ headers, body: bytes }, secret)) told.forged += 1
      if (told.messages.has(webhookId)) told.repeats += 1
      else told.messages.set(webhookId, { type, url: data[0]?.metadata?.sourceURL })
      response.end('ok')
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    told: toldOf,
    close: () => new Promise<void>((done) => server.close(() => done()).closeAllConnections()),
  }
}
