import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import { createClient, HarvestmanError } from '@harvestman/client'
import { createEngine } from '@harvestman/core'

import { start } from './server.ts'

test('the API reads a page for callers with the key', async (t) => {
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Lamp</title><h1>Lamp</h1><p>It is lit all night.</p>')
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8'] })
  const server = await start({ engine, key: 'secret', host: '127.0.0.1', port: 0 })
  t.after(async () => {
    await server.close()
    site.close()
  })

  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  const client = (key: string) => createClient({ url: `${server.url}/web`, key })
  const { markdown } = await client('secret').scrape({ url })
  assert.match(markdown, /It is lit all night/)
  const isRefused = (error: unknown) => error instanceof HarvestmanError && error.status === 401
  await assert.rejects(client('wrong').scrape({ url }), isRefused)
})
