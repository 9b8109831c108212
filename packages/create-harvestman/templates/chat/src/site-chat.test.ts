import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import { functionLLM } from '@harvestman/llm'

import { openChat } from './site-chat.ts'

test('an answer cites the passage that it is based on', async (t) => {
  const site = createServer((_, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end('<title>Shop</title><main><h1>Shop</h1><h2>Lamps</h2><p>The lamp of this shop costs 12 euros.</p></main>')
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  let prompt = ''
  const model = functionLLM((question) => {
    prompt = question.prompt
    return 'It costs 12 euros [1]. Delivery is free [1, 7].'
  })
  const chat = openChat({ allowPrivate: ['127.0.0.0/8'], model })
  t.after(async () => {
    await chat.close()
    site.close()
  })

  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  assert.equal(await chat.read(url, 1), 1)
  const { sources } = await chat.answer('What does the lamp cost?')
  assert.match(prompt, /The lamp of this shop costs 12 euros/)
  assert.deepEqual(
    sources.map(({ number, title }) => [number, title]),
    [[1, 'Shop']],
  )
  assert.ok(sources[0]?.link.startsWith(`${url}#:~:text=`))
  assert.equal((await chat.answer('What is "the price" of -lamp site:other.example?')).sources.length, 1)
  assert.deepEqual((await chat.answer('zebra')).sources, [])
})
