// @module-tag long
// Each template of `npm create harvestman`: created by the packed command, installed with the packed packages, checked, tested,
// started and asked for a page.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { startChatServer, startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { templates } from '../../packages/create-harvestman/src/templates.ts'
import { startRedis } from '../../packages/redis/test/server.ts'
import { installProjects, openProject, slow } from './project.ts'
import { packAll } from './packing.ts'

const execute = promisify(execFile)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harvestman-create-')))
const groups: ChildProcess[] = []
let site: Site

beforeAll(async () => {
  const { installed } = await openProject()
  const command = join(installed, 'node_modules/create-harvestman/dist/main.js')
  for (const { name } of templates)
    execFileSync(process.execPath, [command, '--template', name, name], { cwd: folder, stdio: 'pipe' })
  const { folder: packed, tarballs } = await packAll()
  const files = tarballs.map((name) => join(packed, name))
  installProjects(folder, files)
  site = await startSite()
}, slow)

afterAll(async () => {
  await Promise.all(groups.map(endGroup))
  await site?.close()
  rmSync(folder, { recursive: true, force: true })
}, slow)

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  // Negative: a script starts programs of its own.
  process.kill(-child.pid!, 'SIGTERM')
  await ended
}

const environment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: undefined,
  NEXT_TELEMETRY_DISABLED: '1',
  ALLOW_PRIVATE: `127.0.0.1/32:${new URL(site.url).port}`,
  PORT: '0',
  ...more,
})

/** What a script of the project prints. */
function script(template: string, name: string, ...args: readonly string[]): Promise<string> {
  return scriptWith({}, template, name, ...args)
}

async function scriptWith(
  settings: Readonly<Record<string, string>>,
  template: string,
  name: string,
  ...args: readonly string[]
): Promise<string> {
  const options = { cwd: join(folder, template), env: environment(settings), timeout: slow }
  const { stdout } = await execute(process.execPath, ['--run', name, '--', ...args], options).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`${name} of ${template} failed.\n${error.stdout}\n${error.stderr}`)
    },
  )
  return stdout
}

/** Starts a script that stays, and waits for what it says when it is ready. */
async function start(template: string, name: string, ready: RegExp, more = {}): Promise<string> {
  const options = { cwd: join(folder, template), env: environment(more), detached: true } as const
  const child = spawn(process.execPath, ['--run', name], options)
  groups.push(child)
  let said = ''
  return new Promise((resolve, reject) => {
    const hear = (text: Buffer): void => {
      said += String(text)
      const found = ready.exec(said)
      if (found) resolve(found[1] ?? '')
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => reject(new Error(`${name} of ${template} ended: ${said}`)))
  })
}

function keyOf(template: string): string {
  return /KEY=(\S+)/.exec(readFileSync(join(folder, template, '.env'), 'utf8'))?.[1] ?? ''
}

async function ask(url: string, path: string, key: string, body?: object) {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> }
}

test.each(templates)(
  'a project of the template $name has no mistake in its types',
  { timeout: slow },
  async ({ name }) => {
    await script(name, 'check')
  },
)

const tested = ['hono', 'express', 'fastify', 'chat', 'plugin']

test.each(tested)('the tests of the template %s pass', { timeout: slow }, async (name) => {
  expect(await script(name, 'test')).toMatch(/pass [1-9]/)
})

test('the script prints a page and what it links to', { timeout: slow }, async () => {
  const said = await script('script', 'start', `${site.url}/crawl/`)
  expect(said).toContain(`${site.url}/crawl/ has `)
  expect(said).toMatch(new RegExp(`^200 ${site.url}/`, 'm'))
})

test('the chat answers a question about a site with a citation', { timeout: slow }, async () => {
  const text = 'It walks on six legs [1].'
  const chat = await startChatServer({ replies: [{ text }] })
  onTestFinished(() => chat.close())
  const settings = { MODEL_URL: chat.url, PAGES: '1' }
  const url = `${site.url}/good/article`
  const said = await scriptWith(settings, 'chat', 'start', url, 'On how many legs does it walk?')
  expect(said).toContain(`Pages read from ${url}: 1`)
  expect(said).toContain(text)
  expect(said).toContain(`    ${url}#:~:text=`)
  expect(chat.requests[0]?.prompt).toContain('but it walks on six')
})

test('the plugin is built as others import it', { timeout: slow }, async () => {
  await script('plugin', 'build')
  const program = "const { prices } = await import('plugin'); console.log(prices().name)"
  const options = { cwd: join(folder, 'plugin'), encoding: 'utf8' } as const
  expect(execFileSync(process.execPath, ['--input-type=module', '--eval', program], options)).toBe('prices\n')
})

const servers = [
  { name: 'hono', run: 'start' },
  { name: 'express', run: 'start' },
  { name: 'fastify', run: 'start' },
  { name: 'next', run: 'dev' },
]

test.each(servers)('the server of the template $name reads a page', { timeout: slow }, async ({ name, run }) => {
  const url = await start(name, run, /(http:\/\/(?:localhost|127\.0\.0\.1):\d+)/)
  const request = { url: `${site.url}/good/article` }
  const { answer } = await ask(url, '/web/v2/scrape', keyOf(name), request)
  expect(answer).toMatchObject({ data: { markdown: expect.stringContaining('but it walks on six') } })
  expect((await ask(url, '/web/v2/scrape', 'wrong', request)).status).toBe(401)
  expect((await fetch(url)).status).toBe(200)
})

test('a worker on Redis runs the crawl that the API started', { timeout: slow, tags: ['redis'] }, async () => {
  const redis = await startRedis()
  onTestFinished(async () => {
    await Promise.all(groups.map(endGroup))
    await redis.remove()
  })
  const settings = { REDIS_URL: redis.url }
  const url = await start('redis', 'start', /Listening on (\S+)/, settings)
  const key = keyOf('redis')
  const { answer } = await ask(url, '/v2/crawl', key, { url: `${site.url}/crawl/`, limit: 3 })
  const path = `/v2/crawl/${String(answer['id'])}`
  expect((await ask(url, path, key)).answer).toMatchObject({ status: 'scraping', completed: 0 })
  await start('redis', 'worker', /Waiting for jobs/, settings)
  await expect
    .poll(async () => (await ask(url, path, key)).answer, { timeout: 120_000 })
    .toMatchObject({ status: 'completed', completed: 3 })
})
