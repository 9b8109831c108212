// @module-tag long
// Questions to the web from the command line, with a language model and a search behind real HTTP.
import { startChatServer, type ChatReply } from '@harvestman/testing'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

import { bareEnv, startCommand, untilSaid } from './command.ts'
import { warmCommand } from './warm-command.ts'

// Each of these starts a program, and some two.
vi.setConfig({ testTimeout: 300_000 })

const folder = mkdtempSync(join(tmpdir(), 'harvestman-cli-answers-'))
const pages: Readonly<Record<string, string>> = {
  '/': '<title>Lamps</title><meta name="description" content="All lamps."><main><h1>Lamps</h1><p>We sell lamps.</p><a href="/aurora">Aurora</a></main>',
  '/aurora': '<title>Aurora</title><main><h1>Aurora</h1><p>The Aurora is made of oak and costs EUR 12.</p></main>',
}
const web = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://web')
  if (pathname === '/search') {
    const results = [{ url: `${url}aurora`, title: 'Aurora', content: 'A lamp of oak' }]
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
  }
  const page = pages[pathname]
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page ?? 'Not found')
})
await once(web.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`

const reply: ChatReply = ({ prompt, body }) => {
  if (prompt.includes('Choose what to search')) return { value: { queries: ['lamps'] } }
  if (prompt.includes('Judge whether')) return { value: { summary: 'One lamp.', gaps: [], isEnough: true } }
  if (prompt.includes('Write a thorough answer')) return { text: 'It is made of oak.' }
  if (prompt.includes('Say in one sentence')) return { text: 'A lamp of oak.' }
  if (!body.tools) return { value: { material: 'oak' } }
  const done = body.messages.filter(({ role }) => role === 'assistant').length
  return { calls: [done === 0 ? { name: 'read', input: { url: `${url}aurora` } } : { name: 'finish', input: {} }] }
}
const model = await startChatServer({ replies: [reply], key: 'k' })

afterAll(async () => {
  await warm.close()
  await model.close()
  web.closeAllConnections()
  web.close()
  rmSync(folder, { recursive: true })
})

const env = bareEnv(folder, {
  HARVESTMAN_ALLOW_PRIVATE: '127.0.0.0/8',
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: 'k',
  MODEL_NAME: 'm',
  SEARXNG_ENDPOINT: url,
})

const warm = warmCommand({ env, cwd: folder })
const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  warm.run(args, { env: { ...env, ...more } })

test('An extract takes addresses, and prints one value as data of the schema', { tags: ['long'] }, async () => {
  writeFileSync(
    join(folder, 'material.json'),
    JSON.stringify({ type: 'object', properties: { material: { type: 'string' } } }),
  )
  const { code, out, err } = await run(['extract', url, `${url}aurora`, '--schema', 'material.json'])
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(JSON.parse(out)).toEqual({ material: 'oak' })
})

test('An agent says what it does, and prints its answer as data of the schema', { tags: ['long'] }, async () => {
  writeFileSync(
    join(folder, 'lamp.json'),
    JSON.stringify({ type: 'object', properties: { material: { type: 'string' } }, required: ['material'] }),
  )
  const args = ['agent', 'What is it made of?', url, '--schema', 'lamp.json']
  const { code, out, err } = await startCommand(args, { env, cwd: folder }).ended
  expect({ code, err }).toMatchObject({ code: 0 })
  expect(JSON.parse(out)).toEqual({ material: 'oak' })
  expect(err).toContain(`read ${url}aurora`)
  expect(err).toMatch(/✓ agent answered in \d+ s, \d+ credits/)
})

test('Research prints its answer with its sources, or all that is known of it as JSON', async () => {
  const plain = await run(['deep-research', 'What are lamps made of?', '--depth', '1', '-o', 'lamps.md'])
  expect({ code: plain.code, out: plain.out, err: plain.err }).toMatchObject({ code: 0, out: '' })
  expect(readFileSync(join(folder, 'lamps.md'), 'utf8')).toBe(`It is made of oak.\n\n- [Aurora](${url}aurora)\n`)
  const json = await run(['deep-research', 'What are lamps made of?', '--depth', '1', '--json'])
  expect(JSON.parse(json.out)).toMatchObject({
    status: 'completed',
    data: { finalAnalysis: 'It is made of oak.', sources: [{ url: `${url}aurora` }] },
    request: { maxDepth: 1 },
  })
})

test('Research with --schema gives data that fits it', async () => {
  const schema = join(folder, 'lamp.json')
  writeFileSync(schema, JSON.stringify({ type: 'object', properties: { material: { type: 'string' } } }))
  const found = await run(['deep-research', 'What are lamps made of?', '--depth', '1', '--schema', schema])
  expect({ code: found.code, out: JSON.parse(found.out) as unknown }).toEqual({ code: 0, out: { material: 'oak' } })
})

test('An llms.txt of a site is printed, and with --full the texts of its pages', async () => {
  const list = await run(['llmstxt', url, '--limit', '5'])
  expect({ code: list.code, out: list.out }).toEqual({
    code: 0,
    out: `# ${url} llms.txt\n\n- [Lamps](${url}): All lamps.\n- [Aurora](${url}aurora): A lamp of oak.\n`,
  })
  const full = await run(['llmstxt', url, '--full'])
  expect(full.out).toContain('The Aurora is made of oak')
})

test('An agent that was interrupted goes on under its id', async () => {
  model.script(['silence'])
  const store = `sqlite:${join(folder, 'agents.sqlite')}`
  const first = startCommand(['agent', 'What is it made of?', url, '--store', store], { env, cwd: folder })
  await untilSaid(first, 'err', /agent [\da-f-]{36}/, 120_000)
  first.child.kill('SIGINT')
  const stopped = await first.ended
  expect(stopped.code).toBe(130)
  const id = /--resume ([\da-f-]{36})/.exec(stopped.err)?.[1] ?? ''
  model.script([reply])
  const { code, out } = await run(['agent', '--resume', id, '--store', store])
  expect({ code, out: JSON.parse(out) as unknown }).toEqual({ code: 0, out: { material: 'oak' } })
})

test('What is not right is one sentence, and a code for scripts', async () => {
  const without = await run(['agent', 'What is it?', url], {
    OPENAI_BASE_URL: '',
    OPENAI_API_KEY: '',
    MODEL_NAME: '',
  })
  expect(without.code).toBe(3)
  expect(without.err).toContain('language model')
  const empty = await run(['deep-research'])
  expect(empty.code).toBe(2)
  expect(empty.err).toContain('query')
  model.script([{ status: 400 }])
  const failed = await run(['agent', 'What is it?', url])
  expect(failed.code).toBe(4)
  expect(failed.err).toMatch(/✗ agent: .*model/i)
  model.script([reply])
})
