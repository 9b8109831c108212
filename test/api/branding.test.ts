// @module-tag browser
// The format branding over HTTP: a real server, a real engine and a real browser, on pages whose look is known.
import { createServer, type Server as PageServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, type Engine } from '@harvestman/core'
import { createApi, serve, type Server } from '@harvestman/http'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { brandPages, isRight, valueAt } from '../bench/branding/pages.ts'

let site: PageServer
let origin: string
let engine: Engine
let server: Server

const pdf = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'
// The page replaces what the script of the format uses.
const hostile = `<script>window.getComputedStyle = () => { throw new Error('no') }</script><p>Text</p>`

beforeAll(async () => {
  site = createServer(({ url = '/' }, response) => {
    if (url === '/file.json') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    if (url === '/file.pdf') return void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
    const html = url === '/hostile' ? hostile : brandPages[Number(url.slice(1))]?.html
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  engine = createEngine({ allowPrivate: ['127.0.0.0/8'], browser: puppeteerBrowser() })
  server = await serve(createApi(engine, { authenticate: async () => ({ team: 'one' }) }), { port: 0 })
})

afterAll(async () => {
  await server.close()
  await engine.close()
  site.closeAllConnections()
  site.close()
})

interface Body {
  readonly code?: string
  readonly data?: Readonly<Record<string, unknown>> & { readonly metadata: Readonly<Record<string, unknown>> }
}

async function scrape(path: string): Promise<{ readonly status: number; readonly body: Body }> {
  const body = JSON.stringify({ url: `${origin}${path}`, formats: ['branding'], timeout: 120_000 })
  const headers = { 'content-type': 'application/json', authorization: 'Bearer any' }
  const response = await fetch(`${server.url}/v2/scrape`, { method: 'POST', headers, body })
  return { status: response.status, body: (await response.json()) as Body }
}

test('The colors, fonts, logo and distances of 30 pages made by rule are found, for the price of a page', async () => {
  const wrong: unknown[] = []
  for (const [at, { values }] of brandPages.entries()) {
    const { status, body } = await scrape(`/${at}`)
    expect([status, body.data?.metadata['creditsUsed']]).toEqual([200, 1])
    const branding = body.data?.['branding']
    for (const [path, known] of Object.entries(values)) {
      const value = valueAt(branding, path)
      if (!isRight(value, known, origin)) wrong.push([at, path, value, known])
    }
  }
  expect(wrong).toEqual([])
}, 600_000)

test('A file and a page that hinders the reading are errors with a code of their own', async () => {
  for (const path of ['/file.pdf', '/file.json']) {
    const file = await scrape(path)
    expect([file.status, file.body.code]).toEqual([500, 'SCRAPE_BRANDING_NOT_SUPPORTED'])
  }
  const { status, body } = await scrape('/hostile')
  expect(status).toBe(500)
  expect(body).not.toHaveProperty('data')
}, 300_000)
