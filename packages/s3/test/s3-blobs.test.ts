import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { EngineError } from '@harvestman/core'
import { blobsContract } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { s3Blobs } from '../src/index.ts'

interface S3rver {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}

// A real server of the protocol. It knows keys and times and does not calculate signatures of version 4: those are held
// against the published examples in src/sign.test.ts. It has no types.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver

const folder = mkdtempSync(join(tmpdir(), 'harvestman-s3-'))
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: folder,
  configureBuckets: [{ name: 'files' }],
})
let endpoint = ''
beforeAll(async () => {
  const { port } = await server.run()
  endpoint = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const open = (more: object = {}) => s3Blobs({ endpoint, bucket: 'files', ...keys, ...more })
const png = { bytes: new Uint8Array([1, 2, 3]), type: 'image/png', team: 'one', ttl: 3_600_000 }

describe('s3Blobs keeps the contract', () => {
  for (const { name, run } of blobsContract) test(name, () => run(({ clock }) => open({ clock })))
})

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.catch((error: unknown) => error)
  return EngineError.is(error) ? error.code : error
}

test('the address of a file is opened without a key, and that of another one is not there', async () => {
  const blobs = open()
  const { id, url = '' } = await blobs.put(png)
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png.bytes)
  expect(
    (
      await fetch(
        url.replace(
          id,
          id.replace(/^./, (first) => (first === '0' ? '1' : '0')),
        ),
      )
    ).status,
  ).not.toBe(200)
})

test('an address is good for as long as was said', async () => {
  const { url = '' } = await open().put({ ...png, ttl: 1000 })
  expect((await fetch(url)).status).toBe(200)
  await expect.poll(async () => (await fetch(url)).status, { interval: 300 }).toBe(403)
})

test('a key that is wrong, a bucket that is not there and a server that is away are said to be so', async () => {
  expect(await reasonOf(open({ accessKeyId: 'unknown' }).put(png))).toBe('store_failed')
  expect(await reasonOf(open({ bucket: 'none' }).put(png))).toBe('store_failed')
  expect(await reasonOf(open({ endpoint: 'http://127.0.0.1:1' }).put(png))).toBe('store_failed')
  expect(await reasonOf(open({ bytes: 2 }).put(png))).toBe('store_failed')
  expect(() => open({ endpoint: 'ftp://x' })).toThrow('endpoint')
  expect(() => open({ prefix: '../ü?' })).toThrow('prefix')
})
