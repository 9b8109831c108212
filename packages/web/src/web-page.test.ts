import { createEngine } from '@harvestman/core'
import { apiKeys, createApi } from '@harvestman/http'
import { expect, test } from 'vitest'

import { withWebPage } from './web-page.ts'

test.each([
  { basePath: '', path: '/', about: 'has no mount path' },
  { basePath: '/web', path: '/web/', about: 'keeps the mount path, such as Hono' },
  { basePath: '/web', path: '/', about: 'removes the mount path, such as Express' },
  { basePath: '/ui', path: '/ui/', about: 'keeps the mount path' },
  { basePath: '/ui', path: '/', about: 'removes the mount path' },
])('serves the page and its files under "$basePath" in a framework that $about', async ({ basePath, path }) => {
  await using engine = createEngine()
  const handle = await withWebPage(createApi(engine, { authenticate: apiKeys('secret'), basePath }), { basePath })
  const get = (url: string) => handle(new Request(`http://localhost${url}`, { headers: { accept: 'text/html' } }))
  const page = await get(path)
  expect(page.headers.get('content-type')).toContain('text/html')
  const files = (await page.text()).match(/ui\/assets\/[^"]+/g) ?? []
  expect(files).not.toEqual([])
  for (const file of [...files, 'ui/session']) expect((await get(path + file)).status).toBe(200)
})
