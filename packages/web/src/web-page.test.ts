import { createEngine } from '@harvestman/core'
import { apiKeys, createApi } from '@harvestman/http'
import { expect, test } from 'vitest'

import { withWebPage } from './web-page.ts'

const basePath = '/web'

test.each([
  { path: '/web/', about: 'keeps the mount path, such as Hono' },
  { path: '/', about: 'removes the mount path, such as Express' },
])('serves the page under a mount path in a framework that $about', async ({ path }) => {
  await using engine = createEngine()
  const handle = await withWebPage(createApi(engine, { authenticate: apiKeys('secret'), basePath }), { basePath })
  const response = await handle(new Request(`http://localhost${path}`, { headers: { accept: 'text/html' } }))
  expect(response.headers.get('content-type')).toContain('text/html')
})
