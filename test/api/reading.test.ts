// A reading of a plugin, in this process and over HTTP.
import { createEngine } from '@harvestman/core'
import { createApi, serve } from '@harvestman/http'
import { answerPage, startSite, type Visit } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { specsOf, specTables } from '../../docs/examples/plugin-reading.ts'

const row = (name: string, value: string) => `<tr><th>${name}</th><td>${value}</td></tr>`
const html = `<table>${row('Menu', 'Home')}</table>
  <table id="specs">${row('Height', '40 <b>cm</b>')}${row('Bulb', '<a href="/bulbs/e27">E27</a>')}</table>`

async function lampSite() {
  const handle = (visit: Visit): void => answerPage(visit, 'Lamp', html)
  const site = await startSite({ routes: [{ path: '/lamp', about: 'a lamp', handle }] })
  return {
    url: `${site.url}/lamp`,
    base: site.url,
    allow: [`127.0.0.1/32:${new URL(site.url).port}`],
    close: site.close,
  }
}

test('A reading of a plugin gives the values of the page tree, in this process and over HTTP', async () => {
  const site = await lampSite()
  const engine = createEngine({ allowPrivate: site.allow, plugins: [specTables] })
  const server = await serve(createApi(engine), { port: 0 })
  try {
    const specs = [
      { name: 'Height', value: '40 cm' },
      { name: 'Bulb', value: 'E27', url: `${site.base}/bulbs/e27` },
    ]
    expect(await specsOf(site.url, site.allow)).toEqual(specs)
    const scrape = async (format: object) => {
      const response = await fetch(`${server.url}/v2/scrape`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: site.url, formats: ['markdown', format] }),
      })
      return (await response.json()) as { readonly data: Readonly<Record<string, unknown>> }
    }
    expect(await scrape({ type: 'specs', within: '#specs' })).toMatchObject({
      success: true,
      data: { specs, markdown: expect.stringContaining('# Lamp') },
    })
    const { data } = await scrape({ type: 'specs', within: 'footer' })
    expect(data).toMatchObject({ specs: [], warning: expect.stringContaining('within footer') })
  } finally {
    for (const one of [server, engine, site]) await one.close()
  }
})
