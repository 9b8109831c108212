// @module-tag browser
// Screenshots on a local server of S3, as callers of the API get them: real Chromium, real HTTP.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server as Site } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'
import { createApi, serve } from '@harvestman/http'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { s3Blobs } from '@harvestman/s3'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface S3rver {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}
const require = createRequire(new URL('../../packages/s3/package.json', import.meta.url))
const S3rver = require('s3rver') as new (options: object) => S3rver

const folder = mkdtempSync(join(tmpdir(), 'harvestman-s3-files-'))
const buckets = { silent: true, directory: folder, configureBuckets: [{ name: 'files' }] }
const storage = new S3rver({ port: 0, address: '127.0.0.1', ...buckets })
let endpoint = ''
let site: Site
let page = ''
beforeAll(async () => {
  endpoint = `http://127.0.0.1:${(await storage.run()).port}`
  site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>A page</h1>'))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  page = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
})
afterAll(async () => {
  await storage.close()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The address of a screenshot that the API gives, and what stands there. */
async function screenshot(isPublic: boolean) {
  const blobs = s3Blobs({ endpoint, bucket: 'files', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', isPublic })
  const engine = createEngine({
    blobs,
    browser: puppeteerBrowser(),
    allowPrivate: ['127.0.0.0/8'],
    keep: { files: 90_000 },
  })
  const api = await serve(createApi(engine), { port: 0 })
  const answer = await fetch(`${api.url}/v2/scrape`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: page, formats: ['screenshot'] }),
  })
  const { data } = (await answer.json()) as { readonly data: { readonly screenshot: string } }
  const url = new URL(data.screenshot)
  const picture = new Uint8Array(await (await fetch(url)).arrayBuffer())
  await api.close()
  await engine.close()
  await blobs.close()
  return { url, isPng: picture[0] === 0x89 && picture[1] === 0x50, origin: new URL(api.url).origin }
}

test('callers that reach S3 themselves are given a signed address that ends with the file', async () => {
  const { url, isPng } = await screenshot(true)
  expect([url.origin, isPng, url.searchParams.get('X-Amz-Expires')]).toEqual([endpoint, true, '90'])
  expect(url.searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/)
})

test('other callers are given an address of the API, which reads it for them', async () => {
  const { url, isPng, origin } = await screenshot(false)
  expect([url.origin, isPng]).toEqual([origin, true])
})
