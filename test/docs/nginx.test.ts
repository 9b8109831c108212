// The configurations of nginx in the docs, loaded by nginx, with a server of ours behind them.
// @module-tag nginx
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { createEngine, type Engine } from '@harvestman/core'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { freePort, startSite } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../docs/${path}`, import.meta.url)), 'utf8')
const configurations = [
  { file: 'deploy/nginx.conf', text: read('deploy/nginx.conf'), path: '' },
  { file: 'own-server.md', text: /```nginx\n([^]*?)\n```/.exec(read('own-server.md'))?.[1] ?? '', path: '/web' },
]

const key = 'fc-key'
const ends: (() => unknown)[] = []
let site: Awaited<ReturnType<typeof startSite>>
let engine: Engine
let behind: Server

beforeAll(async () => {
  site = await startSite()
  engine = createEngine({ allowPrivate: ['127.0.0.0/8'] })
  behind = await serve(createApi(engine, { authenticate: apiKeys(key), trustProxy: true }), { port: 0, owns: [engine] })
})

afterAll(async () => {
  for (const end of ends.splice(0)) await end()
  await behind.close()
  await site.close()
})

/** Starts nginx with a file of `conf.d`, on ports of this run. */
async function startNginx(text: string): Promise<string> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  // Workers of nginx have a user of their own, where the test is root.
  chmodSync(folder, 0o755)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const here = text
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:3002', `127.0.0.1:${behind.port}`)
  expect(here).toContain(`127.0.0.1:${behind.port}`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; events {}\nhttp { access_log off; ${temporary.join(' ')}\n${here}\n}`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'])
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text))
  const ended = once(child, 'exit')
  ends.push(async () => {
    child.kill()
    await ended
    rmSync(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${port}`
  const answers = (): Promise<boolean> =>
    fetch(url).then(
      () => true,
      () => false,
    )
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`nginx does not load this: ${said}`)
    await setTimeout(50)
  }
  return url
}

describe.each(configurations)('Behind nginx with $file', ({ text, path }) => {
  let base = ''
  beforeAll(async () => void (base = `${await startNginx(text)}${path}`))
  const headers = { authorization: `Bearer ${key}` }
  const post = async (at: string, body: FormData | object) => {
    const isForm = body instanceof FormData
    const response = await fetch(base + at, {
      method: 'POST',
      headers: isForm ? headers : { ...headers, 'content-type': 'application/json' },
      body: isForm ? body : JSON.stringify(body),
    })
    return (await response.json()) as Readonly<Record<string, unknown>>
  }

  test('a crawl is asked for, its link leads through nginx, and a WebSocket tells of it', async () => {
    const { id, url } = await post('/v2/crawl', { url: `${site.url}/crawl/`, limit: 2 })
    expect(url).toBe(`${base}/v2/crawl/${String(id)}`)
    expect((await fetch(String(url), { headers })).status).toBe(200)
    const socket = new WebSocket(String(url).replace('http', 'ws'), key)
    const [message] = (await once(socket, 'message')) as { readonly data: string }[]
    expect(JSON.parse(message?.data ?? '')).toMatchObject({ type: expect.any(String) as unknown })
    socket.close()
  })

  test('a file of 19 MB is taken', async () => {
    const form = new FormData()
    const html = `<main><h1>Large</h1><p>Words.</p></main><!--${'x'.repeat(19_000_000)}-->`
    form.append('file', new Blob([html], { type: 'text/html' }), 'large.html')
    expect(await post('/v2/parse', form)).toMatchObject({ success: true })
  })
})
