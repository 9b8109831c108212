// A scanned invoice: a page that a browser draws, turned a little and with noise, as the only picture of a PDF.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { startChatServer } from '@harvestman/testing'
import type { Browser } from 'puppeteer-core'

const rows = [
  ['Field guide to harvestmen', '2', '24.00', '48.00'],
  ['Hand lens, 10 times', '4', '18.50', '74.00'],
  ['Sieve for leaf litter', '3', '31.00', '93.00'],
]

const style = `
html{background:#fff}
body{margin:0;width:1240px;height:1754px;overflow:hidden;background:#fff}
main{position:absolute;inset:0;padding:120px 110px;font:30px/1.5 'DejaVu Sans',sans-serif;color:#222;transform:rotate(1.4deg)}
h1{font-size:54px;margin:0 0 40px}table{width:100%;border-collapse:collapse;margin:50px 0}
th,td{border:2px solid #444;padding:12px 16px;text-align:left}td:nth-child(n+2),th:nth-child(n+2){text-align:right}
.last{margin-top:120px}
canvas{position:absolute;inset:0;mix-blend-mode:multiply}`

const html = `<!doctype html><style>${style}</style><main>
<h1>Invoice 2026-0417</h1>
<p>Opilio Books Ltd<br>12 Long Leg Lane, Bristol</p>
<p>Date: 17 April 2026<br>Due: 17 May 2026</p>
<table><tr><th>Item</th><th>Count</th><th>Price</th><th>Amount</th></tr>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>
<p>Total: 215.00 EUR</p>
<p class="last">Please pay within thirty days, and name the number of the invoice.</p></main><canvas width="1240" height="1754"></canvas>`

/** Gray noise and specks on the canvas, the same each time. */
const addNoise = `(() => {
  const canvas = document.querySelector('canvas')
  const context = canvas.getContext('2d')
  const image = context.createImageData(canvas.width, canvas.height)
  let seed = 7
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
  for (let at = 0; at < image.data.length; at += 4) {
    const gray = random() < 0.0004 ? 120 : 226 + random() * 29
    image.data.set([gray, gray, gray, 255], at)
  }
  context.putImageData(image, 0, 0)
})()`

/** Draws the scan as a PDF. */
export async function makeInvoice(browser: Browser): Promise<Uint8Array> {
  const page = await browser.newPage()
  await page.setViewport({ width: 1_240, height: 1_754 })
  await page.setContent(html)
  await page.evaluate(addNoise)
  const picture = await page.screenshot({ type: 'jpeg', quality: 80, encoding: 'base64' })
  const sheet = `<style>@page{margin:0}body{margin:0}img{display:block;width:210mm;height:296.9mm}</style>`
  await page.setContent(`${sheet}<img src="data:image/jpeg;base64,${picture}">`)
  const file = await page.pdf({ format: 'A4', printBackground: true, pageRanges: '1' })
  await page.close()
  return file
}

const values = {
  number: '2026-0417',
  supplier: 'Opilio Books Ltd',
  due: '17 May 2026',
  total: '215.00 EUR',
}

const schema = {
  type: 'object',
  properties: Object.fromEntries(Object.keys(values).map((name) => [name, { type: 'string' }])),
}

/** A site with the invoice, and a model that knows its values. */
export interface InvoiceSite extends AsyncDisposable {
  /** Address of the view with the request that reads the invoice. */
  readonly view: string
  /** Settings of a server that reads it. */
  readonly environment: Readonly<Record<string, string>>
}

/** Serves the invoice, and a chat-completions endpoint with scripted replies. */
export async function startInvoiceSite(browser: Browser): Promise<InvoiceSite> {
  const file = await makeInvoice(browser)
  const model = await startChatServer({ replies: [{ value: values }] })
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end(file))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const request = {
    kind: 'scrape',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/invoice.pdf`,
    formats: ['markdown', 'json'],
    formatValues: { json: { schema } },
    values: { parsers: [{ type: 'pdf', blocks: true, pageImages: true }], timeout: 120_000 },
  }
  return {
    view: `try?${new URLSearchParams({ request: JSON.stringify(request) }).toString()}`,
    environment: {
      HARVESTMAN_OCR: 'eng',
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'scripted',
      MODEL_NAME: 'scripted',
    },
    [Symbol.asyncDispose]: async () => {
      await model.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
