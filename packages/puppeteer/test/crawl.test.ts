// @module-tag browser
import { createEngine } from '@harvestman/core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { puppeteerBrowser } from '../src/index.ts'
import { serve, type Served } from './servers.ts'

const drawn = `<!doctype html><title>Start</title><main id="here">Nothing yet</main><script>
  const link = (path) => '<p>Leads on to <a href="' + path + '">a page</a> of this site.</p>'
  setTimeout(() => {
    document.querySelector('#here').innerHTML = link('/drawn') + '<iframe src="/inside.html"></iframe><div id="host"></div>'
    document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = link('/shadow')
  }, 50)
</script>`
const plain = (title: string): string => `<!doctype html><title>${title}</title><h1>${title}</h1><p>Some words.</p>`

let site: Served
beforeAll(async () => {
  site = await serve({
    '/': drawn,
    '/inside.html': '<!doctype html><a href="/framed">In a frame</a>',
    '/drawn': plain('Drawn'),
    '/shadow': plain('Shadow'),
    '/framed': plain('Framed'),
  })
})
afterAll(() => site.close())

test('a crawl follows the links that scripts draw, in frames and in open shadow roots too', async () => {
  await using engine = createEngine({ allowPrivate: ['127.0.0.0/8'], browser: puppeteerBrowser() })
  const start = `http://127.0.0.1:${site.port}`
  const crawl = await engine.crawl({
    url: `${start}/`,
    sitemap: 'skip',
    ignoreRobotsTxt: true,
    scrapeOptions: { formats: ['markdown'], waitFor: 500 },
  })
  const found: string[] = []
  for await (const { metadata } of crawl.documents()) found.push(metadata.url.slice(start.length))
  // What stands in a frame is a part of the page around it.
  expect(found.sort()).toEqual(['/', '/drawn', '/framed', '/shadow'])
})
